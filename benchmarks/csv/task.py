"""Reading a file of numbers."""

from benchmarks.harness.race import race

ORDER = 8
TITLE = "Reading CSV"
CONTENDERS = ["csv.conelu", "csv.pandas", "csv.numpy", "csv.polars"]
INTRO = """
100,000 rows of 20 numbers with six decimals, the file already in memory. All must read the same numbers to the last
bit. The times are those of readers that find out by themselves what the columns hold; NumPy is told.
"""


def problems(quick):
    return [{"name": "numbers", "seed": 0, "rows": 1000 if quick else 100_000, "columns": 20}]


def compare(problem, records):
    digests = {name: record["digest"] for name, record in records.items() if record["status"] == "done"}
    if len(set(digests.values())) > 1:
        yield f"{problem['name']}: not everybody read the same numbers: {digests}"


def report(results):
    columns = {
        "MB a second": lambda r: f"{r['bytes'] / 1e6 / max(r['seconds'], 1e-9):.0f}",
        "peak MB": lambda r: f"{r['peak_mb']:.0f}",
    }
    return "\n\n".join(race(records, CONTENDERS[0], columns) for _, records in results)


def draw(results):
    return {}
