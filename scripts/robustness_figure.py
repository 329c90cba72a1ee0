#!/usr/bin/env python3
"""Draws the picture of the README: accuracy against the radius of the attack, as `conelu evaluate --json` has it.

    scripts/robustness_figure.py build/conelu mammographic_masses.data docs/figures/robustness.svg

Every fourth row is tested on, as in the README. Two networks are trained without an attacker, with a smaller and a larger
penalty, and attacked with every radius; for the third curve there is a network trained for each radius, with the smaller
penalty, and attacked with that. Upper edges are what 40 steps of PGD leave right, lower edges what is proven: the
accuracy under the worst attack that exists lies between them. Needs matplotlib, and a minute or two.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

USUAL, LARGE = "0.01max", "0.1max"  # written out: the defaults of the tool may change
RADII = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]
# Okabe and Ito's colours differ for every kind of colour vision, and the lines differ in their marks.
STANDARD, LARGER, ROBUST = "#D55E00", "#CC79A7", "#0072B2"


class Tool:
    def __init__(self, path, data, folder):
        self.path, self.folder = str(Path(path).resolve()), Path(folder)
        lines = Path(data).read_text().splitlines(keepends=True)
        for name, wanted in ("train.csv", lambda k: k % 4 != 0), ("test.csv", lambda k: k % 4 == 0):
            (self.folder / name).write_text("".join(line for k, line in enumerate(lines, 1) if wanted(k)))

    def run(self, *words):
        words = [self.path, *map(str, words)]
        return subprocess.run(words, cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def train(self, eps, beta=USUAL):
        self.run("train", "train.csv", "--na", "?", "--na-policy", "drop", "--standardize", "--beta", beta,
                 "--eps", eps, "--quiet", "--model", "model.json")

    def accuracies(self, eps):
        text = self.run("evaluate", "model.json", "test.csv", "--na-policy", "drop", "--eps", eps, "--no-radius",
                        "--no-objective", "--json")
        found = json.loads(text)
        return found["pgd"], found["verified_lower"]


def curves(tool):
    tool.train(0)
    standard = [tool.accuracies(eps) for eps in RADII]
    tool.train(0, beta=LARGE)
    larger = [tool.accuracies(eps) for eps in RADII]
    robust = []
    for eps in RADII:
        tool.train(eps)
        robust.append(tool.accuracies(eps))
    return standard, larger, robust


def draw(axes, values, colour, mark, text, at, above):
    pgd, proven = ([100 * value[i] for value in values] for i in (0, 1))
    axes.fill_between(RADII, proven, pgd, color=colour, alpha=0.3, linewidth=0)
    axes.plot(RADII, pgd, color=colour, marker=mark, markerfacecolor="white", markersize=4, linewidth=1, linestyle="--")
    axes.plot(RADII, proven, color=colour, marker=mark, markersize=4, linewidth=1.6)
    axes.annotate(text, (RADII[at], pgd[at]), xytext=(8, above), textcoords="offset points", color=colour, fontsize=9)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("data")
    parser.add_argument("output")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="conelu-figure-") as folder:
        standard, larger, robust = curves(Tool(options.tool, options.data, folder))
    plt.rcParams.update({"svg.hashsalt": "conelu", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9})
    figure, axes = plt.subplots(figsize=(6.4, 3.2), layout="constrained")
    draw(axes, robust, ROBUST, "o", f"--eps of that radius, --beta {USUAL}", 4, 10)
    draw(axes, larger, LARGER, "^", f"no attacker, --beta {LARGE}", 5, -36)
    draw(axes, standard, STANDARD, "s", f"no attacker, --beta {USUAL}", 5, 6)
    axes.plot([], [], color="0.3", linestyle="--", marker="o", markerfacecolor="white", markersize=4, label="under PGD")
    axes.plot([], [], color="0.3", linewidth=1.6, marker="o", markersize=4, label="proven")
    axes.set_xlabel("radius of the attack, in standard deviations of a feature (inf norm)")
    axes.set_ylabel("test rows classified right, %")
    axes.set_ylim(0, 100)
    axes.set_xlim(0, 1.02 * RADII[-1])
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="0.9")
    axes.set_axisbelow(True)
    axes.legend(loc="lower left", frameon=False)
    figure.patch.set_facecolor("white")  # readable on dark pages, too
    figure.savefig(options.output, metadata={"Date": None})
    for eps, *values in zip(RADII, standard, larger, robust):
        print(f"eps {eps:<5}", *(f"{pgd:.3f} {proven:.3f}  " for pgd, proven in values))


if __name__ == "__main__":
    main()
