"""Projected gradient steps on many rows."""

from benchmarks.harness.race import race

ORDER = 7
TITLE = "Attacks"
CONTENDERS = ["attacks.conelu", "attacks.numpy", "attacks.torch"]
INTRO = """
The paper's attack, 40 steps of a thirtieth of the radius in the infinity norm, on 2,000 rows of 147 features and a
network of 72 neurons in double precision. All take the same steps, so all must break the same share of the rows.
"""


def problems(quick):
    sizes = {"rows": 200, "features": 20, "neurons": 10} if quick else {"rows": 2000, "features": 147, "neurons": 72}
    return [{"name": "PGD", "seed": 0, "eps": 0.1, "steps": 40, **sizes}]


def compare(problem, records):
    done = {name: record for name, record in records.items() if record["status"] == "done"}
    ours = done.get(CONTENDERS[0])
    for name, record in done.items():
        if record["reach"] > 1 + 1e-9:
            yield f"{problem['name']}: the points of {name} are {record['reach']!r} of the radius away"
        # Rounding can send a point on the kink of a neuron another way.
        if ours and abs(record["margin"] - ours["margin"]) > 1e-3:
            yield f"{problem['name']}: mean margins of {name} and ours differ"


def report(results):
    columns = {"broken": lambda r: f"{100 * r['broken']:.2f} %", "mean margin": lambda r: f"{r['margin']:.5f}"}
    return "\n\n".join(race(records, CONTENDERS[0], columns) for _, records in results)


def draw(results):
    return {}
