"""A classifier of tumours whose answers come with a proof.

Trains on the breast cancer data of scikit-learn, once as usual and once against measurements that are off by a tenth of a
standard deviation, and asks of both how many diagnoses nobody could have changed within that error.

    python certified_tabular.py [FOLDER]     writes certified_tabular.png and certified_convergence.png there
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split

from conelu import ConvexReLUClassifier, datasets, plot

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
data = datasets.load("breast_cancer")
X_train, X_test, y_train, y_test = train_test_split(data.X, data.y, test_size=0.4, stratify=data.y, random_state=0)

settings = {"standardize": True, "beta": 1e-3, "pattern_count": 20, "random_state": 0}
standard = ConvexReLUClassifier(**settings).fit(X_train, y_train)
robust = ConvexReLUClassifier(eps=0.1, **settings).fit(X_train, y_train)

for name, model in {"standard": standard, "robust": robust}.items():
    proof = model.certificate_
    print(f"{name}: objective {proof.objective:.6f}, proven to be within {proof.gap:.1e} of the best of its program")
    print(f"  right on new data          {model.score(X_test, y_test):.3f}")
    print(f"  proven right within 0.1    {model.robust_score(X_test, y_test, 0.1):.3f}")

# A single diagnosis: how far may the measurements be off before it changes?
radii = robust.certified_radius(X_test[:5])
print("the first diagnoses hold up to errors of", np.array2string(radii, precision=2), "standard deviations")

ax = plot.robustness({"standard": standard, "robust": robust}, X_test, y_test, np.linspace(0, 0.5, 11))
ax.set_title("Tumours told apart, against errors of measurement", fontsize=10)
ax.set_xlabel("error of every measurement, in standard deviations")
ax.figure.savefig(folder / "certified_tabular.png", dpi=150)

upper, _ = plot.convergence(robust)
upper.set_title("Training: what was reached, and what was proven", fontsize=10)
upper.figure.savefig(folder / "certified_convergence.png", dpi=150)
plt.close("all")
