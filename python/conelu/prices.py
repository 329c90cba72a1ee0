"""Prices of directions: what a further neuron would be worth, and how much it can be worth at most."""

from dataclasses import dataclass

import numpy as np

from conelu import _core
from conelu.samples import to_names, to_samples
from conelu.threads import to_threads


def beta_max(
    X, y, sample_weight=None, *, loss="hinge", huber_delta=1.0, bias=True, standardize=False, min_max=False,
    scale_target=False, random_state=0, n_jobs=None,
):  # fmt: skip
    """The smallest `beta` at which the network without any neuron is optimal: a natural unit for `beta`.

    It is the largest price at the zero network (see `find_prices`), as far as a search finds it. Useful values of `beta`
    lie between a thousandth and a third of it, for any loss and any units of the data. ``beta='0.01max'`` of the
    estimators is a hundredth of it. There is no attacker in it.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        Labels; numbers if `loss` is one for numbers. Of several classes it is the largest of each against the rest.
    sample_weight : array-like of shape (n_samples,), optional
    loss, huber_delta, bias, standardize, min_max, scale_target
        As in `ConvexReLUClassifier` and `ConvexReLURegressor`.
    random_state : int, default=0
        Seed of the directions to search from.
    n_jobs : int, default=None
        Threads. The result does not depend on them.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> from conelu import ConvexReLUClassifier, beta_max
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> largest = beta_max(X, [0, 1, 1, 0])
    >>> ConvexReLUClassifier(beta=1.01 * largest).fit(X, [0, 1, 1, 0]).network_.n_neurons
    0
    >>> ConvexReLUClassifier(beta="0.99max").fit(X, [0, 1, 1, 0]).network_.n_neurons > 0
    True
    """
    X, targets, features, classes = to_samples(X, y, loss)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    settings = {
        "loss": loss, "huber_delta": huber_delta, "bias": bias, "standardize": standardize, "min_max": min_max,
        "scale_target": scale_target, "seed": random_state, "threads": to_threads(n_jobs),
    }  # fmt: skip
    return _core.beta_max(X, targets, weights, features, to_names(classes), settings)


def find_prices(X, nu, *, first=None, starts=2000, steps=120, random_state=0):
    """Directions whose neurons would lower the optimum most.

    The price of a direction ``u`` with ``|u| = 1`` is ``nu @ np.maximum(X @ u, 0)``. Let `nu` be the derivative of the
    weighted loss by the output of a network at each sample. A little of a neuron in direction ``u`` then changes the
    loss at this rate, and the penalty at the rate `beta`. So a price beyond `beta` in absolute value means that the
    neuron pays, and if no direction has one, no further neuron can help.

    Prices are not concave in ``u``. The search climbs on the sphere from many starts at once and finds local maxima; the
    largest that it returns is a lower bound on the largest there is. `bound_prices` gives an upper bound.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        As the neurons see it: with a column of ones if they have a bias.
    nu : array-like of shape (n_samples,)
    first : array-like of shape (n_directions, n_features), optional
        Directions to climb from, besides random ones.
    starts : int, default=2000
        Random directions to climb from.
    steps : int, default=120
        Of each ascent, at most.
    random_state : int, default=0
        Seed of the random directions.

    Returns
    -------
    directions : ndarray of shape (n_found, n_features)
        Of unit length, each with an activation pattern of its own.
    prices : ndarray of shape (n_found,)
        In falling order of absolute values. A neuron with a positive price wants a negative output weight.

    Examples
    --------
    Three samples of one feature; the column of ones is the bias. The neuron is active at the last two samples.

    >>> import numpy as np
    >>> from conelu import find_prices
    >>> X = np.array([[-1.0, 1.0], [0.5, 1.0], [2.0, 1.0]])
    >>> directions, prices = find_prices(X, [1, 2, 3])
    >>> prices.round(4).tolist()
    [8.6023]
    >>> directions[0].round(4).tolist()
    [0.8137, 0.5812]
    """
    X, nu = _checked(X, nu)
    first = None if first is None else np.atleast_2d(np.asarray(first, dtype=np.float64)).T
    settings = {"starts": starts, "steps": steps, "seed": random_state}
    found = _core.find_prices(X, nu, first, settings)
    return found.directions.T, found.prices


@dataclass(frozen=True)
class PriceBound:
    """What `bound_prices` proved.

    Attributes
    ----------
    upper : float
        Proven, rounding included: no unit direction has a price of larger absolute value.
    lower : float
        The largest absolute value that was met.
    directions : ndarray of shape (n_met, n_features)
        Some hundreds at most of the directions met with a price above `worth`, and the one with the largest price.
    prices : ndarray of shape (n_met,)
        In falling order of absolute values.
    stop : str
        ``converged``, ``iteration_limit`` (of nodes), ``time_limit``, ``cancelled``, or ``numerical_trouble`` (rounding,
        or too many dimensions). The bound is valid in any case.
    rank : int
        Dimension that was searched: that of the row space of the samples with ``nu != 0``.
    nodes : int
        Cones of directions looked at.
    seconds : float
    """

    upper: float
    lower: float
    directions: np.ndarray
    prices: np.ndarray
    stop: str
    rank: int
    nodes: int
    seconds: float


def bound_prices(X, nu, worth=np.inf, *, target=0.0, tolerance=1e-3, time_limit=None, node_limit=None, n_jobs=None):
    """A proven upper bound on the largest price of any direction, by branch and bound.

    If no direction has a price above ``R``, `nu` times ``beta / R`` is a point of the dual of training with any number of
    neurons. Its value is then a lower bound on the objective of every network of any width.

    The search cuts the space of directions into cones. On a cone the price is at most a linear function, whose maximum
    over directions of unit length is known. A cone whose maximum is above the largest price met is cut in two. The work
    grows fast with the rank of the samples: some six features take seconds, ten are out of reach.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        As the neurons see it: with a column of ones if they have a bias.
    nu : array-like of shape (n_samples,)
        As in `find_prices`.
    worth : float, default=inf
        Directions with prices above it are collected.
    target : float, default=0
        Stop once the largest price is proven to be at most this.
    tolerance : float, default=1e-3
        Stop as well once ``upper <= (1 + tolerance) * lower``.
    time_limit : float, default=None
        Seconds. None: as long as it takes.
    node_limit : int, default=None
        Cones to look at, at most. None: as many as it takes.
    n_jobs : int, default=None
        Threads. Without a time limit the results do not depend on them.

    Returns
    -------
    PriceBound

    Examples
    --------
    >>> import numpy as np
    >>> from conelu import bound_prices
    >>> X = np.array([[-1.0, 1.0], [0.5, 1.0], [2.0, 1.0]])
    >>> proof = bound_prices(X, [1, 2, 3])
    >>> bool(np.hypot(7, 5) <= proof.upper <= 1.001 * proof.lower)
    True
    """
    settings = {
        "target": target, "tolerance": tolerance, "time_limit": time_limit, "node_limit": node_limit,
        "threads": to_threads(n_jobs),
    }  # fmt: skip
    bound = _core.bound_prices(*_checked(X, nu), worth, settings)
    met = bound.met
    return PriceBound(
        bound.upper, bound.lower, met.directions.T, met.prices, bound.stop, bound.rank, bound.nodes, bound.seconds
    )


def _checked(X, nu):
    X, nu = np.asarray(X, dtype=np.float64), np.asarray(nu, dtype=np.float64)
    if X.ndim != 2 or nu.shape != (len(X),):
        raise ValueError(f"X, nu: have shapes {X.shape} and {nu.shape}, expected a number for each row of X")
    return X, nu
