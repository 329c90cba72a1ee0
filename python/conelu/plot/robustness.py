"""Accuracy against the radius of the attack: what attacks leave, and what is proven to be left."""

import numpy as np

from conelu.plot.style import COLOURS, FAINT, INK, lighten, network_of, new_axes, tidy


def robustness(
    models, X, y, eps, *, norm=None, eps_units=None, clip=None, time_limit=1.0, branch_limit=None, ax=None
):
    """Accuracy under attack and proven accuracy as the radius grows, the area between them shaded.

    The true accuracy under the worst attack is inside the shaded area, and nowhere else. Where there is none to see,
    attack and proof agree.

    Parameters
    ----------
    models : classifier, Network, or dict of str to these
        Names of a dict become the legend's.
    X : array-like of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    eps : array-like of float
        Radii to try.
    norm, eps_units, clip
        As in `Network.certify`.
    time_limit : float, default=1
        Seconds for the proof of a row; what takes longer is left open, inside the area.
    branch_limit : int, optional
        Parts of the ball to look at for the proof of a row; unlike a limit of time it gives the same picture everywhere.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    named = models if isinstance(models, dict) else {"": models}
    radii = np.sort(np.atleast_1d(np.asarray(eps, dtype=float)))
    ax = new_axes(ax, 5.4, 3.8)
    for k, (name, model) in enumerate(named.items()):
        network = network_of(model)
        if network.classes is None:
            raise ValueError(f"models: has {network!r}, expected classifiers")
        colour = COLOURS[k % len(COLOURS)]
        found = [
            network.evaluate(
                X, y, float(radius), norm=norm, eps_units=eps_units, clip=clip, radius=False, objective=False,
                time_limit=time_limit, branch_limit=branch_limit,
            )  # fmt: skip
            for radius in radii
        ]
        attacked = np.array([row["pgd"] for row in found])
        proven = np.array([row["verified_lower"] for row in found])
        prefix = f"{name}, " if name else ""
        ax.fill_between(radii, proven, attacked, color=lighten(colour, 0.7), linewidth=0, zorder=1 + k)
        # Circles stay visible where the two curves are one.
        ax.plot(
            radii, attacked, color=colour, linewidth=1, linestyle=(0, (4, 2)), marker="o", markersize=4.5,
            markerfacecolor="white", clip_on=False, zorder=11, label=f"{prefix}PGD attack",
        )  # fmt: skip
        ax.plot(radii, proven, color=colour, linewidth=1.8, zorder=10, label=f"{prefix}certified")
    ax.set_xlim(radii[0], radii[-1])
    ax.set_ylim(0, 1.02)
    ax.set_xlabel("radius of the attack", color=INK)
    ax.set_ylabel("accuracy", color=INK)
    ax.legend(frameon=True, framealpha=0.9, edgecolor=FAINT, fontsize=8)
    return tidy(ax)
