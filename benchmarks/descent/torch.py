"""Gradient descent with Adam in PyTorch; under attack on points that projected gradient steps have found (GD-PGD)."""
# packages: torch numpy

import torch

from benchmarks.descent.judge import Best
from benchmarks.descent.problem import load, objective
from benchmarks.harness.clock import Clock

BATCH, RATE, STEPS, EVERY = 128, 3e-3, 10, 1.0  # rows, Adam's, of the attack in training, seconds between judgements


def run(problem, clock, folder):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float64)
    training = load(problem)
    network = Descent(training)
    best, lap = Best(), EVERY
    while clock.seconds < min(clock.limit, problem["seconds"]):
        with clock:
            network.descend(lap, 1 - clock.seconds / problem["seconds"])
        lap = min(1.3 * lap, 10)
        best.see(clock.seconds, *network.judge())  # free of charge
    return best.facts(problem, training, folder)


class Descent:
    def __init__(self, training):
        self.training, d, m = training, training.X.shape[1], training.neurons
        self.X, self.y = torch.as_tensor(training.X), torch.as_tensor(training.y)
        self.hidden = torch.nn.Parameter(torch.randn(d, m) * (2 / d) ** 0.5)
        self.bias = torch.nn.Parameter(0.5 * torch.randn(m))
        self.output = torch.nn.Parameter(torch.randn(m) * m**-0.5)
        self.optimizer = torch.optim.Adam([self.hidden, self.bias, self.output], lr=RATE)

    def __call__(self, X):
        return torch.relu(torch.addmm(self.bias, X, self.hidden)) @ self.output

    def descend(self, seconds, share):
        """Steps for some seconds; the rate falls with the share of the time that is left."""
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * max(share, 0.01)
        watch, n = Clock(seconds, strict=False), len(self.y)
        while watch.seconds < seconds:
            with watch:
                for rows in torch.randperm(n).split(BATCH):
                    X, y = self.X[rows], self.y[rows]
                    points = self.attacked(X, y, STEPS, 2.5 / STEPS) if self.training.eps > 0 else X
                    self.optimizer.zero_grad()
                    self.loss(points, y, n).backward()
                    self.optimizer.step()

    def loss(self, X, y, n):
        """An estimate of the objective from some of the n rows; half of the squares is the penalty in balance."""
        f = self(X)
        loss = torch.relu(1 - y * f).mean() if self.training.loss == "hinge" else 0.5 * n * ((f - y) ** 2).mean()
        penalty = (self.hidden**2).sum() + (self.bias**2).sum() + (self.output**2).sum()
        return loss + 0.5 * self.training.beta * penalty

    def attacked(self, X, y, steps, step):
        eps, points = self.training.eps, X.clone()
        for _ in range(steps):
            points.requires_grad_(True)
            (slopes,) = torch.autograd.grad((y * self(points)).sum(), points)
            points = torch.clamp(points.detach() - step * eps * torch.sign(slopes), X - eps, X + eps)
        return points.detach()

    def judge(self):
        """The objective under 40 steps of attack, what is found and so never above the true one; and the weights."""
        X = self.attacked(self.X, self.y, 40, 1 / 30) if self.training.eps > 0 else self.X
        parts = [part.detach().numpy() for part in (self.hidden, self.bias, self.output)]
        with torch.no_grad():
            return objective(self.training, *parts, self(X).numpy()), parts
