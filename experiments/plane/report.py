"""How many boxes each training has right."""

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
            ]
        )
    heads = ["", "objective", "points right", "whole box right", "patterns", "live"]
    return f"{table(heads, rows)}\n\n{settings['draws']} draws of {settings['samples']} points."
