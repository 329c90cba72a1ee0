"""Small random training problems, the same for the same seed and number."""

from dataclasses import dataclass, replace

import numpy as np
from oracle import DUAL_EXPONENT, LOSSES, Problem, words_for


@dataclass
class Task:
    """What the tool is told, and the program that this means."""

    X: np.ndarray  # as in the file
    y: np.ndarray
    weights: np.ndarray  # None: not in the file
    arguments: list  # of the tool, apart from files and accuracy
    program: Problem
    inputs: np.ndarray  # n x features: what the network sees, standardised if that was asked for
    radii: np.ndarray  # of these
    surely_live: int  # patterns whose cone has an interior, as the direction that they come from shows
    generic: bool  # cones of zero width cannot happen
    whole: bool  # the program that the tool solves may drop no pattern but zero and all-inactive ones


def make_task(seed, number, method):
    """Losses and norms take turns; everything else is drawn."""
    random = np.random.default_rng([seed, number])
    loss = list(LOSSES)[number % len(LOSSES)]
    norm = list(DUAL_EXPONENT)[number // len(LOSSES) % len(DUAL_EXPONENT)]
    n, features = random.integers(5, 26), random.integers(2, 6)
    generic = random.random() < 0.85
    X = random.normal(size=(n, features))
    if not generic:
        X = np.round(2 * X) / 2  # ties, repeated and opposite rows, rows of zeros
    if random.random() < 0.2:
        X *= 10.0 ** random.uniform(-1, 1, features)
    ones = random.choice(["appended", "given", "none"], p=[0.6, 0.25, 0.15])
    if ones == "given":
        X[:, -1] = 1.0
    y = targets(random, X, LOSSES[loss].margin)
    weights = draw_weights(random, n)
    counted = np.ones(n) if weights is None else weights
    arguments = ["--method", method, *words_for(loss), "--bias" if ones == "appended" else "--no-bias"]

    # A constant column of our own would become zero.
    standardize = ones != "given" and random.random() < 0.15
    center, scale = standardization(X, counted) if standardize else (np.zeros(features), np.ones(features))
    inputs = (X - center) / scale
    if standardize:
        arguments += ["--standardize"]

    shape = draw_radii(random, features)
    if ones == "given" and (method != "cones" or random.random() < 0.5):
        shape[-1] = 0.0
    program = Problem(
        X=inputs,
        y=y,
        patterns=np.zeros((0, n)),
        weights=counted,
        loss=loss,
        beta=10.0 ** random.uniform(-4, -0.5),
        eps=shape,
        norm=norm,
        method=method,
    )
    if ones == "appended":
        program = program.with_bias()
    directions = draw_directions(random, program, random.integers(3, 13), ones != "none")
    patterns = (directions @ program.X.T >= 0).astype(float)
    _, first = np.unique(patterns, axis=0, return_index=True)
    first.sort()
    directions, patterns = directions[first], patterns[first]

    limits = live_up_to(program, directions, patterns)
    size = 0.0 if random.random() < 0.1 else draw_size(random, limits)
    edge = not generic and random.random() < 0.2
    if edge:
        size = random.choice(np.append(limits[np.isfinite(limits)], size))  # a cone may have nothing but a boundary
    radii = shape * size
    program = replace(program, patterns=patterns, eps=program.eps * size)
    if radii.any():
        raw = standardize and random.random() < 0.5
        text = radii_text(random, radii * scale if raw else radii)
        arguments += ["--norm", norm, "--eps", text] + (["--eps-units", "raw"] if raw else [])
    return Task(
        X=X,
        y=y,
        weights=weights,
        arguments=arguments + ["--beta", repr(float(program.beta))],
        program=program,
        inputs=inputs,
        radii=radii,
        surely_live=count_active(patterns[limits > size * (1 + 1e-6)][:, counted > 0]),
        generic=generic,
        whole=not edge and (method == "cones" or ones != "none"),
    )


def targets(random, X, labels):
    rule = np.sin(2 * X + np.arange(X.shape[1])).sum(axis=1) + 0.5 * random.normal(size=len(X))
    if not labels:
        return rule * 10.0 ** random.uniform(-1, 1)
    y = np.where(rule > 0, 1.0, -1.0)
    y[:2] = 1.0, -1.0  # training needs both classes
    return y


def draw_weights(random, n):
    if random.random() < 0.6:
        return None
    weights = random.uniform(0.2, 3.0, n)
    if random.random() < 0.5:
        weights[2 + random.permutation(n - 2)[: n // 5]] = 0.0  # rows 0 and 1 hold both classes
    return weights


def standardization(X, weights):
    share = weights / weights.sum()
    center = share @ X
    scale = np.sqrt(share @ (X - center) ** 2)
    constant = np.ptp(X[weights > 0], axis=0) == 0
    return np.where(constant, X[weights > 0][0], center), np.where(constant, 1.0, scale)


def draw_radii(random, features):
    """Up to a factor: one for all, one each, or none for some features."""
    kind = random.integers(3)
    if kind == 0:
        return np.ones(features)
    radii = random.uniform(0.2, 2.0, features)
    if kind == 2:
        radii[random.permutation(features)[: random.integers(1, features)]] = 0.0
    return radii


def draw_directions(random, program, count, constant):
    """Gaussian ones as in the paper, thresholds in the widest gaps of the data on sparse directions, all-active."""
    d = program.X.shape[1]
    directions = random.normal(size=(count, d))
    if not constant:
        return directions
    for direction in directions[: random.integers(count + 1)]:
        direction[:] = 0.0
        used = random.permutation(d - 1)[: random.integers(1, min(d - 1, 2) + 1)]
        direction[used] = random.normal(size=len(used))
        places = np.sort(program.X @ direction)
        gap = random.choice(np.argsort(np.diff(places))[-3:])
        direction[-1] = -(places[gap] + places[gap + 1]) / 2
        direction *= random.choice([-1.0, 1.0])
    if random.random() < 0.3:
        directions[-1] = np.eye(d)[-1]
    return directions


def live_up_to(program, directions, patterns):
    """For each pattern the factor of the radii up to which its direction stays inside its cone."""
    program = program.without_zero_weights()
    reach = np.linalg.norm(program.eps * directions, DUAL_EXPONENT[program.norm], axis=1)
    distances = np.abs(directions @ program.X.T)
    if program.method != "cones":
        distances[directions @ program.X.T < 0] = np.inf
    nearest = distances.min(axis=1)
    return np.divide(nearest, reach, out=np.full(len(nearest), np.inf), where=(reach > 0) & (nearest < np.inf))


def count_active(patterns):
    """Distinct ones, the all-inactive one apart: it carries nothing."""
    return len(np.unique(patterns[patterns.any(axis=1)], axis=0))


def draw_size(random, limits):
    """Between the limits of two patterns, so that the one is live and the other most likely is not."""
    limits = np.sort(limits[np.isfinite(limits) & (limits > 0)])
    if len(limits) == 0:
        return random.uniform(0.01, 0.3)
    limits = limits[np.append(True, np.diff(limits) > 1e-3 * limits[1:])]  # that of a direction is its opposite's
    steps = np.concatenate([[0.3 * limits[0]], limits, [3 * limits[-1]]])
    place = random.integers(len(steps) - 1)
    return np.sqrt(steps[place] * steps[place + 1])


def radii_text(random, radii):
    """One of the forms that say it."""
    forms = [",".join(repr(float(radius)) for radius in radii)]
    if np.ptp(radii) == 0:
        forms.append(repr(float(radii[0])))
    if (radii == 0).any():
        forms.append(",".join(f"x{f + 1}={float(radius)!r}" for f, radius in enumerate(radii) if radius > 0))
    return forms[random.integers(len(forms))]
