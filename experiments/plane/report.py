"""How many boxes each training has right."""

from experiments.harness.outputs import NEAR_ZERO, near_zero
from experiments.harness.table import number, percent, table


def report(settings, records):
    rows = []
    for k, method in enumerate(settings["methods"]):
        found = records[k :: len(settings["methods"])]
        rows.append(
            [
                method["name"],
                number([facts["objective"] for facts in found]),
                percent([facts["right"] for facts in found]),
                percent([facts["certified"] for facts in found]),
                number([facts["patterns"] for facts in found], spread=False),
                number([facts["live_patterns"] for facts in found], 3, spread=False),
                sum(near_zero(facts["network"], facts["X"], method.get("ones", False)) for facts in found),
            ]
        )
    heads = ["", "objective", "points right", "whole box right", "patterns", "live", f"outputs below {NEAR_ZERO:g}"]
    return f"{table(heads, rows)}\n\n{settings['draws']} draws of {settings['samples']} points."
