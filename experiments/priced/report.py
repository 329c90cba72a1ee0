"""Who finds the better network, in what time, and what is proven of all networks."""

import numpy as np

from experiments.harness.table import table

EQUAL = 1e-5  # relative: objectives that are as near as this count as the same
EQUAL_TEST = 0.0005  # of accuracy or R2
CONTENDERS = ("sampled", "priced", "descended")


def report(settings, records):
    cases, splits = of_part(records, "contest"), of_part(records, "splits")
    return "\n\n".join(
        [
            "Priced against descended: in how many cases the objective is below, equal (within 1e-5) or above, and "
            "ratios to descended.",
            summary(cases),
            exceptions(cases),
            "Every data set and beta. Bounds are of priced: *network* holds for every network of any width, *program* "
            "for networks with the patterns of the last program; in brackets, the bound for every network if no price "
            "is larger than those found. That of sampled is its objective, for its 120 patterns; descended has none. "
            "Scores are points of test accuracy, or of R2 for regressions.",
            cases_table(cases),
            targets(settings, splits, cases),
            splits_table(splits),
            "Bounds for all networks. The gap is between the objective and the bound for every network, a share of the "
            "objective; prices are in units of beta.",
            bounds_table(of_part(records, "bounds")),
        ]
    )


def of_part(records, part):
    return [record for record in records if record["part"] == part]


def share_of(record):
    """The share of beta_max as it was asked for, or None."""
    return float(record["asked"].removesuffix("max")) if isinstance(record["asked"], str) else None


def case_name(record):
    share = share_of(record)
    return f"{record['name']} at " + (f"{share:g} beta_max" if share else f"{record['beta']:g}")


def ratio(record, kind="objective", of="priced", to="descended"):
    return record[of][kind] / record[to][kind]


def summary(cases):
    groups = {}
    for record in cases:
        share = share_of(record)
        name = f"{share:g} beta_max" if share else f"{record['name']}, beta = {record['beta']:g}"
        groups.setdefault(name, []).append(record)
    rows = [summary_row(name, group) for name, group in [*groups.items(), ("all", cases)]]
    heads = ["beta", "cases", "below", "equal", "above", "objective: mean ratio", "sampled: mean ratio"]
    return table([*heads, "CPU: median ratio", "worst", "test: better, equal, worse"], rows)


def summary_row(name, group):
    ratios = np.array([ratio(record) for record in group])
    seconds = np.array([ratio(record, "seconds") for record in group])
    tests = np.array([record["priced"]["test"] - record["descended"]["test"] for record in group])
    sampled = np.mean([ratio(record, of="sampled") for record in group])
    below, above = ratios < 1 - EQUAL, ratios > 1 + EQUAL
    better, worse = tests > EQUAL_TEST, tests < -EQUAL_TEST
    counts = [len(group), below.sum(), (~below & ~above).sum(), above.sum()]
    means = [f"{ratios.mean():.4f}", f"{sampled:.2f}"]
    times = [f"{np.median(seconds):.2f}", f"{seconds.max():.2f}"]
    return [name, *counts, *means, *times, f"{better.sum()}, {(~better & ~worse).sum()}, {worse.sum()}"]


def exceptions(cases):
    above = [f"{case_name(record)} ({ratio(record):.5f})" for record in cases if ratio(record) > 1 + EQUAL]
    slow = [record for record in cases if ratio(record, "seconds") > 2]
    slow = [f"{case_name(record)} ({ratio(record, 'seconds'):.1f})" for record in slow]
    proven = [record for record in cases if record["priced"]["scope"] == "network"]
    wrong = [case_name(record) for record in proven if is_refuted(record)]
    return (
        f"Objective of priced above that of descended: {', '.join(above) or 'none'}. More than twice the processor "
        f"time: {', '.join(slow) or 'none'}. A bound for every network is proven in {len(proven)} cases; networks of "
        f"descended or sampled that are below it: {', '.join(wrong) or 'none'}."
    )


def is_refuted(record):
    """A bound for every network that some network is below would be wrong."""
    return min(record[name]["objective"] for name in CONTENDERS) < record["priced"]["lower_bound"]


def cases_table(cases):
    rows = []
    for record in cases:
        share = share_of(record)
        size = f"{record['name']} ({record['samples']} x {record['features']})"
        objectives = [f"{record[name]['objective']:.5g}" for name in CONTENDERS]
        least = min(record[name]["objective"] for name in CONTENDERS)
        for k, name in enumerate(CONTENDERS):
            if record[name]["objective"] <= (1 + EQUAL) * least:
                objectives[k] = f"**{objectives[k]}**"
        cells = [f"{share:g} max" if share else f"{record['beta']:g}", " / ".join(objectives)]
        cells += [f"{ratio(record):.4f}", bound_text(record["priced"])]
        cells.append(" / ".join(str(record[name]["neurons"]) for name in CONTENDERS))
        cells.append(" / ".join(f"{record[name]['seconds']:.2g}" for name in CONTENDERS))
        cells.append(" / ".join(f"{100 * record[name]['test']:.1f}" for name in CONTENDERS))
        rows.append([size, *cells])
    heads = ["data (training rows x features)", "beta", "objective: sampled / priced / descended"]
    return table([*heads, "priced / descended", "bound", "neurons", "CPU seconds", "test score"], rows)


def bound_text(facts):
    text = f"{facts['lower_bound']:.5g} {facts['scope']}"
    estimates = facts["round_estimates"]
    # A search that ends before its first prices has no estimate.
    return text if facts["scope"] == "network" or not estimates else f"{text} ({max(estimates):.5g})"


def targets(settings, records, cases):
    sentences = []
    for beta, target in zip(settings["splits"]["betas"], settings["splits"]["targets"], strict=True):
        ratios = [ratio(record) for record in records if record["asked"] == beta]
        sentences.append(f"at {beta:g} {np.mean(ratios):.3f} (wanted: at most {target:g})")
    pictures = next(record for record in cases if record["name"] == "cifar10")
    return (
        f"{settings['splits']['data']}, mean over {settings['splits']['seeds']} splits of the objective of priced over "
        f"that of descended: {', '.join(sentences)}. The same of {pictures['samples']} images of CIFAR-10: "
        f"{ratio(pictures):.3f} (wanted: at most {settings['target_of_images']:g}), in "
        f"{pictures['priced']['seconds']:.0f} s of priced."
    )


def splits_table(records):
    rows = []
    for beta in dict.fromkeys(record["asked"] for record in records):
        group = [record for record in records if record["asked"] == beta]
        cells = []
        for kind, digits in (("objective", ".4f"), ("seconds", ".1f")):
            values = [[record[name][kind] for name in ("priced", "descended")] for record in group]
            cells += [format(value, digits) for value in np.mean(values, axis=0)]
            ratios = np.array([ratio(record, kind) for record in group])
            cells.append(f"{ratios.mean():.3f} ({ratios.min():.3f} to {ratios.max():.3f})")
        rows.append([f"{beta:g}", *cells])
    return table(
        ["beta", "objective, priced", "descended", "ratio", "CPU seconds, priced", "descended", "ratio"], rows
    )


def bounds_table(records):
    rows = []
    for record in records:
        facts = record["priced"]
        beta = f"{facts['beta']:.3g}, {facts['beta'] / facts['beta_max']:.2g} max"
        asked = "" if record["by_validation"] else " *"
        cells = [record["loss"], beta + asked, f"{facts['objective']:.5g}", f"{facts['largest_price']:.4f}"]
        rows.append([f"{record['name']} ({record['samples']} x {record['features']})", *cells, *proof_cells(record)])
    heads = ["data (training rows x features)", "loss", "beta (* given, not chosen)", "objective"]
    return table([*heads, "largest price: found", "proven", "gap proven", "nodes", "seconds", "limit"], rows)


def proof_cells(record):
    facts, limit = record["priced"], record["limit"]
    if facts["price_bound"] is None:
        return ["not tried", "", "", "", limit]
    gap = 1 - facts["lower_bound"] / facts["objective"]
    known = f"{100 * gap:.2g} %" if facts["scope"] == "network" else "none"
    return [f"{facts['price_bound']:.4g}", known, f"{facts['nodes']:,}", f"{facts['bound_seconds']:.2g}", limit]
