"""How good can a network be at all? Three ways to train one, and a bound for every network of any width.

Three measurements of the diabetes data of scikit-learn. Activation patterns drawn at random, gradient descent, and
patterns that are added in rounds by their prices: what a further neuron would be worth. With so few features a search
through all directions proves how far any network can be below the last one.

    python every_network.py [FOLDER]     writes every_network.png there
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt

from conelu import ConvexReLURegressor, beta_max, datasets, plot, train_baseline

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
data = datasets.load("diabetes")
X = data.X[:, [data.feature_names.index(name) for name in ("bmi", "bp", "s5")]]
scaling = {"standardize": True, "scale_target": True}
beta = 0.005 * beta_max(X, data.y, loss="squared", **scaling)

drawn = ConvexReLURegressor(patterns="gaussian", pattern_count=40, beta=beta, **scaling).fit(X, data.y)
descended = train_baseline(X, data.y, "gd-std", loss="squared", beta=beta, neurons=40, epochs=1000, **scaling)
priced = ConvexReLURegressor(beta=beta, global_bound=5, **scaling).fit(X, data.y)

print(f"40 patterns drawn:  objective {drawn.objective_:.3f}")
print(f"gradient descent:   objective {descended.record['network_objective']:.3f}")
print(f"priced patterns:    objective {priced.objective_:.3f} with {priced.network_.n_neurons} neurons")
print(f"no network of any width is below {priced.lower_bound_:.3f}")

upper, _ = plot.rounds(priced)
upper.set_title("Rounds of pricing, and a bound for every network", fontsize=10)
upper.figure.savefig(folder / "every_network.png", dpi=150)
plt.close("all")
