"""Errors against the radius: means, as in the paper, and medians."""

import numpy as np

from experiments.harness.table import table


def by_truth(settings, records):
    """Names of truths and readings, and the errors of each radius; the first are those without an attacker."""
    errors = iter([np.array(record["errors"]) for record in records])
    return {
        (truth, reading): [next(errors) for _ in [0, *settings["radii"]]]
        for truth in settings["truths"]
        for reading in settings["readings"]
    }


def report(settings, records):
    found, parts = by_truth(settings, records), []
    for truth in settings["truths"]:
        columns = [found[truth, reading] for reading in settings["readings"]]
        rows = [
            [
                "standard (Alg 1)" if eps == 0 else f"Alg 2, eps = {eps}",
                *(cell for errors in cells for cell in numbers(errors)),
            ]
            for eps, *cells in zip([0, *settings["radii"]], *columns, strict=True)
        ]
        heads = [f"test MSE, {truth}"]
        heads += [f"{words}: {what}" for words in settings["readings"].values() for what in ("mean", "median")]
        sentences = [summary(settings, words, found[truth, reading]) for reading, words in settings["readings"].items()]
        parts += [table(heads, rows), " ".join(sentences)]
    return "\n\n".join(parts)


def numbers(errors):
    return f"{errors.mean():.3f} ± {errors.std(ddof=1) / np.sqrt(len(errors)):.2g}", f"{np.median(errors):.3f}"


def summary(settings, words, errors):
    standard, *robust = errors
    better = sum(one.mean() < standard.mean() for one in robust)
    better_median = sum(np.median(one) < np.median(standard) for one in robust)
    best = settings["radii"][int(np.argmin([one.mean() for one in robust]))]
    first = settings["radii"][int(np.argmin([one[: settings["few"]].mean() for one in robust]))]
    worst = np.sort(standard)[-max(1, len(standard) // 20) :].sum() / standard.sum()
    return (
        f"With the {words}, Alg 2 has the lower mean for {better} of {len(robust)} radii and the lower median for "
        f"{better_median}; the best radius is {best} ({first} by the first {settings['few']} trials). The worst "
        f"twentieth of the standard trials make {100 * worst:.0f} % of their mean."
    )
