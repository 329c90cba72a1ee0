"""The weight of the penalty in the forms in which people give it."""

from numbers import Real

import numpy as np


def to_penalty(beta):
    """The library's settings for a `beta`: a number, a share of beta_max, or nothing, which leaves it to the library.

    Parameters
    ----------
    beta : float, str such as '0.01max' or 'max', or None

    Returns
    -------
    dict
    """
    if beta is None:
        return {}
    name, number = "beta", beta
    if isinstance(beta, str) and beta.endswith("max"):
        name, number = "beta_share", _to_number(beta.removesuffix("max") or "1")
    if not isinstance(number, Real) or isinstance(number, bool) or not (np.isfinite(number) and number > 0):
        raise ValueError(
            f"beta: is {beta!r}, expected a number above 0, a share of beta_max such as '0.01max', or None"
        )
    return {name: float(number)}


def _to_number(text):
    try:
        return float(text)
    except ValueError:
        return None
