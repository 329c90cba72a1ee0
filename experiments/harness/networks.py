"""Trainings by the names that tables give them, and what is measured of their networks."""

import time

import numpy as np

from conelu import ConvexReLUClassifier, Network, train_baseline

ATTACKS = ("clean", "fgsm", "pgd", "strong")
# Seconds for the proof of a row. Branches are what limits it, so that it ends alike on every machine; this is for one
# that would not end.
TIME_LIMIT = 600
DESCENTS = {"gd-std": "GD-std", "gd-fgsm": "GD-FGSM", "gd-pgd": "GD-PGD"}


def train(method, X, y, *, beta, eps, seed, **more):
    """The network and facts about its training.

    A method is an entry of a configuration: ``convex`` has parameters of the estimator, ``descent`` those of
    `train_baseline`, and ``attacker`` is false where the radius is for the test only.
    """
    eps = eps if method.get("attacker", True) else 0.0
    start = time.process_time()
    if "descent" in method:
        options = {"beta": beta, "eps": eps, "random_state": seed, "n_jobs": 1, **method["descent"], **more}
        trained = train_baseline(X, y, **options)
        network, record = trained.network, trained.record
        facts = {"objective": record["attacked_objective"], "certified_objective": record["network_objective"]}
    else:
        options = {"beta": beta, "eps": eps, "random_state": seed, "n_jobs": 1, **method["convex"], **more}
        trained = ConvexReLUClassifier(**options).fit(X, y)
        network, record = trained.network_, trained.record_
        facts = {"objective": record["objective"], "certified_objective": record["network_objective"]}
        facts |= {name: record[name] for name in ("relative_gap", "patterns", "live_patterns", "rounds", "stop")}
    facts |= {"seconds": time.process_time() - start, "neurons": record["neurons"]}
    return network, facts


def plain_descents(stops, neurons):
    """Gradient descent as it was before it was tuned: plain steps of one rate, stopped early.

    `stops` has pairs of a rate and a number of epochs for each kind of gradient descent.
    """
    return [
        {
            "name": f"{DESCENTS[kind]}, {rate:g}, {epochs} epochs",
            "descent": {
                "method": kind, "neurons": neurons, "bias": False, "optimizer": "sgd", "schedule": "constant",
                "learning_rate": rate, "epochs": epochs,
            },
        }
        for kind, pairs in stops.items()
        for rate, epochs in pairs
    ]  # fmt: skip


def measured(network, X, y, eps, branches):
    """Accuracies: clean, under three attacks, and proven, by search and by the closed form alone.

    Rows that take more branches than these count as broken.
    """
    found = evaluated(network, X, y, eps, branches)
    proven = {"certified": found["verified_lower"], "bound": found["certified_bound"]}
    return {name: found[name] for name in ATTACKS} | proven


def attacked(network, X, y, eps):
    """The paper's three accuracies, without proofs."""
    found = evaluated(network, X, y, eps, branches=0, restarts=1)
    return {name: found[name] for name in ("clean", "fgsm", "pgd")}


def evaluated(network, X, y, eps, branches, **options):
    """What is found of the rows, and what so many branches a row prove."""
    return network.evaluate(X, y, eps, radius=False, objective=False, **proof_options(branches), **options)


def proof_options(branches):
    return {"branch_limit": branches, "time_limit": TIME_LIMIT, "n_jobs": 1}


def exact_objective(network, X, y, eps, beta, branches):
    """The training objective under the worst perturbations that exist: between what was found and what is proven.

    Hinge loss, and the penalty of the network with both layers of every neuron in balance.
    """
    found = network.certify(X, eps, y, exact=True, **proof_options(branches))
    losses = [float(np.maximum(0, 1 - margin).mean()) for margin in (found.upper, found.lower)]
    return [loss + penalty(network, beta) for loss in losses]


def penalty(network, beta):
    """That of the network with both layers of every neuron in balance."""
    hidden = np.vstack([network.coefs[0], network.intercepts[0]])
    return beta * float(np.sum(np.linalg.norm(hidden, axis=0) * np.abs(network.coefs[1][:, 0])))


def to_lists(network):
    """Weights for a record."""
    return [[part.tolist() for part in layer] for layer in (network.coefs, network.intercepts)]


def from_lists(lists, classes=None, ones=False):
    """The network of a record; with `ones` its last feature, a column of ones, becomes the bias that it is."""
    (hidden, output), (bias, offset) = [[np.array(part) for part in layer] for layer in lists]
    if ones:
        hidden, bias = hidden[:-1], bias + hidden[-1]
    if not hidden.shape[1]:
        # The zero network has no neurons, and a picture needs one.
        hidden, output, bias = np.zeros((len(hidden), 1)), np.zeros((1, 1)), np.zeros(1)
    return Network.from_arrays([hidden, output], [bias, offset], classes=classes)
