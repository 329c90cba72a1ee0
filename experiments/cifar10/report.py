"""The paper's table, and what its differences come from."""

import numpy as np

from experiments.harness.comparison import differences, methods_table, stopped_early
from experiments.harness.table import number, span, table


def grouped(records, kind):
    """Records by method."""
    groups = {}
    for record in records:
        if record["kind"] == kind:
            groups.setdefault(record["method"], []).append(record)
    return groups


def report(settings, records):
    main, everything = grouped(records, "main"), grouped(records, "all")
    parts = [
        f"{settings['runs']} draws of {settings['images']} training images, the same for every method; "
        f"{settings['test_images']} test images:",
        methods_table(main, settings["paper"]),
        differences(main, settings["paper"]),
        solved(main),
    ]
    if everything:
        parts += ["All 10,000 training images, one run:", methods_table(everything, {}), solved(everything)]
    return "\n\n".join([*parts, why_alg2(settings, records), why_descent(grouped(records, "plain"))])


def solved(groups):
    """Live patterns, and how far from their optimum the programs were left."""
    rows = []
    for name, records in groups.items():
        if "relative_gap" in records[0]:
            live = [record["live_patterns"] for record in records]
            gap = max(record["relative_gap"] for record in records)
            certified = np.mean([record["certified_objective"] for record in records])
            rows.append(
                [name, f"{span(live)} of {records[0]['patterns']}", f"{gap:.1e}", f"{certified:.4g}"]
            )
    return table(["", "live patterns", "widest gap", "certified objective of the network"], rows)


def why_alg2(settings, records):
    rows = []
    for shrinking in settings["linear"]["shrinking"]:
        values = np.array([record["objective"] for record in grouped(records, f"linear, {shrinking}")["linear"]])
        cells = [f"{value:.4f}" for value in (values.mean(), values.min(), values.max())]
        rows.append([f"{len(values)} draws of images, {shrinking}", *cells])
    same = settings["same_images"]
    return "\n\n".join(
        [
            f"**Why Alg 2 differs** (paper: {settings['paper']['Alg 2']['objective']}). With one live pattern it is "
            "the robust linear classifier. Its objective, by images and by how they are made smaller:",
            table(["", "mean", "lowest", "highest"], rows),
            f"On the first {settings['images']} images of the file, the same in every run, by the radius and by S, the "
            f"patterns that Alg 2 makes of one direction; {same['runs']} draws of patterns, and PGD with the same "
            "radius:",
            same_images_table(settings, grouped(records, "same images")),
        ]
    )


def same_images_table(settings, groups):
    """Alg 2 by S and radius, Alg 1 by the radius of the attack; the paper's rows with its standard deviations."""
    rows = []
    for name, records in groups.items():
        method = name if name == "Alg 1" else f"Alg 2, {name}"
        for radius in dict.fromkeys(radius for record in records for radius in record["attacked"]):
            here = [record for record in records if radius in record["attacked"]]
            live = [record["live_patterns"] for record in here]
            shares = [[record["attacked"][radius][column] for record in here] for column in ("clean", "fgsm", "pgd")]
            objective = number([record["objective"] for record in here])
            rows.append([method, f"{radius} / 255", span(live), objective, *map(fine, shares)])
        if name in ("Alg 1", list(groups)[-1]):
            rows.append(paper_row(settings, "Alg 1" if name == "Alg 1" else "Alg 2"))
    return table(["", "eps", "live patterns", "objective", "clean", "FGSM", "PGD"], rows)


def fine(shares):
    """Percent with a digit more than in other tables: some of these are below one."""
    mean, spread = 100 * np.mean(shares), 100 * np.std(shares, ddof=1) if len(shares) > 1 else None
    return f"{mean:.2f} %" if spread is None else f"{mean:.2f} % ± {spread:.2f}"


def paper_row(settings, name):
    paper, spread = settings["paper"][name], settings["paper_spread"][name]
    shares = [f"{100 * paper[column]:.2f} % ± {100 * spread[column]:.2f}" for column in ("clean", "fgsm", "pgd")]
    return [f"*paper, {name}*", "10", "", f"{paper['objective']:.4g} ± {spread['objective']:.2g}", *shares]


def why_descent(groups):
    words = "**Why gradient descent differs.** Plain gradient steps (constant rate), stopped early; first draw of images:"
    return words + "\n\n" + stopped_early(groups)
