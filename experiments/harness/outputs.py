"""What networks of records say about points."""

import numpy as np

from experiments.harness.networks import from_lists

NEAR_ZERO = 1e-3


def near_zero(network, X, ones):
    """At how many points the output is next to nothing, so that its sign, right or wrong, says little."""
    outputs = from_lists(network, classes=[-1, 1], ones=ones).decision_function(np.array(X))
    return int((np.abs(outputs) < NEAR_ZERO).sum())
