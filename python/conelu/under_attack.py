"""What an attacker can do to a network."""

import json
import sys
from numbers import Real

import numpy as np

from conelu import _core
from conelu.certification import Certification
from conelu.radii import to_radii
from conelu.threads import to_threads


def _branches(limit):
    return sys.maxsize if limit is None else limit


class UnderAttack:
    """The questions about an attacker that a `Network` answers, and the arguments that describe him."""

    def certify(
        self, X, eps=None, y=None, *, norm=None, eps_units=None, clip=None, max_error=None, exact=False,
        time_limit=60.0, branch_limit=None, n_jobs=None,
    ):  # fmt: skip
        """What an attacker can do to each row, exactly.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        eps : float, array-like or dict, optional
            Radius of the attack: for all features, for each, or for some by name. By default that of the training.
        y : array-like of shape (n_samples,), optional
            What the network should say. By default what it says at the rows themselves.
        norm : {'inf', '2', '1'}, optional
            In which a perturbation is measured. By default that of the training.
        eps_units : {'network', 'raw'}, optional
            Units of `eps`: features as the network sees them, after scaling (the default), or those of `X`.
        clip : pair of float, optional
            Lowest and highest value of a feature, in the units of `X`.
        max_error : float, optional
            Regression: a row is robust if its error stays at or below this. Without it only bounds are found.
        exact : bool, default=False
            Find the smallest margin, not only its sign.
        time_limit : float, default=60
            Seconds for a row; after that it is unknown.
        branch_limit : int, optional
            Parts of the ball to look at for a row. Unlike a limit of time it leads to the same on every machine. By
            default there is no such limit.
        n_jobs : int, optional
            Threads; by default as many as OpenMP uses.

        Returns
        -------
        Certification
        """
        rows = self._rows(X)
        bounds_only = self.classes is None and max_error is None
        found = _core.verify(
            self._model,
            rows,
            self._targets(rows, y),
            self._attacker(eps, norm, eps_units, clip),
            max_error=0.0 if max_error is None else max_error,
            exact=exact or bounds_only,
            time_limit=time_limit,
            branch_limit=_branches(branch_limit),
            threads=to_threads(n_jobs),
        )
        verdict = None if bounds_only else np.array(found.verdicts, dtype=str)
        return Certification(verdict, found.lower, found.upper, found.worst, found.seconds)

    def certified_radius(
        self, X, y=None, *, eps=None, norm=None, eps_units=None, clip=None, max_error=None, branch_limit=300,
        time_limit=60.0, n_jobs=None,
    ):  # fmt: skip
        """The radius up to which each row is proven robust.

        Parameters
        ----------
        X, y, norm, eps_units, clip, max_error, time_limit, n_jobs
            As in `certify`.
        eps : float, array-like or dict, optional
            The shape of the attack. With one number radii are radii, up to 1000 times that number; with several they are
            factors on them. By default that of the training, or else 1.
        branch_limit : int or None, default=300
            Parts of the ball to look at for a row; more prove larger radii. None: no limit but that of time.

        Returns
        -------
        ndarray of shape (n_samples,)
            Proven, and to a thousandth the true ones if `branch_limit` sufficed; 0 for rows that are wrong as they are.
        """
        if self.classes is None and max_error is None:
            raise ValueError("max_error: a regression has a radius only for a largest error")
        rows = self._rows(X)
        if eps is None and not self.record["eps"]:
            eps = 1.0
        attacker = self._attacker(eps, norm, eps_units, clip)
        if not len(attacker.radii(self._model)):
            raise ValueError("eps: is 0, expected a radius above 0, of which others are multiples")
        radii = _core.robust_radius(
            self._model,
            rows,
            self._targets(rows, y),
            attacker,
            max_error=0.0 if max_error is None else max_error,
            time_limit=time_limit,
            branch_limit=_branches(branch_limit),
            threads=to_threads(n_jobs),
        )
        return radii[:, 0] * self._radius_unit(eps)

    def robust_score(
        self, X, y, eps=None, sample_weight=None, *, norm=None, eps_units=None, clip=None, time_limit=60.0,
        branch_limit=None, n_jobs=None,
    ):  # fmt: skip
        """The score that is left whatever the attacker does: proven.

        Parameters
        ----------
        X, y, eps, norm, eps_units, clip, time_limit, branch_limit, n_jobs
            As in `certify`.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
            Share of the rows that are proven to be classified right; in regression the coefficient of determination with
            the proven largest errors.
        """
        found = self.certify(
            X, eps, y, norm=norm, eps_units=eps_units, clip=clip, time_limit=time_limit, branch_limit=branch_limit,
            n_jobs=n_jobs,
        )  # fmt: skip
        if self.classes is not None:
            return float(np.average(found.robust, weights=sample_weight))
        y = np.asarray(y, dtype=float)
        spread = (y - np.average(y, weights=sample_weight)) ** 2
        return float(1 - np.average(found.upper**2, weights=sample_weight) / np.average(spread, weights=sample_weight))

    def attack(
        self, X, y=None, eps=None, *, method="pgd", norm=None, eps_units=None, clip=None, steps=40, restarts=5,
        random_state=0,
    ):  # fmt: skip
        """Perturbed rows that the network gets wrong, as far as an attack finds some.

        Parameters
        ----------
        X, y, eps, norm, eps_units, clip
            As in `certify`.
        method : {'fgsm', 'pgd', 'strong'}, default='pgd'
            One step along the gradient; the paper's projected steps; or these with restarts and moves of single features,
            at ten to twenty times the cost.
        steps : int, default=40
            Of 'pgd', and of each restart of 'strong'.
        restarts : int, default=5
            Of 'strong'.
        random_state : int, default=0

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            The worst point that was found for each row, in the units of `X`; never further away than `eps`.
        """
        rows = self._rows(X)
        return _core.attack(
            method,
            self._model,
            rows,
            self._targets(rows, y),
            self._attacker(eps, norm, eps_units, clip),
            steps=steps,
            restarts=restarts,
            seed=random_state,
        )

    def output_range(self, X, eps=None, *, norm=None, eps_units=None, exact=False):
        """Certified lowest and highest output within reach.

        Parameters
        ----------
        X, eps, norm, eps_units
            As in `certify`.
        exact : bool, default=False
            As narrow as can be, by search, for networks with one output. Otherwise a formula gives a range that may be
            wider than need be, for the price of a few forward passes.

        Returns
        -------
        lowest, highest : ndarray
            Of the shape of `decision_function`. No perturbation leaves them.
        """
        rows = self._rows(X)
        bounds = _core.output_bounds(self._model, rows, self._attacker(eps, norm, eps_units, None))
        lowest, highest = bounds[:, ::2], bounds[:, 1::2]
        if lowest.shape[1] > 1:
            if exact:
                raise ValueError("exact: is for networks with one output, and this one has several")
            return lowest, highest
        if exact:
            return self._exact_range(rows, lowest[:, 0], highest[:, 0], eps, norm=norm, eps_units=eps_units)
        return lowest[:, 0], highest[:, 0]

    def _exact_range(self, rows, below, above, eps, **units):
        def certify(y):
            return self.certify(rows, eps, y, exact=True, **units)

        if self.classes is None:
            # The largest error against a value that no output is below is how far outputs rise above it.
            return above - certify(above).upper, below + certify(below).upper
        # The smallest margins of both classes are the lowest f and the lowest -f.
        first, second = (np.full(len(rows), label) for label in self.classes)
        return certify(second).lower, -certify(first).lower

    def evaluate(
        self, X, y, eps=None, sample_weight=None, *, norm=None, eps_units=None, clip=None, radius=True, objective=True,
        restarts=5, time_limit=10.0, branch_limit=None, random_state=0, n_jobs=None,
    ):  # fmt: skip
        """Everything at once: clean, under three attacks, and what is proven.

        Parameters
        ----------
        X, y, eps, norm, eps_units, clip, n_jobs
            As in `certify`.
        sample_weight : array-like of shape (n_samples,), optional
        radius, objective : bool, default=True
            Whether to find the mean radius, and the training objective in the worst case, too.
        restarts, random_state
            As in `attack`.
        time_limit : float, default=10
            Seconds for each question about a row: its verdict, its worst loss, its radius.
        branch_limit : int, optional
            Parts of the ball to look at for each of these questions, and at most 300 for the radius. Unlike a limit of
            time it leads to the same on every machine. By default there is no such limit.

        Returns
        -------
        dict
            The fields of ``conelu evaluate --json``: for a classification ``certified_bound <= verified_lower <=
            verified_upper <= strong <= pgd <= clean``, for a regression ``mse_clean`` and so on.
        """
        rows = self._rows(X)
        found = _core.evaluate(
            self._model,
            rows,
            self._targets(rows, y),
            None if sample_weight is None else np.asarray(sample_weight, dtype=float),
            self._attacker(eps, norm, eps_units, clip),
            radius=radius,
            objective=objective,
            radius_unit=self._radius_unit(eps),
            restarts=restarts,
            time_limit=time_limit,
            branch_limit=_branches(branch_limit),
            seed=random_state,
            threads=to_threads(n_jobs),
        )
        return json.loads(found)

    def _attacker(self, eps, norm, eps_units, clip):
        record = self.record
        if eps is None:
            if eps_units == "raw":
                raise ValueError("eps_units: says what eps is measured in, and there is no eps")
            eps = record.get("eps_per_feature", record["eps"])
        return _core.Attacker(
            to_radii(eps, self.feature_names),
            norm=str((record.get("norm") or "inf") if norm is None else norm),
            units="network" if eps_units is None else eps_units,
            clip=None if clip is None else tuple(map(float, clip)),
        )

    def _radius_unit(self, eps):
        """What the attack as it is counts for: its radius, if it has one."""
        if eps is None:
            record = self.record
            return 1.0 if "eps_per_feature" in record or not record["eps"] else record["eps"]
        return float(eps) if isinstance(eps, Real) else 1.0
