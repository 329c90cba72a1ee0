"""Gradient descent on the same networks, to compare with."""

import json
from dataclasses import dataclass

from conelu import _core
from conelu.network import Network
from conelu.penalty import to_penalty
from conelu.radii import to_radii
from conelu.samples import to_names, to_samples
from conelu.threads import to_threads


@dataclass(frozen=True)
class Baseline:
    """A network that was trained by gradient descent. Nothing about it is proven but what `record` calls certified.

    Attributes
    ----------
    network : Network
    record : dict
        As the tool's ``baseline --record`` writes it. ``attacked_objective`` is what 40 steps of PGD found on the
        training data, ``network_objective`` a certified bound on the worst case, which may be far above it.
    """

    network: Network
    record: dict


def train_baseline(
    X, y, method="gd-pgd", *, loss="hinge", beta=None, eps=0.0, norm="inf", bias=True, standardize=False,
    scale_target=False, neurons=240, optimizer="adam", schedule="cosine", learning_rate=None, batch=None, epochs=None,
    attack_steps=5, restarts=1, time_limit=None, random_state=0, n_jobs=None,
):  # fmt: skip
    """Train a network of one hidden ReLU layer by gradient descent: the same objective as convex training, no proof.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels; numbers if `loss` is one for numbers.
    method : {'gd-std', 'gd-fgsm', 'gd-pgd'}, default='gd-pgd'
        On the samples as they are, or attacked anew for every mini-batch, by one step or by projected gradient steps.
    loss, beta, eps, norm, bias, standardize, scale_target
        As in `ConvexReLUClassifier` and `ConvexReLURegressor`.
    neurons : int, default=240
    optimizer : {'adam', 'sgd'}, default='adam'
    schedule : {'cosine', 'linear', 'step', 'constant'}, default='cosine'
        How the learning rate falls.
    learning_rate : float, default=None
        None: one that suits.
    batch : int, default=None
        Rows a step. None: a tenth of them, but 32 to 256.
    epochs : int, default=None
        None: as many as 30,000 steps take.
    attack_steps : int, default=5
        Of 'gd-pgd' while training.
    restarts : int, default=1
        Runs from different weights, of which the best network is taken.
    time_limit : float, default=None
        Seconds, after which the best network so far is taken.
    random_state : int, default=0
    n_jobs : int, default=None
        Threads. The result does not depend on them.

    Returns
    -------
    Baseline
    """
    X, targets, features, classes = to_samples(X, y, loss)
    settings = {
        "method": method, "loss": loss, "eps": to_radii(eps, features), "norm": str(norm), "bias": bias,
        "standardize": standardize, "scale_target": scale_target, "neurons": neurons, "optimizer": optimizer,
        "schedule": schedule, "learning_rate": learning_rate, "batch": batch, "epochs": epochs,
        "attack_steps": attack_steps, "restarts": restarts, "time_limit": time_limit, "seed": random_state,
        "threads": to_threads(n_jobs), **to_penalty(beta),
    }  # fmt: skip
    model, record = _core.train_baseline(X, targets, None, features, to_names(classes), settings)
    return Baseline(Network(model, classes), json.loads(record))
