"""Figures: what a network says, what is proven about it, and how training went.

Every function draws into ``ax`` if it is given one and else into a new figure, and returns the axes. Colours are from
Okabe and Ito's palette, which people who are blind to some colours can tell apart; classes differ in their markers, too.
"""

from conelu.plot.boundary import boundary
from conelu.plot.convergence import convergence
from conelu.plot.intervals import intervals
from conelu.plot.neurons import neurons
from conelu.plot.robustness import robustness
from conelu.plot.rounds import rounds

__all__ = ["boundary", "convergence", "intervals", "neurons", "robustness", "rounds"]
