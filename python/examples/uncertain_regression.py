"""A regression whose inputs are known up to an error.

A sensor is read at positions that are off by up to 0.12. Trained as usual the curve is as steep at the readings as
anywhere; trained against the error it is flat where readings are and makes its way between them. Then the same on the
diabetes data of scikit-learn: how far wrong a prediction can be, proven.

    python uncertain_regression.py [FOLDER]     writes uncertain_regression.png there
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from conelu import ConvexReLURegressor, datasets, plot

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
EPS = 0.12
random = np.random.default_rng(1)
X = np.sort(np.linspace(-2, 2, 14) + random.uniform(-0.01, 0.01, 14)).reshape(-1, 1)
y = np.abs(X[:, 0]) - 0.5 + 0.25 * random.standard_normal(14)

standard = ConvexReLURegressor(beta=1e-3).fit(X, y)
robust = ConvexReLURegressor(beta=1e-3, eps=EPS).fit(X, y)
figure, axes = plt.subplots(1, 2, figsize=(9.6, 3.6), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, {"standard": standard, "robust": robust}.items(), strict=True):
    worst = np.sqrt(np.mean(model.certify(X, EPS, y).upper ** 2))
    print(f"{name}: error {np.sqrt(np.mean((model.predict(X) - y) ** 2)):.3f}, at worst {worst:.3f} (proven)")
    plot.intervals(model, X, y, eps=EPS, ax=ax)
    ax.set(title=f"{name}: error at most {worst:.2f} (r.m.s.)", xlabel="position", ylabel="reading")
axes[1].set_ylabel("")
figure.savefig(folder / "uncertain_regression.png", dpi=150)
plt.close("all")

data = datasets.load("diabetes")
X, y = data.X[:300], data.y[:300]
settings = {"standardize": True, "scale_target": True, "pattern_count": 10, "beta": 1.0}
radii = [0.3 if name in ("bmi", "bp") else 0.0 for name in data.feature_names]
for name, eps in {"standard": 0.0, "robust": radii}.items():
    model = ConvexReLURegressor(eps=eps, **settings).fit(X, y)
    proven = model.robust_score(X, y, radii)
    print(f"diabetes, {name}: R^2 {model.score(X, y):.3f}, with bmi and bp off by 0.3 deviations at least {proven:.3f}")
