"""Projected gradient steps in PyTorch with automatic differentiation, as attack libraries do it."""
# packages: torch numpy

import torch

from benchmarks.attacks.network import RUNS, judged, load
from benchmarks.harness.clock import best_of


def run(problem, clock, folder):
    torch.set_num_threads(1)
    arrays = [torch.as_tensor(part, dtype=torch.float64) for part in load(problem)]
    seconds, points = best_of(RUNS, clock, lambda: attack(*arrays, problem["eps"], problem["steps"]))
    return {"seconds": seconds} | judged(problem, points.numpy())


def attack(hidden, bias, output, X, y, eps, steps):
    points, worst, lowest = X.clone(), X.clone(), torch.full((len(X),), torch.inf, dtype=torch.float64)
    for step in range(steps + 1):
        points.requires_grad_(True)
        margins = y * (torch.relu(points @ hidden + bias) @ output)
        (slopes,) = torch.autograd.grad(margins.sum(), points)
        points, margins = points.detach(), margins.detach()
        better = margins < lowest
        worst[better], lowest[better] = points[better], margins[better]
        if step < steps:
            points = torch.clamp(points - eps / 30 * torch.sign(slopes), X - eps, X + eps)
    return worst
