"""What is compared. Each trains for a radius and is scored: clean, attacked, certified.

Scores are shares of the rows that are right, or mean squared errors in units of the target's variance. Settings are
chosen by what is certified on the validation rows; boosting, which has one candidate, is taken as it comes.
"""

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.svm import LinearSVC, LinearSVR

from conelu import ConvexReLUClassifier, ConvexReLURegressor, Network, train_baseline
from experiments.beyond import trees
from experiments.harness.networks import evaluated


def network_scores(network, X, y, eps, branches):
    found = evaluated(network, X, y, eps, branches)
    if network.classes is not None:
        return [found["clean"], found["strong"], found["verified_lower"]]
    return [found["mse_clean"], found["mse_strong"], found["mse_verified_upper"]]


def linear_scores(model, X, y, eps, regression):
    """In closed form: an attacker moves every feature against its weight."""
    outputs, reach = (X @ model.coef_.ravel() + model.intercept_).ravel(), eps * np.abs(model.coef_).sum()
    if regression:
        worst = np.mean((np.abs(outputs - y) + reach) ** 2)
        return [np.mean((outputs - y) ** 2), worst, worst]
    margins = np.where(y == 1, 1, -1) * outputs
    return [np.mean(margins > 0), np.mean(margins > reach), np.mean(margins > reach)]


def tree_scores(model, X, y, eps, regression):
    lowest, highest = trees.output_range(model, X, eps)
    outputs = trees.raw_output(model, X)
    if regression:
        found = [trees.worst_found(model, X, eps, sign) for sign in (1, -1)]
        attacked = np.maximum(np.abs(found[0] - y), np.abs(-found[1] - y))
        proven = np.maximum(np.abs(lowest - y), np.abs(highest - y))
        return [np.mean((outputs - y) ** 2), np.mean(attacked**2), np.mean(proven**2)]
    signs = np.where(y == 1, 1, -1)
    attacked = trees.worst_found(model, X, eps, signs)
    return [np.mean(signs * outputs > 0), np.mean(attacked > 0), np.mean(np.where(y == 1, lowest > 0, highest < 0))]


def best(candidates, score, regression):
    """The candidate with the best certified score on the validation rows."""
    scores = [score(candidate)[2] for candidate in candidates]
    return candidates[int(np.argmin(scores) if regression else np.argmax(scores))]


def ours(settings, X, y, eps, regression, seed):
    return convex(settings, settings["convex"], X, y, eps, regression, seed)


def reduced(settings, X, y, eps, regression, seed):
    return convex(settings, settings["reduced"], X, y, eps, regression, seed)


def convex(settings, options, X, y, eps, regression, seed):
    kind = ConvexReLURegressor if regression else ConvexReLUClassifier
    options = {"eps": eps, "random_state": seed, "n_jobs": 1, **options}
    return [kind(beta=beta, **options).fit(X, y).network_ for beta in betas(settings, regression)]


def descent(settings, X, y, eps, regression, seed):
    options = {"eps": eps, "random_state": seed, "n_jobs": 1, "loss": "squared" if regression else "hinge"}
    return [
        train_baseline(X, y, beta=beta, **options, **settings["descent"]).network
        for beta in betas(settings, regression)
    ]


def mlp(settings, X, y, eps, regression, seed):
    kind = MLPRegressor if regression else MLPClassifier
    made = [kind(alpha=alpha, random_state=seed, **settings["mlp"]).fit(X, y) for alpha in settings["alphas"]]
    return [Network.from_sklearn(model) for model in made]


def boosting(settings, X, y, eps, regression, seed):
    return [(GradientBoostingRegressor if regression else GradientBoostingClassifier)(random_state=seed).fit(X, y)]


def linear_svm(settings, X, y, eps, regression, seed):
    kind = LinearSVR if regression else LinearSVC
    return [kind(C=cost, random_state=seed, max_iter=20000).fit(X, y) for cost in settings["svm_costs"]]


def betas(settings, regression):
    return settings["betas"]["regression" if regression else "classification"]


CONTENDERS = {
    "ours": (ours, network_scores),
    "reduced": (reduced, network_scores),
    "GD-PGD": (descent, network_scores),
    "MLP": (mlp, network_scores),
    "boosting": (boosting, tree_scores),
    "linear SVM": (linear_svm, linear_scores),
}
