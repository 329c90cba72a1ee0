"""Predictions for many rows."""

from benchmarks.harness.race import race

ORDER = 9
TITLE = "Prediction"
CONTENDERS = ["predict.conelu", "predict.numpy", "predict.sklearn", "predict.torch", "predict.onnxruntime"]
INTRO = """
100,000 rows of 147 features through 240 neurons. The error is the largest difference from the formula evaluated by
NumPy; ONNX Runtime has weights and rows in single precision, as exported models have them, and is twice as fast for
that reason alone.
"""


def problems(quick):
    sizes = (
        {"rows": 1000, "features": 20, "neurons": 10} if quick else {"rows": 100_000, "features": 147, "neurons": 240}
    )
    return [{"name": "prediction", "seed": 0, **sizes}]


def compare(problem, records):
    for name, record in records.items():
        allowed = 1e-4 if name == "predict.onnxruntime" else 1e-10
        if record["status"] == "done" and record["error"] > allowed:
            yield f"{problem['name']}: {name} is {record['error']!r} from the formula"


def report(results):
    parts = []
    for problem, records in results:
        columns = {
            "rows a second": lambda r, n=problem["rows"]: f"{n / max(r['seconds'], 1e-9):.3g}",
            "error": lambda r: f"{r['error']:.1e}",
        }
        parts.append(race(records, CONTENDERS[0], columns))
    return "\n\n".join(parts)


def draw(results):
    return {}
