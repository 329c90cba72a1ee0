"""Regression."""

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import _check_sample_weight, validate_data

from conelu import _core
from conelu.estimator import ConvexReLU
from conelu.parameters import document


@document
class ConvexReLURegressor(RegressorMixin, ConvexReLU):
    """A regression with one hidden ReLU layer, trained by convex optimisation, with a certificate.

    With `eps` the largest error within reach is what is trained: for inputs that are known up to an uncertainty.

    Parameters
    ----------
    loss : {'squared', 'absolute', 'huber'}, default='squared'
        Summed over the samples.
    {parameters}
    scale_target : bool, default=False
        Train on a target of mean 0 and deviation 1, so that one `beta` suits any units. Predictions are in those of `y`;
        objective and bound are not.

    Attributes
    ----------
    {attributes}

    Examples
    --------
    >>> import numpy as np
    >>> from conelu import ConvexReLURegressor
    >>> X = np.linspace(-1, 1, 9).reshape(-1, 1)
    >>> model = ConvexReLURegressor(beta=1e-4).fit(X, np.abs(X[:, 0]))
    >>> bool(model.score(X, np.abs(X[:, 0])) > 0.999)
    True
    """

    def __init__(
        self, loss="squared", *, beta=None, eps=0.0, eps_units="network", norm="inf", method=None, patterns=None,
        pattern_count=100, directions=None, perturbations=None, all_active=None, bias=True, standardize=False,
        min_max=False, huber_delta=1.0, scale_target=False, prune=0.0, reduce=False, rounds=None, global_bound=None,
        validation_fraction=None, tolerance=1e-6, max_iterations=200, time_limit=None, random_state=None, n_jobs=None,
        warm_start=False, verbose=False,
    ):  # fmt: skip
        self.loss = loss
        self.beta = beta
        self.eps = eps
        self.eps_units = eps_units
        self.norm = norm
        self.method = method
        self.patterns = patterns
        self.pattern_count = pattern_count
        self.directions = directions
        self.perturbations = perturbations
        self.all_active = all_active
        self.bias = bias
        self.standardize = standardize
        self.min_max = min_max
        self.huber_delta = huber_delta
        self.scale_target = scale_target
        self.prune = prune
        self.reduce = reduce
        self.rounds = rounds
        self.global_bound = global_bound
        self.validation_fraction = validation_fraction
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.time_limit = time_limit
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.warm_start = warm_start
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Train, and prove how close to the best the network is.

        Ctrl-C stops at the next iteration: the estimator then has the best network so far, and KeyboardInterrupt goes on.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Rows of weight 0 are left out; weight 2 is the row twice.

        Returns
        -------
        self
        """
        if _core.is_margin_loss(self.loss):
            raise ValueError(f"loss: {self.loss!r} is for labels, expected 'squared', 'absolute' or 'huber'")
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        self._train(X, np.asarray(y, dtype=np.float64), sample_weight, None)
        return self

    def predict(self, X):
        """Values for the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._fitted_network().predict(self._check_rows(X))
