"""Time to an objective, for those who train by gradient descent."""

import numpy as np

from benchmarks.programs.program import shared_folder
from experiments.harness.figure import COLOURS, panels, tidy
from experiments.harness.table import table

ORDER = 4
TITLE = "Gradient descent to the same objective"
CONTENDERS = ["descent.conelu", "descent.torch", "descent.sklearn"]
OURS = CONTENDERS[0]
INTRO = """
Mammographic Masses (581 rows, 5 features and a bias that nobody perturbs): networks of 240 neurons against our 120
patterns, beta = 1e-4. PyTorch takes Adam on mini-batches, under attack on points from 10 projected gradient steps, and
says of itself what 40 steps find, which flatters it and its times; ours is the bound that training proved. `proven` is
what `conelu evaluate` proves of the network that came out, whoever trained it, with 1,000 parts of each row's ball, and
`attained` what its attack finds. PyTorch's width is free to find better networks than our sampled patterns allow for.
Judging is not part of anybody's time. PyTorch's steps shrink towards an end that has to be chosen: 120 s where that is
enough to reach our objective, under our attack, too, and 600 s where it is not. scikit-learn's Adam has one rate and no
penalty on biases, and 600 s. Times are to multiples of what ours says, and by everybody's own account.
"""
FACTS = ("objective", "attained", "proven")
DOUBTED = "(!)"
NOTE = f"{DOUBTED}: by its own account only; under our attack the network that came out misses this goal."
SHARES = (1.1, 1.01, 1.0)
ROUNDING = 1e-8  # of objectives, relative: weights are scaled before our tool sees them


def problems(quick):
    case = "mammographic_std_hinge_P120"
    shared = {"beta": 1e-4, "neurons": 240, "seconds": 120, "branches": 1000}
    if quick:
        small = {**shared, "neurons": 20, "seconds": 1}
        return [
            {"name": "made", "data": "made", "loss": "squared", "eps": 0.0, **small},
            {"name": "made, attacked", "data": "made", "loss": "hinge", "eps": 0.1, **small},
        ]
    if not (shared_folder() / "cases" / f"{case}.npz").exists():
        return []
    return [
        {"name": "standard, hinge", "data": case, "loss": "hinge", "eps": 0.0, **shared},
        {"name": "standard, squared", "data": case, "loss": "squared", "eps": 0.0, **shared, "seconds": 600},
        {"name": "attacked, hinge", "data": case, "loss": "hinge", "eps": 0.12, **shared, "seconds": 600},
    ]


def asks(problem, contender):
    return contender != "descent.sklearn" or (problem["loss"] == "squared" and problem["eps"] == 0)


def compare(problem, records):
    """Nobody may say more of a network than is true of it, as our evaluation sees it."""
    for name, record in records.items():
        if record["status"] == "done":
            for text in untrue(problem, record, name == OURS):
                yield f"{problem['name']}: {name}: {text}"


def untrue(problem, record, ours):
    said, attained, proven = (record[fact] for fact in FACTS)
    attacked = problem["eps"] > 0
    if not at_most(attained, proven):
        yield f"an attack attains {attained!r}, the proof says at most {proven!r}"
    if ours:
        bound = record["lower_bound"]
        if not at_most(attained, said):
            yield f"an attack attains {attained!r}, training proved {said!r}"
        # Under attack the bound is for the program, and its network may be better than that.
        if not at_most(bound, said if attacked else attained):
            yield f"the lower bound {bound!r} is above the objective"
        return
    if not at_most(said, proven):
        yield f"found {said!r}, above what is proven of its network, {proven!r}"
    if not (attacked or at_most(attained, said)):
        yield f"says {said!r}, but its network has {attained!r}"
    clean, seen = record["clean"], record["clean_proven"]
    if not (at_most(clean, seen) and at_most(seen, clean)):
        yield f"has {clean!r} where nobody attacks, our tool sees {seen!r}"


def at_most(a, b):
    """Up to rounding; what is not a number is not at most anything."""
    return a <= b + ROUNDING * abs(b)


def reached(record, value):
    """Seconds until the objective was at most the value, or None."""
    return next((seconds for seconds, objective in record["trace"] if objective <= value), None)


def report(results):
    rows = [
        row(problem, name, record, records[OURS]) for problem, records in results for name, record in records.items()
    ]
    heads = ["", "says", *FACTS[1:]]
    heads += [f"s to {'ours' if share == 1 else f'{100 * (share - 1):.0f} % above ours'}" for share in SHARES]
    told = table(heads, rows)
    return f"{told}\n\n{NOTE}" if DOUBTED in told else told


def row(problem, name, record, ours):
    who = f"{problem['name']}: {name.split('.')[-1]}"
    if record["status"] != "done":
        return [who, record["status"]]
    cells = [who, *(f"{record[fact]:.5g}" for fact in FACTS)]
    if "objective" in ours:
        cells += [time_to(problem, record, share * ours["objective"]) for share in SHARES]
    return cells


def time_to(problem, record, goal):
    time = reached(record, goal)
    if time is None:
        return f"> {problem['seconds']}"
    return f"{time:.3g}{'' if at_most(record['attained'], goal) else f' {DOUBTED}'}"


def draw(results):
    figure, axes = panels(1, len(results), height=2.6, squeeze=False)
    handles = {}
    for ax, (problem, records) in zip(axes[0], results, strict=True):
        for (name, record), colour in zip(records.items(), COLOURS, strict=False):
            if record["status"] != "done":
                continue
            seconds, objectives = np.array(record["trace"]).T
            style = "o" if name == OURS else "-"
            (handles[name.split(".")[-1]],) = ax.semilogx(seconds, objectives, style, color=colour)
            if problem["eps"] > 0 and name != OURS:
                ax.vlines(seconds[-1], record["attained"], record["proven"], color=colour, linewidth=4, alpha=0.5)
        ax.set_title(problem["name"])
        ax.set_xlabel("CPU seconds")
        tidy(ax)
    axes[0][0].set_ylabel("objective")
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3, frameon=False)
    caption = "The best objective so far, by everybody's own account; ours is one point, proven. "
    caption += "A bar goes from what our attack attains on the network that came out to what is proven of it."
    return {"traces": (figure, caption)}
