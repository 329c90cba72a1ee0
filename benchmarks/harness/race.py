"""The usual table of a task in which everybody does the same thing: who, how long, and how well."""

from experiments.harness.table import table


def race(records, ours, columns):
    """One row a contender, the fastest first; `columns` are heads with functions of a record."""
    order = sorted(records, key=lambda name: records[name].get("seconds", float("inf")))
    rows = [[name.split(".")[-1].replace("_", " + "), *_cells(records[name], records[ours], columns)] for name in order]
    return table(["", "CPU s", "dgemm2000", "times ours", *columns], rows)


def _cells(record, ours, columns):
    if record["status"] != "done":
        text = f"> {record['limit']:g}" if record["status"] == "limit" else record["status"]
        return [text, *[""] * (2 + len(columns))]
    ratio = f"{record['seconds'] / ours['seconds']:.2g}" if ours["status"] == "done" else ""
    units = f"{record['seconds'] / record['dgemm2000']:.2g}"
    return [f"{record['seconds']:.3g}", units, ratio, *(write(record) for write in columns.values())]
