"""One table for classification, one for regression, and who wins where."""

import numpy as np

from experiments.beyond.contenders import CONTENDERS
from experiments.harness.table import table


def means(records):
    """Mean scores by data set, radius and contender."""
    groups = {}
    for record in records:
        key = record["name"], record["eps"], record["contender"]
        groups.setdefault(key, []).append([record[name] for name in ("clean", "attacked", "certified")])
    return {key: np.mean(scores, axis=0) for key, scores in groups.items()}


def report(settings, records):
    found = means(records)
    parts = []
    for regression, words in (
        (False, "Test rows right, %"),
        (True, "Mean squared error, in units of the target's variance"),
    ):
        names = list(dict.fromkeys(record["name"] for record in records if record["regression"] == regression))
        if names:
            parts += [f"{words}: clean / attacked / certified.", scores(settings, records, found, names, regression)]
            parts.append(winners(settings, found, names, regression))
    return "\n\n".join([*parts, times(records)])


def scores(settings, records, found, names, regression):
    rows = []
    for name in names:
        size = next(f"{record['samples']} x {record['features']}" for record in records if record["name"] == name)
        for eps in settings["radii"]:
            cells = [found[name, eps, contender] for contender in CONTENDERS]
            leader = int(
                np.argmin([cell[2] for cell in cells]) if regression else np.argmax([cell[2] for cell in cells])
            )
            texts = [
                " / ".join(f"{value:.2f}" if regression else f"{100 * value:.1f}" for value in cell) for cell in cells
            ]
            texts[leader] = f"**{texts[leader]}**"
            rows.append([f"{name} ({size})", eps, *texts])
    return table(["data (training rows x features)", "eps", *CONTENDERS], rows)


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
