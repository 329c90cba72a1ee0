#!/usr/bin/env python3
"""Where exported networks lose their digits: the table of docs/formats.md.

    scripts/export_precision.py build/conelu ../shared/data

For two regressions and three penalties, the largest difference to `conelu predict`, relative to the largest score:

    onnxruntime  of the exported file
    mixed        of the file that --precision mixed writes, which is what export chooses where float32 is above 1e-5
    double       of the file that --precision double writes
    input        if nothing but the input were float32, as ONNX has it
    weights      if the exported weights were computed with in double
    scaled       if the scaling were Sub and Div nodes of their own and all of it float32
    size         sum of |output_j (z_j)_+| over the neurons, relative to the largest score: what the output is a
                 difference of

Needs numpy and onnxruntime.
"""

import argparse
import csv
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime

FILES = {"wine": "winequality_red/winequality-red.csv", "concrete": "concrete/Concrete_Data.csv"}
SINGLE = np.float32


def read_table(path):
    lines = path.read_text().splitlines()
    rows = list(csv.reader(lines[1:], delimiter=";" if ";" in lines[0] else ","))
    return np.array([[float(cell) for cell in row[:-1]] for row in rows if row])


def single(values):
    return np.asarray(values, dtype=SINGLE).astype(float)


def output(Z, hidden, hidden_bias, weights, bias):
    return np.maximum(Z @ hidden.T + hidden_bias, 0) @ weights + bias


def measure(tool, data, beta, folder):
    model_file, onnx_file = folder / "model.json", folder / "model.onnx"
    words = ["--task", "regression", "--standardize", "--scale-target", "--beta", beta, "--quiet"]
    subprocess.run([tool, "train", data, *words, "--model", model_file], check=True, stderr=subprocess.DEVNULL)
    model = json.loads(model_file.read_text())
    center, scale = (np.array(model["preprocessing"][name]) for name in ("center", "scale"))
    layers = [np.array(model[name]) for name in ("hidden", "hidden_bias", "output", "output_bias")]
    hidden, hidden_bias, weights, bias = layers
    X = read_table(data)
    scores = output((X - center) / scale, *layers)
    exported = {}
    for precision, number in (("float32", SINGLE), ("mixed", SINGLE), ("double", float)):
        words = [tool, "export", model_file, onnx_file, "--precision", precision]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        session = onnxruntime.InferenceSession(str(onnx_file), providers=["CPUExecutionProvider"])
        outputs = [session.run(None, {"input": row[None].astype(number)})[0][0] for row in X]
        exported[precision] = np.concatenate(outputs)
    folded = single(hidden / scale)
    folded_bias = single(hidden_bias - folded @ center)
    scaled = (X.astype(SINGLE) - center.astype(SINGLE)) / scale.astype(SINGLE)
    largest = np.abs(scores).max()
    found = {
        "onnxruntime": exported["float32"],
        "mixed": exported["mixed"],
        "double": exported["double"],
        "input": output((single(X) - center) / scale, *layers),
        "weights": output(X, folded, folded_bias, single(weights), single(bias)),
        "scaled": output(scaled, *(layer.astype(SINGLE) for layer in layers)),
    }
    errors = {name: np.abs(values - scores).max() / largest for name, values in found.items()}
    activations = np.maximum((X - center) / scale @ hidden.T + hidden_bias, 0)
    return errors, (activations @ np.abs(weights)).max() / largest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("shared", type=Path)
    options = parser.parse_args()
    print("| data | `--beta` | onnxruntime | `mixed` | `double` | input | weights | scaled | size |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="conelu-export-") as folder:
        for name, file in FILES.items():
            for beta in ("1e-4", "1e-2", "1"):
                errors, size = measure(options.tool, options.shared / file, beta, Path(folder))
                print(f"| {name} | {beta} | " + " | ".join(f"{error:.1e}" for error in errors.values()) + f" | {size:.2g} |")


if __name__ == "__main__":
    main()
