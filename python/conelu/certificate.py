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
        What `scope` says has no smaller objective: no network of any width, or no point of the program.
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
        What `lower_bound` is about: every network of any width, or networks with the activation patterns used.
    program_bound : float or None
        No point of the program has a smaller objective. Only where `lower_bound` comes from a proven price.
    largest_price : float or None
        The largest price that a search found, over `beta`; see `find_prices`. Only where there was a search.
    price_bound : float or None
        No direction has a larger price, over `beta`. Only where this was proven.
    """

    objective: float
    network_objective: float
    lower_bound: float
    gap: float
    tolerance: float
    status: str
    stop: str
    scope: str
    program_bound: float | None = None
    largest_price: float | None = None
    price_bound: float | None = None

    @classmethod
    def from_record(cls, record):
        """The certificate in a run's record."""
        fields = {name: record.get(name) for name in cls.__dataclass_fields__ if name != "gap"}
        return cls(gap=record["relative_gap"], **fields)

    @property
    def is_optimal(self):
        """Whether the gap is within the tolerance."""
        return self.status == "optimal"

    @property
    def program_gap(self):
        """The gap between objective and the program's own bound: how exactly the program was solved."""
        return self.gap if self.program_bound is None else (self.objective - self.program_bound) / abs(self.objective)
