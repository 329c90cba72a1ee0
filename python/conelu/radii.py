"""Radii of an attack in the forms in which people give them."""

from collections.abc import Mapping
from numbers import Real

import numpy as np


def to_radii(eps, feature_names):
    """One radius for all features, or one for each.

    Parameters
    ----------
    eps : float, array-like of shape (n_features,), or dict of str to float
        Features that a dict does not name are out of reach.
    feature_names : sequence of str
        Names of the features, in their order.

    Returns
    -------
    list of float
        Of length 1 or ``len(feature_names)``.
    """
    if isinstance(eps, Mapping):
        return _by_name(eps, list(feature_names))
    if isinstance(eps, Real) and not isinstance(eps, bool):
        radii = [float(eps)]
    else:
        try:
            radii = np.asarray(eps, dtype=float)
        except (TypeError, ValueError):
            radii = None
        if radii is None or radii.ndim != 1:
            raise TypeError(
                f"eps: expected a number, one for each feature, or a dict of feature name to number, got {eps!r}"
            )
        if len(radii) != len(feature_names):
            raise ValueError(f"eps: has {len(radii)} radii, expected {len(feature_names)}, one for each feature")
        radii = radii.tolist()
    _check(radii)
    return radii


def _by_name(eps, feature_names):
    unknown = [name for name in eps if name not in feature_names]
    if unknown:
        known = ", ".join(map(str, feature_names[:12])) + (", ..." if len(feature_names) > 12 else "")
        raise ValueError(f"eps: there is no feature {unknown[0]!r}, expected names among {known}")
    for name, radius in eps.items():
        if not isinstance(radius, Real) or isinstance(radius, bool):
            raise TypeError(f"eps: the radius of {name!r} is {radius!r}, expected a number")
    radii = [float(eps.get(name, 0)) for name in feature_names]
    _check(radii)
    return radii


def _check(radii):
    for radius in radii:
        if not (np.isfinite(radius) and radius >= 0):
            raise ValueError(f"eps: has the radius {radius}, expected finite numbers >= 0")
