"""Threes and eights that cannot be confused by changing every pixel a little.

Trains on the handwritten digits of scikit-learn, once as usual and once against an attacker who may change every pixel by
a tenth of its range, plays the attacker, and looks at what the neurons of the second have learnt.

    python robust_images.py [FOLDER]     writes robust_images.png and robust_neurons.png there
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from conelu import ConvexReLUClassifier, datasets, plot

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
EPS = 0.1
digits = datasets.load("digits").select(3, 8)
X, y = digits.X / 16, digits.y
X_train, y_train, X_test, y_test = X[:200], y[:200], X[200:], y[200:]

standard = ConvexReLUClassifier(beta=1e-4, pattern_count=10).fit(X_train, y_train)
robust = ConvexReLUClassifier(beta=1e-3, pattern_count=20, eps=EPS, method="cones").fit(X_train, y_train)

figure, axes = plt.subplots(2, 6, figsize=(8.2, 3.2), layout="constrained")
shown = np.flatnonzero(y_test == 3)[:6]
for row, (name, model) in zip(axes, {"standard": standard, "robust": robust}.items(), strict=True):
    proven = model.robust_score(X_test, y_test, EPS, clip=(0, 1), time_limit=2)
    attacked = model.attack(X_test, y_test, EPS, clip=(0, 1))
    left = np.mean(model.predict(attacked) == y_test)
    print(f"{name}: right {model.score(X_test, y_test):.3f}, under attack {left:.3f}, proven {proven:.3f}")
    for ax, k in zip(row, shown, strict=True):
        answer = model.predict(attacked[k : k + 1])[0]
        ax.imshow(attacked[k].reshape(digits.image_shape), cmap="gray_r", vmin=0, vmax=1)
        ax.set_title(f"says {answer}", fontsize=9, color="#D55E00" if answer != y_test[k] else "#333333")
        ax.set(xticks=[], yticks=[])
    row[0].set_ylabel(name, fontsize=10)
figure.suptitle(f"Threes, every pixel changed by up to {EPS:g} of its range by an attacker", fontsize=10)
figure.savefig(folder / "robust_images.png", dpi=150)

axes = plot.neurons(robust, digits.image_shape)
axes[0, 0].figure.savefig(folder / "robust_neurons.png", dpi=150)
plt.close("all")
