"""The paper's figure in the plane: trained as usual, and against an attacker who may move every point.

    python plane.py [FILE]     writes the figure, plane.png by default, and says where it is
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt

from conelu import ConvexReLUClassifier, datasets, plot

path = Path(sys.argv[1] if len(sys.argv) > 1 else "plane.png")
EPS = 0.2
points = datasets.plane(34, 3)  # those of `conelu demo --seed 3`
figure, axes = plt.subplots(1, 2, figsize=(9.6, 4.9), sharey=True, layout="constrained")
for ax, (name, eps) in zip(axes, {"standard": 0.0, "robust": EPS}.items(), strict=True):
    model = ConvexReLUClassifier(beta=1e-4, eps=eps).fit(points.X, points.y)
    plot.boundary(model, points.X, points.y, eps=EPS, legend=False, ax=ax)
    safe = model.robust_score(points.X, points.y, EPS)
    ax.set_title(f"{name}: {model.score(points.X, points.y):.0%} right, {safe:.0%} within every box", fontsize=10)
axes[1].set_ylabel("")
handles = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=4, frameon=False, fontsize=9)
figure.savefig(path, dpi=150)
print(f"The same points, trained as usual and against an attacker who moves them by {EPS:g}: {path}")
