"""Errors against the radius: means, as in the paper, and medians."""

import numpy as np

from experiments.harness.table import table


def by_truth(settings, records):
    """Names of truths and readings, and the record of each radius; the first is that without an attacker."""
    found = iter([{name: np.array(values) for name, values in record.items()} for record in records])
    return {
        (truth, reading): [next(found) for _ in [0, *settings["radii"]]]
        for truth in settings["truths"]
        for reading in settings["readings"]
    }


def report(settings, records):
    found, parts = by_truth(settings, records), []
    for truth in settings["truths"]:
        for reading, words in settings["readings"].items():
            standard, *robust = found[truth, reading]
            rows = [
                [f"Alg 2, eps = {eps}", *numbers(one), paired(one, standard), f"{one['live'].mean():.1f}"]
                for eps, one in zip(settings["radii"], robust, strict=True)
            ]
            rows.insert(0, ["standard (Alg 1)", *numbers(standard), "", f"{standard['live'].mean():.1f}"])
            heads = [f"{truth}, {words}", "mean MSE", "median", "mean minus standard's", "live patterns"]
            parts += [table(heads, rows), summary(settings, standard, robust)]
    return "\n\n".join(parts)


def numbers(found):
    errors = found["errors"]
    return mean_text(errors), f"{np.median(errors):.3f}"


def paired(found, standard):
    """Trial by trial, the same points in both."""
    return mean_text(found["errors"] - standard["errors"], sign="+")


def mean_text(values, sign=""):
    return f"{values.mean():{sign}.3f} ± {standard_error(values):.2g}"


def standard_error(values):
    return values.std(ddof=1) / np.sqrt(len(values))


def summary(settings, standard, robust):
    means = [one["errors"].mean() for one in robust]
    gains = [standard["errors"] - one["errors"] for one in robust]
    better = sum(gain.mean() > 0 for gain in gains)
    surely = sum(gain.mean() > 2 * standard_error(gain) for gain in gains)
    better_median = sum(np.median(one["errors"]) < np.median(standard["errors"]) for one in robust)
    best = settings["radii"][int(np.argmin(means))]
    first = settings["radii"][int(np.argmin([one["errors"][: settings["few"]].mean() for one in robust]))]
    worst = np.argsort(standard["errors"])[-max(1, len(standard["errors"]) // 20) :]
    share = standard["errors"][worst].sum() / standard["errors"].sum()
    outside = standard["outside"][worst].sum() / standard["errors"][worst].sum()
    return (
        f"Alg 2 has the lower mean for {better} of {len(robust)} radii, for {surely} of them by more than two standard "
        f"errors of the difference, and the lower median for {better_median}; the best radius is {best} ({first} by the "
        f"first {settings['few']} trials). The worst twentieth of the standard trials make {100 * share:.0f} % of their "
        f"mean, and {100 * outside:.0f} % of their error lie outside the range of the points to train on."
    )
