#!/usr/bin/env python3
"""Holds `conelu export` to the programs that its files are for: onnx, onnxruntime, a C compiler and vnnlib.

    check_export.py build/conelu [MODEL DATA ...]

Without models, trains small ones on random data: two classes, four classes and a regression, with features far from 0
and standardised. For each, the ONNX file must pass onnx.checker with its full check and shape inference, and give the
scores of `conelu predict` in onnxruntime, to 1e-5 of the largest one in float32 and with `--precision mixed`, and to 1e-9
with `--precision double`; the C header must compile without a warning and give them, too; every
property must parse in vnnlib and hold exactly at counterexamples: the bounds at corners of the box, and the outputs as
onnxruntime computes them. Each version of vnnlib reads one version of the language: 0.0.1 reads 1.0, 1.x reads 2.0.
The packages are on PyPI; exit code 77 means skipped, because one is missing. python/tests/test_export.py runs this file
with both versions of vnnlib.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.dont_write_bytecode = True  # the source tree stays clean
try:
    import numpy as np
    import onnx
    import onnxruntime
    import vnnlib
except ModuleNotFoundError as missing:
    print(f"skipped: {sys.executable} has no {missing.name}; pip install numpy onnx onnxruntime vnnlib")
    sys.exit(77)

C_TOLERANCE = 1e-6
DOUBLE_TOLERANCE = 1e-9
LANGUAGE = "2.0" if hasattr(vnnlib, "parse_query_file") else "1.0"


class Tool:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def run(self, *words):
        command = [self.path, *map(str, words)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if result.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {result.stderr}")
        return result.stdout

    def train(self, name, X, y, *options):
        data = self.folder / f"{name}.npz"
        np.savez(data, X=X, y=y)
        model = self.folder / f"{name}.json"
        words = ["--standardize", "--beta", "1e-3", "--pattern-count", 15, "--quiet", "--model", model, *options]
        self.run("train", data, *words)
        return model, data


def random_problems(tool):
    random = np.random.default_rng(1)
    X = random.normal(size=(60, 5)) * [1, 10, 0.01, 300, 1] + [3, -40, 0, 1000, 0.5]
    Z = (X - X.mean(0)) / X.std(0)
    yield "two", *tool.train("two", X, (Z[:, 0] * Z[:, 1] > 0).astype(int))
    yield "four", *tool.train("four", X, (Z[:, 0] > 0) * 2 + (Z[:, 3] > 0))
    yield "line", *tool.train("line", X, 3 * np.abs(Z[:, 0]) + Z[:, 1], "--task", "regression")


def read_data(data, model):
    """Raw features in the model's order, and targets as the file has them: the last column of a CSV, y of an .npz."""
    if data.suffix == ".npz":
        arrays = np.load(data)
        return arrays["X"], arrays["y"]
    text = data.read_text()
    delimiter = ";" if ";" in text.splitlines()[0] else ","
    rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
    columns = range(len(model["features"]))
    if set(model["features"]) <= set(rows[0]):
        columns = [rows[0].index(feature) for feature in model["features"]]
        rows = rows[1:]
    return np.array([[float(row[c]) for c in columns] for row in rows]), [row[-1] for row in rows]


def scores_of(model, X):
    """The contract's formula: n x networks."""
    scaling = model["preprocessing"]
    Z = X - (0 if scaling["center"] is None else np.array(scaling["center"]))
    Z = Z / (1 if scaling["scale"] is None else np.array(scaling["scale"]))
    networks = model.get("networks", [model])
    return np.stack(
        [
            np.maximum(Z @ np.array(net["hidden"]).reshape(-1, X.shape[1]).T + net["hidden_bias"], 0) @ net["output"]
            + net["output_bias"]
            for net in networks
        ],
        axis=1,
    )


def check_predict(tool, model_file, data, scores):
    """The formula is what `predict` prints: of several classes, the largest score."""
    lines = tool.run("predict", model_file, data).splitlines()
    header = lines[0].split(",")
    printed = np.array([float(row[header.index("score")]) for row in csv.reader(lines[1:])])
    expected = scores.max(axis=1)
    assert np.abs(printed - expected).max() <= 1e-9 * np.abs(expected).max(), "predict is another formula"


def check_onnx(tool, model_file, X, scores, precision, tolerance):
    path = tool.folder / "exported.onnx"
    tool.run("export", model_file, path, "--precision", precision)
    proto = onnx.load(path)
    onnx.checker.check_model(proto, full_check=True)
    assert proto.ir_version == 7 and proto.opset_import[0].version == 13
    casts = ["Cast"] if precision == "mixed" else []
    assert [node.op_type for node in proto.graph.node] == [*casts, "Gemm", "Relu", "Gemm", *casts]
    assert len(proto.graph.input) == 1, "initialisers are not inputs"
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    number = np.float64 if precision == "double" else np.float32

    def evaluate(points):
        return np.concatenate([session.run(None, {"input": point[None].astype(number)})[0] for point in points])

    outputs = evaluate(X)
    expected = scores
    if outputs.shape[1] == 2 and scores.shape[1] == 1:
        expected = np.hstack([-scores, scores])
    assert outputs.shape == expected.shape, (outputs.shape, expected.shape)
    worst = np.abs(outputs - expected).max() / np.abs(expected).max()
    assert worst <= tolerance, f"onnxruntime is off by {worst:.2g} in {precision}"
    return evaluate, worst


def check_header(tool, model_file, X, scores):
    tool.run("export", model_file, tool.folder / "exported.h")
    outputs = scores.shape[1]
    call = "scores[0] = exported_score(x);" if outputs == 1 else "exported_scores(x, scores);"
    (tool.folder / "main.c").write_text(
        f"""#include <stdio.h>
#include "exported.h"
int main(void) {{
  double x[{X.shape[1]}], scores[{outputs}];
  int a, k;
  while (1) {{
    for (a = 0; a < {X.shape[1]}; ++a) if (scanf("%lf", &x[a]) != 1) return 0;
    {call}
    for (k = 0; k < {outputs}; ++k) printf("%.17g ", scores[k]);
    printf("\\n");
  }}
}}
"""
    )
    subprocess.run(["cc", "-std=c99", "-Wall", "-Werror", "main.c", "-o", "main"], cwd=tool.folder, check=True)
    text = "\n".join(" ".join(repr(float(x)) for x in row) for row in X)
    printed = subprocess.run(["./main"], cwd=tool.folder, input=text, capture_output=True, text=True, check=True).stdout
    found = np.array([[float(word) for word in line.split()] for line in printed.splitlines()])
    worst = np.abs(found - scores).max() / np.abs(scores).max()
    assert worst <= C_TOLERANCE, f"the C header is off by {worst:.2g}"
    return worst


def parse_property(path, inputs, outputs):
    """Box and list of (A, b): a counterexample is in the box and has A y <= b for one of them."""
    if LANGUAGE == "2.0":
        from vnnlib.compat import transform

        cases = transform(vnnlib.parse_query_file(str(path)))
        box = np.array(cases[0].input_box)
        wrong = []
        for case in cases:
            assert np.array_equal(np.array(case.input_box), box)
            wrong += [(np.array(p.coeff_matrix), np.array(p.rhs).ravel()) for p in case.output_constraints]
        return box, wrong
    from vnnlib.compat import read_vnnlib_simple

    ((box, wrong),) = read_vnnlib_simple(str(path), inputs, outputs)
    return np.array(box), [(np.array(A), np.array(b).ravel()) for A, b in wrong]


def check_properties(tool, model_file, data, model, X, targets, evaluate):
    """Of points in and around the box, those satisfy the property that the question is about."""
    eps, max_error = 0.3, 0.5
    folder = tool.folder / "properties"
    words = ["export", model_file, folder, "--vnnlib", "--vnnlib-version", LANGUAGE, "--data", data, "--eps", eps]
    classes = model["classes"]
    tool.run(*words, *([] if classes else ["--max-error", max_error]))
    with open(folder / "instances.csv") as index:
        lines = [line.split(",") for line in index.read().split()]
    assert len(lines) == len(X) and all(line[0] == "model.onnx" for line in lines)
    scale = model["preprocessing"]["scale"]
    radius = eps * np.array(np.ones(X.shape[1]) if scale is None else scale)
    random = np.random.default_rng(2)
    outputs = len(classes) if classes else 1
    seen = 0
    for row in random.permutation(len(X))[:30]:
        box, wrong = parse_property(folder / lines[row][1], X.shape[1], outputs)
        expected_box = np.stack([X[row] - radius, X[row] + radius], axis=1)
        assert np.abs(box - expected_box).max() <= 1e-9 * np.abs(expected_box).max(), (box, expected_box)
        points = X[row] + radius * random.uniform(-1, 1, size=(40, X.shape[1]))
        for y in evaluate(points).astype(float):
            claimed = any((A @ y <= b).all() for A, b in wrong)
            if classes:
                label = classes.index(str(targets[row]))
                actual = bool(np.delete(y, label).max() >= y[label])
            else:
                actual = bool(abs(y[0] - float(targets[row])) >= max_error)
            assert claimed == actual, (row, y, wrong)
            seen += actual
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("files", nargs="*", help="MODEL DATA pairs, the target in the last column")
    parser.add_argument("--tolerance", type=float, default=1e-5,
                        help="of onnxruntime, relative to the largest score; float32 cannot hold features that vary by "
                        "little of their size any better")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="conelu-export-") as folder:
        tool = Tool(str(Path(options.tool).resolve()), Path(folder))
        given = [Path(name).resolve() for name in options.files]
        pairs = [(model.name, model, data) for model, data in zip(given[::2], given[1::2])]
        for name, model_file, data in pairs or random_problems(tool):
            model = json.loads(model_file.read_text())
            X, targets = read_data(data, model)
            scores = scores_of(model, X)
            check_predict(tool, model_file, data, scores)
            _, in_double = check_onnx(tool, model_file, X, scores, "double", DOUBLE_TOLERANCE)
            check_onnx(tool, model_file, X, scores, "mixed", options.tolerance)
            evaluate, in_float32 = check_onnx(tool, model_file, X, scores, "float32", options.tolerance)
            in_c = check_header(tool, model_file, X, scores)
            seen = check_properties(tool, model_file, data, model, X, targets, evaluate)
            print(f"{name}: {len(X)} rows; onnxruntime off by {in_float32:.2g} of the largest score in float32, "
                  f"{in_double:.2g} in double; C by {in_c:.2g}; {seen} counterexamples to VNN-LIB {LANGUAGE} properties")


if __name__ == "__main__":
    main()
