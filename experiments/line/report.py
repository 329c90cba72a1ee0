"""What Alg 2 does with points whose intervals overlap."""

import numpy as np

from experiments.harness.table import number, percent, table


def report(settings, records):
    rows = []
    for method in settings["methods"]:
        found = [record["methods"][method["name"]] for record in records]
        shares = {name: [np.mean(facts[name]) for facts in found] for name in ("right", "certified", "constant")}
        rows.append(
            [
                method["name"],
                number([facts["objective"] for facts in found]),
                *(percent(shares[name]) for name in ("right", "certified", "constant")),
                number([facts["live_patterns"] for facts in found], 3),
            ]
        )
    heads = ["", "objective", "points right", "whole interval right", "one class on the interval", "live patterns"]
    return f"{table(heads, rows)}\n\n{len(records)} draws of {settings['samples']} points. {ignored(records)}"


def ignored(records):
    wrong = np.concatenate([~np.array(record["methods"]["Alg 2"]["right"]) for record in records])
    conflict = np.concatenate([record["conflicts"] for record in records])
    return (
        f"{wrong.sum()} of {len(wrong)} points are given up by Alg 2; {(wrong & conflict).sum()} of these have a point "
        f"of the other label so near that the intervals overlap, {(wrong & ~conflict).sum()} have none."
    )
