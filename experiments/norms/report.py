"""What training against one norm is worth under another."""

from experiments.harness.table import table


def report(settings, records):
    rows = [
        [
            f"l_{norm}",
            f"{record['objective']:.5f}",
            f"{record['relative_gap']:.0e}",
            f"{record['live_patterns']} of {record['patterns']}",
            *(f"{100 * record['certified'][other]:.1f} %" for other in settings["norms"]),
        ]
        for norm, record in zip(settings["norms"], records, strict=True)
    ]
    heads = ["trained against", "objective", "gap", "live", *(f"certified, l_{norm}" for norm in settings["norms"])]
    return table(heads, rows)
