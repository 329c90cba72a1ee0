"""How much each share of beta_max loses against the best one of each data set."""

import numpy as np

from experiments.harness.table import table

POINTS = 100  # of accuracy and of R2
KINDS = {"classification": False, "regression": True}


def report(settings, records):
    parts = [
        "Regret: validation score with the best share of the data set minus that with this share, means over the "
        "splits, in points (of 100) of accuracy or of R2. Mean over the data sets / the worst data set."
    ]
    parts.append(regrets_table(settings, records))
    parts.append(choice(settings, records))
    for kind in KINDS:
        if chosen := of_kind(records, kind):
            parts += [f"Validation scores, points, {kind}.", scores_table(settings, chosen)]
    total = sum(found["seconds"] for record in records for found in record["found"])
    return "\n\n".join([*parts, f"All {len(records)} tasks took {total / 60:.0f} minutes of processor time."])


def of_kind(records, kind):
    return [record for record in records if record["regression"] == KINDS[kind]]


def scores_of(settings, records):
    """Validation scores by loss and data set, one for each share: means over the splits."""
    groups = {}
    for record in records:
        found = record["found"][: len(settings["shares"])]
        groups.setdefault((record["loss"], record["name"]), []).append([at["validation"] for at in found])
    return {key: POINTS * np.mean(scores, axis=0) for key, scores in groups.items()}


def former_of(settings, records):
    """The same of the default that was, by loss and data set: of the first split, with the best share of that one."""
    count = len(settings["shares"])
    found = {(record["loss"], record["name"]): record["found"] for record in records if record["seed"] == 0}
    return {
        key: POINTS * (max(at["validation"] for at in values[:count]) - values[count]["validation"])
        for key, values in found.items()
    }


def regrets(scores):
    """One row for each data set, one column for each share."""
    return np.array([values.max() - values for values in scores])


def groups_of(settings, records):
    """Regrets by what they are told for: every loss, all of a kind, all."""
    scores = scores_of(settings, records)
    former = former_of(settings, records)
    groups = {loss: [key for key in scores if key[0] == loss] for loss in settings["data"]}
    for kind in KINDS:
        losses = {record["loss"] for record in of_kind(records, kind)}
        groups[f"all {kind}"] = [key for key in scores if key[0] in losses]
    groups["all"] = list(scores)
    return {
        name: (regrets([scores[key] for key in keys]), np.array([former[key] for key in keys]))
        for name, keys in groups.items()
        if keys
    }


def regrets_table(settings, records):
    rows = []
    for name, (found, former) in groups_of(settings, records).items():
        cells = [pair(column) for column in found.T]
        least = int(np.argmin(found.mean(axis=0)))
        cells[least] = f"**{cells[least]}**"
        rows.append([f"{name} ({len(found)})", *cells, pair(former)])
    heads = ["loss (data sets)", *(f"{share:g}" for share in settings["shares"])]
    return table([*heads, f"beta = {settings['former']:g}, one split"], rows)


def pair(values):
    return f"{short(values.mean())} / {short(values.max())}"


def short(value):
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def choice(settings, records):
    """Which share has the least regret, by its mean, its median and the worst."""
    rows = []
    for name, (found, _) in groups_of(settings, records).items():
        cells = []
        for measure in (np.mean, np.median, np.max):
            values = measure(found, axis=0)
            least = int(np.argmin(values))
            cells.append(f"{settings['shares'][least]:g} ({short(values[least])})")
        rows.append([name, *cells])
    heads = ["share with the least regret (regret)", "mean", "median", "worst"]
    return table(heads, rows)


def scores_table(settings, records):
    rows = []
    for (loss, name), values in scores_of(settings, records).items():
        record = next(record for record in records if (record["loss"], record["name"]) == (loss, name))
        cells = [f"{value:.1f}" for value in values]
        best = int(np.argmax(values))
        cells[best] = f"**{cells[best]}**"
        former = f"{POINTS * record['found'][len(values)]['validation']:.1f}"
        size = f"{record['samples']} x {record['features']}"
        rows.append([f"{name} ({size}), {loss}", f"{record['found'][0]['beta_max']:.3g}", *cells, former])
    heads = ["data (training rows x features), loss", "beta_max", *(f"{share:g}" for share in settings["shares"])]
    return table([*heads, f"beta = {settings['former']:g}, one split"], rows)
