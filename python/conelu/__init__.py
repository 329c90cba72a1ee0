"""Networks with one hidden ReLU layer, trained by convex optimisation, with a certificate.

`ConvexReLUClassifier` and `ConvexReLURegressor` are scikit-learn estimators. `Network` is what they train, and what
networks that were trained elsewhere become, to be attacked and certified; `train_baseline` trains the same ones by gradient
descent. `beta_max` is the unit of the penalty; `find_prices` and `bound_prices` say what a further neuron would be worth.
`conelu.plot` draws, `conelu.datasets` reads.

Everything is computed by the C++ library of the same name. Progress is told to the logger ``conelu`` and shown with
``verbose=1``; otherwise nothing is printed.
"""

import importlib
import logging
from typing import TYPE_CHECKING

from conelu._core import __version__
from conelu.baseline import Baseline, train_baseline
from conelu.certificate import Certificate
from conelu.certification import Certification
from conelu.network import Network
from conelu.prices import PriceBound, beta_max, bound_prices, find_prices

if TYPE_CHECKING:
    from conelu import datasets, plot
    from conelu.classifier import ConvexReLUClassifier
    from conelu.regressor import ConvexReLURegressor

__all__ = [
    "Baseline",
    "Certificate",
    "Certification",
    "ConvexReLUClassifier",
    "ConvexReLURegressor",
    "Network",
    "PriceBound",
    "__version__",
    "beta_max",
    "bound_prices",
    "datasets",
    "find_prices",
    "plot",
    "train_baseline",
]

logging.getLogger("conelu").addHandler(logging.NullHandler())

# scikit-learn and matplotlib take a second to load and are not needed to use a network.
_ON_DEMAND = {
    "ConvexReLUClassifier": "conelu.classifier",
    "ConvexReLURegressor": "conelu.regressor",
    "datasets": "conelu.datasets",
    "plot": "conelu.plot",
}


def __getattr__(name):
    if name not in _ON_DEMAND:
        raise AttributeError(f"module 'conelu' has no attribute {name!r}")
    module = importlib.import_module(_ON_DEMAND[name])
    return getattr(module, name, module)


def __dir__():
    return sorted(__all__)
