"""Classification."""

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from conelu.estimator import ConvexReLU
from conelu.parameters import document


@document
class ConvexReLUClassifier(ClassifierMixin, ConvexReLU):
    """A classifier with one hidden ReLU layer, trained by convex optimisation, with a certificate.

    More than two classes are a network for each against the rest; objectives and bounds are then sums.

    Parameters
    ----------
    loss : str, default='hinge'
        'hinge', 'squared-hinge' or 'logistic', averaged over the samples; or one for numbers ('squared', 'absolute',
        'huber'), summed, which fits -1 and +1.
    {parameters}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    {attributes}

    Examples
    --------
    >>> import numpy as np
    >>> from conelu import ConvexReLUClassifier
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> xor = ConvexReLUClassifier(beta=1e-3).fit(X, [0, 1, 1, 0])
    >>> xor.predict(X)
    array([0, 1, 1, 0])
    >>> xor.certificate_.scope, xor.certificate_.is_optimal
    ('network', True)
    """

    def __init__(
        self, loss="hinge", *, beta=None, eps=0.0, eps_units="network", norm="inf", method=None, patterns=None,
        pattern_count=100, directions=None, perturbations=None, all_active=None, bias=True, standardize=False,
        min_max=False, huber_delta=1.0, prune=0.0, reduce=False, rounds=None, global_bound=None,
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
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, numbers = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y: has one class, {self.classes_[0]}, expected at least two classes")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            weights = np.bincount(numbers, sample_weight)
            if (weights == 0).any():
                lost = self.classes_[weights == 0][0]
                raise ValueError(f"sample_weight: leaves nothing of class {lost}, expected weight for every class")
        # Two classes are -1 and +1, several are numbered.
        targets = numbers * 2.0 - 1 if len(self.classes_) == 2 else numbers.astype(float)
        self._train(X, targets, sample_weight, self.classes_)
        return self

    def decision_function(self, X):
        """Outputs of the network: above 0 for the second of two classes, largest for the predicted one of several.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        return self._fitted_network().decision_function(self._check_rows(X))

    def predict(self, X):
        """Labels of the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._fitted_network().predict(self._check_rows(X))

    @available_if(lambda self: self.loss == "logistic")
    def predict_proba(self, X):
        """Probabilities of the classes; with ``loss='logistic'`` only.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return self._fitted_network().predict_proba(self._check_rows(X))
