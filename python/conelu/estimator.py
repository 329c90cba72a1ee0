"""What the classifier and the regressor have in common."""

import os
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from conelu import _core
from conelu.certificate import Certificate
from conelu.network import Network
from conelu.penalty import to_penalty
from conelu.progress import Progress, logger
from conelu.radii import to_radii
from conelu.samples import to_names
from conelu.threads import to_threads

# Parameters that mean the same as the setting of that name in the library. Adding a setting of the library is a line
# here and one in both constructors.
_SETTINGS = (
    "loss",
    "huber_delta",
    "eps_units",
    "norm",
    "method",
    "patterns",
    "pattern_count",
    "directions",
    "perturbations",
    "all_active",
    "bias",
    "standardize",
    "min_max",
    "scale_target",
    "prune",
    "reduce",
    "rounds",
    "global_bound",
    "validation_fraction",
    "tolerance",
    "max_iterations",
    "time_limit",
)


class ConvexReLU(BaseEstimator):
    """Training and robustness; not to be used by itself."""

    # ---- training

    def _train(self, X, y, sample_weight, classes):
        """Sets all fitted attributes, also if it is interrupted, which then goes on."""
        names = getattr(self, "feature_names_in_", None)
        features = [f"x{a + 1}" for a in range(X.shape[1])] if names is None else list(names)
        settings = self._settings(features)
        if not self.warm_start:
            self._trail = None
        elif getattr(self, "_trail", None) is None:
            self._trail = _core.Trail()
        progress = Progress(bool(self.verbose), self.tolerance)
        try:
            trained = _core.train(
                X,
                y,
                sample_weight,
                features,
                to_names(classes),
                settings,
                self._trail,
                progress if progress.wanted else None,
            )
        except BaseException:
            self._trail = None  # somebody who did not wait has left it to a training that still runs
            raise
        finally:
            progress.close()
        for note in trained.notes:
            logger.info(note)
        radii = settings["eps"]
        self._attack = (radii[0] if len(radii) == 1 else radii, self.eps_units, self.norm)
        self._set_fitted(Network(trained.model, classes), trained.history)
        interruption = trained.take_interruption()
        if interruption is not None:
            raise interruption
        self._warn_of_gap()
        if self.record_["eps"] > 0 and self.record_["live_patterns"] == 0:
            warnings.warn(
                "No pattern is live under this attack, so the network is zero; method='hybrid' needs none.", stacklevel=3
            )

    def _settings(self, features):
        parameters = self.get_params(deep=False)
        settings = {name: _plain(parameters[name]) for name in _SETTINGS if name in parameters}
        if settings["norm"] is not None:
            settings["norm"] = str(settings["norm"])
        settings |= to_penalty(self.beta)
        settings["eps"] = to_radii(self.eps, features)
        settings["seed"] = _seed(self.random_state)
        settings["threads"] = to_threads(self.n_jobs)
        return settings

    def _set_fitted(self, network, history):
        record = network.record
        self.network_ = network
        self.record_ = record
        self.certificate_ = network.certificate
        self.objective_ = record["objective"]
        self.lower_bound_ = record["lower_bound"]
        self.gap_ = record["relative_gap"]
        self.n_iter_ = record["iterations"]
        self.beta_ = record["beta"]
        self.beta_max_ = max(each["beta_max"] for each in network.class_records or [record])
        self.rounds_ = network.rounds
        self.coefs_ = network.coefs
        self.intercepts_ = network.intercepts
        names = ("network", "iteration", "seconds", "objective", "lower_bound", "gap")
        self.history_ = {name: history[:, i] for i, name in enumerate(names)}

    def _warn_of_gap(self):
        if self.certificate_.is_optimal:
            return
        # A bound for every network may leave a gap, however exactly the program was solved.
        records = self.network_.class_records or [self.record_]
        proofs = [Certificate.from_record(record) for record in records]
        # Of several classes one gap may be too wide while that of their sum is not.
        if sum(proof.program_gap * proof.objective for proof in proofs) <= self.tolerance * self.objective_:
            return
        widest = max(proofs, key=lambda proof: proof.program_gap)
        which = "of a class " if len(proofs) > 1 else ""
        helps = {"iteration_limit": "; a larger max_iterations may help", "time_limit": "; a larger time_limit may help"}
        helps = helps.get(widest.stop, "" if self.standardize or self.min_max else "; standardize=True may help")
        warnings.warn(
            f"The certified gap {widest.program_gap:.2g} {which}is above the tolerance {self.tolerance:.2g} "
            f"(stop: {widest.stop}){helps}.",
            ConvergenceWarning,
            stacklevel=4,
        )

    def __getstate__(self):
        # Where the last training came along helps the next one in the same process, no more.
        return {name: value for name, value in super().__getstate__().items() if name != "_trail"}

    # ---- use

    def _check_rows(self, X):
        check_is_fitted(self)
        return validate_data(self, X, reset=False, dtype=np.float64)

    def certify(self, X, eps=None, y=None, **options):
        """What an attacker can do to each row, exactly; see `Network.certify`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        eps : float, array-like or dict, optional
            By default that of the training.
        y : array-like of shape (n_samples,), optional
            By default what the network says at the rows themselves.
        **options
            As in `Network.certify`.

        Returns
        -------
        Certification
        """
        eps, options = self._attack_or(eps, options)
        return self._fitted_network().certify(self._check_rows(X), eps, y, **options)

    def certified_radius(self, X, y=None, **options):
        """The radius up to which each row is proven robust; see `Network.certified_radius`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), optional
            By default what the network says at the rows themselves.
        **options
            As in `Network.certified_radius`.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        given = options.pop("eps", None)
        eps, options = self._attack_or(given, options)
        if given is None and not np.any(eps):
            eps = 1.0
        return self._fitted_network().certified_radius(self._check_rows(X), y, eps=eps, **options)

    def robust_score(self, X, y, eps=None, sample_weight=None, **options):
        """The score that is left whatever the attacker does; see `Network.robust_score`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        eps : float, array-like or dict, optional
            By default that of the training.
        sample_weight : array-like of shape (n_samples,), optional
        **options
            As in `Network.robust_score`.

        Returns
        -------
        float
        """
        eps, options = self._attack_or(eps, options)
        return self._fitted_network().robust_score(self._check_rows(X), y, eps, sample_weight, **options)

    def attack(self, X, y=None, eps=None, **options):
        """Perturbed rows that the network gets wrong; see `Network.attack`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), optional
            By default what the network says at the rows themselves.
        eps : float, array-like or dict, optional
            By default that of the training.
        **options
            As in `Network.attack`.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        eps, options = self._attack_or(eps, options)
        return self._fitted_network().attack(self._check_rows(X), y, eps, **options)

    def output_range(self, X, eps=None, **options):
        """Certified lowest and highest output within reach; see `Network.output_range`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        eps : float, array-like or dict, optional
            By default that of the training.
        **options
            As in `Network.output_range`.

        Returns
        -------
        lowest, highest : ndarray
        """
        eps, options = self._attack_or(eps, options)
        return self._fitted_network().output_range(self._check_rows(X), eps, **options)

    def _fitted_network(self):
        check_is_fitted(self)
        return self.network_

    def _attack_or(self, eps, options):
        """The attack of the training where nothing else is said: its radii, their units, their norm."""
        check_is_fitted(self)
        radii, units, norm = self._attack
        return radii if eps is None else eps, {"eps_units": units, "norm": norm, **options}


def _plain(value):
    """Of NumPy's numbers, which a grid is often made of, and paths what the library can read."""
    if isinstance(value, np.generic):
        return value.item()
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _seed(random_state):
    """The library's seed: a number as it is, so that the tool's --seed is the same one."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool) and random_state >= 0:
        return int(random_state)
    raise ValueError(f"random_state: is {random_state!r}, expected None, a whole number >= 0 or a generator")
