"""What is proven about rows of data."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Certification:
    """What no attacker can do to each row, and what some can.

    Attributes
    ----------
    verdict : ndarray of str, or None
        ``robust`` (proven), ``broken`` (see `worst`) or ``unknown`` (the time ran out, or the margin cannot be told from
        0). None for a regression without `max_error`.
    lower, upper : ndarray of float
        Between them lies the smallest margin within reach, or in regression the largest error. A margin below 0 is
        another class. Unless ``exact=True`` was asked for they are as far apart as the verdict allows.
    worst : ndarray of shape (n_samples, n_features)
        The worst point that was found for each row, in the units of the data.
    seconds : ndarray of float
        Time that each row took.
    """

    verdict: np.ndarray | None
    lower: np.ndarray
    upper: np.ndarray
    worst: np.ndarray
    seconds: np.ndarray

    @property
    def robust(self):
        """Rows that are proven robust, as a mask."""
        return self._is("robust")

    @property
    def broken(self):
        """Rows that some perturbation is known to break, as a mask."""
        return self._is("broken")

    @property
    def unknown(self):
        """Rows that are neither, as a mask."""
        return self._is("unknown")

    def _is(self, verdict):
        if self.verdict is None:
            raise ValueError("max_error: without it there is no verdict on a regression, only `lower` and `upper`")
        return self.verdict == verdict

    def __len__(self):
        return len(self.lower)
