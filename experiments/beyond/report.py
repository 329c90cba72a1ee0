"""One table for classification, one for regression, and who wins where."""

import numpy as np

from experiments.beyond.contenders import CONTENDERS
from experiments.harness.table import table


OURS = ("ours", "reduced")
SCORES = ("clean", "attacked", "certified", "training_certified")


def contest(records):
    """Without those that ask for reasons."""
    return [record for record in records if "reason" not in record]


def grouped(records):
    """Scores of every split, a row each, by data set, radius and contender."""
    groups = {}
    for record in records:
        key = record["name"], record["eps"], record["contender"]
        groups.setdefault(key, []).append([record[name] for name in SCORES])
    return {key: np.array(scores) for key, scores in groups.items()}


def means(records):
    return {key: scores.mean(axis=0) for key, scores in grouped(records).items()}


def report(settings, records):
    behind = [record for record in records if "reason" in record]
    records = contest(records)
    found = means(records)
    parts = []
    for regression, words in (
        (False, "Test rows right, %"),
        (True, "Mean squared error, in units of the target's variance"),
    ):
        names = list(dict.fromkeys(record["name"] for record in records if record["regression"] == regression))
        if names:
            parts += [
                f"{words}: clean / attacked / certified ± standard deviation of what is certified over the splits.",
                scores(settings, records, names, regression),
                winners(settings, found, names, regression),
                "The same, certified, where neither of ours is the best: on the training rows -> on the test rows.",
                losses(settings, found, names, regression),
            ]
    return "\n\n".join([*parts, times(records), penalties(behind), other_gates(behind)])


def scores(settings, records, names, regression):
    groups = grouped(records)
    rows = []
    for name in names:
        size = next(f"{record['samples']} x {record['features']}" for record in records if record["name"] == name)
        for eps in settings["radii"]:
            cells = [groups[name, eps, contender] for contender in CONTENDERS]
            texts = [cell_text(cell, regression) for cell in cells]
            leader = leading([cell.mean(axis=0) for cell in cells], regression)
            texts[leader] = f"**{texts[leader]}**"
            rows.append([f"{name} ({size})", eps, *texts])
    return table(["data (training rows x features)", "eps", *CONTENDERS], rows)


def leading(cells, regression):
    """Which of the contenders' mean scores is the best certified one."""
    certified = [cell[2] for cell in cells]
    return int(np.argmin(certified) if regression else np.argmax(certified))


def one_text(value, regression):
    return f"{value:.2f}" if regression else f"{100 * value:.1f}"


def cell_text(splits, regression):
    text = " / ".join(one_text(value, regression) for value in splits.mean(axis=0)[:3])
    if len(splits) == 1:
        return text
    return f"{text} ± {one_text(splits[:, 2].std(ddof=1), regression)}"


def losses(settings, found, names, regression):
    """A score that falls from training to test rows is of rows learnt by heart; one that is bad on both, of a network
    that the training did not find or does not have."""
    rows = []
    for name in names:
        for eps in settings["radii"]:
            cells = {contender: found[name, eps, contender] for contender in CONTENDERS}
            best = list(cells)[leading(cells.values(), regression)]
            if best not in OURS:
                texts = [
                    f"{one_text(cells[who][3], regression)} -> {one_text(cells[who][2], regression)}"
                    for who in (*OURS, best)
                ]
                rows.append([name, eps, *texts[:-1], f"{best}: {texts[-1]}"])
    return table(["data", "eps", *OURS, "the best"], rows) if rows else "None."


def winners(settings, found, names, regression):
    """Bold is the best certified score; this counts the best of each kind."""
    sign = -1 if regression else 1
    sentences = []
    for index, words in ((0, "clean"), (1, "attacked"), (2, "certified")):
        counts = dict.fromkeys(CONTENDERS, 0)
        for name in names:
            for eps in settings["radii"]:
                values = {contender: sign * found[name, eps, contender][index] for contender in CONTENDERS}
                for contender in CONTENDERS:
                    counts[contender] += values[contender] >= max(values.values()) - 1e-9
        counts = ", ".join(f"{contender} {count}" for contender, count in counts.items() if count)
        sentences.append(f"{words}: {counts}")
    return f"Best of {len(names) * len(settings['radii'])} rows, equal ones all counted: {'; '.join(sentences)}."


def times(records):
    seconds = {name: [record["seconds"] for record in records if record["contender"] == name] for name in CONTENDERS}
    rows = [[name, f"{np.mean(values):.2g}", f"{np.max(values):.2g}"] for name, values in seconds.items()]
    return table(["training, all candidates", "mean seconds", "longest"], rows)


def penalties(records):
    """Certified scores for each beta, to see whether another one would have been better, and found."""
    groups = {}
    for record in records:
        if record["reason"] == "penalty":
            groups.setdefault((record["name"], record["eps"]), {}).setdefault(record["seed"], []).append(record)
    parts = ("training", "validation", "test")
    rows = []
    for (name, eps), splits in groups.items():
        scores = {}  # of each method: split x beta x part
        for method in ("convex", "reduced"):
            of_split = [[[record[method][part] for part in parts] for record in split] for split in splits.values()]
            scores[method] = np.array(of_split)
        for i, record in enumerate(next(iter(splits.values()))):
            rows.append([name, eps, f"{record['beta']:g}", *(percents(found[:, i]) for found in scores.values())])
        best = {method: np.argmax(found[:, :, 1], axis=1) for method, found in scores.items()}
        chosen = [found[np.arange(len(found)), best[method]] for method, found in scores.items()]
        rows.append([name, eps, "by validation", *map(percents, chosen)])
    return "Certified with every beta, %: on training / validation / test rows, means over the splits.\n\n" + table(
        ["data", "eps", "beta", *OURS], rows
    )


def percents(splits):
    return " / ".join(one_text(score, False) for score in splits.mean(axis=0))


def other_gates(records):
    """Objectives and errors of regressions with other gates."""
    groups = {}
    for record in records:
        if record["reason"] == "gates":
            for words, values in record["variants"].items():
                groups.setdefault((record["name"], words), []).append(values)
    rows, gaps = [], []
    for (name, words), group in groups.items():
        gaps += [values["gap"] for values in group if values["gap"] is not None]
        kinds = {"neurons": ".0f", "program": ".1f", "network": ".1f", "training": ".3f", "test": ".3f"}
        cells = [format(np.mean([values[kind] for values in group]), digits) for kind, digits in kinds.items()]
        rows.append([name, words, *cells])
    asked = next(record for record in records if record["reason"] == "gates")
    names = ["data", "", "neurons", "proven", "exact", "training error", "test error"]
    return (
        f"Regressions at {asked['eps']} with other gates, beta = {asked['beta']:g}, means over the splits: the "
        "objective that is proven (ours: the program's) and that of the network by exact verification, and certified "
        f"mean squared errors. The widest gap of a program is {max(gaps):.0e}.\n\n" + table(names, rows)
    )
