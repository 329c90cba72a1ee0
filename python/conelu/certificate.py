"""What a training proved."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Certificate:
    """What is proven about a trained network, by arithmetic that does not trust the solver.

    Attributes
    ----------
    objective : float
        Loss plus penalty at a point of the program that satisfies every constraint exactly.
    network_objective : float
        The objective of the network; with an attacker, its proven worst case on the training data.
    lower_bound : float
        No point of the program has a smaller objective.
    gap : float
        ``(objective - lower_bound) / objective``.
    tolerance : float
        The gap that was asked for.
    status : {'optimal', 'inaccurate'}
        Whether the gap is within the tolerance.
    stop : str
        Why the solver stopped: ``converged``, ``iteration_limit``, ``time_limit``, ``cancelled`` or
        ``numerical_trouble``.
    scope : {'network', 'program'}
        What the bound is about: every network of any width, or the activation patterns used.
    """

    objective: float
    network_objective: float
    lower_bound: float
    gap: float
    tolerance: float
    status: str
    stop: str
    scope: str

    @classmethod
    def from_record(cls, record):
        """The certificate in a run's record."""
        fields = {name: record[name] for name in cls.__dataclass_fields__ if name != "gap"}
        return cls(gap=record["relative_gap"], **fields)

    @property
    def is_optimal(self):
        """Whether the gap is within the tolerance."""
        return self.status == "optimal"
