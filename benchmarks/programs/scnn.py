"""pyscnn, an augmented Lagrangian method by Mishkin, Sahiner and Pilanci: standard training, squared loss."""
# packages: pyscnn torch numpy scipy

import numpy as np
from scipy.optimize import linprog
from scnn.metrics import Metrics
from scnn.models import ConvexReLU
from scnn.optimize import optimize_model
from scnn.regularizers import NeuronGL1
from scnn.solvers import AL

from benchmarks.programs.judge import judge
from benchmarks.programs.program import load


def run(problem, clock, folder):
    p = load(problem)
    model = ConvexReLU(np.column_stack([gate(p.X, row) for row in p.patterns]))
    n = len(p.y)
    with clock:
        # Its loss is a mean, so the penalty is divided, too; its own scaling of columns would change the program.
        found, _ = optimize_model(
            model,
            AL(model),
            Metrics(),
            p.X,
            p.y,
            regularizer=NeuronGL1(p.beta / n),
            return_convex=True,
            unitize_data=False,
            dtype="float64",
        )
    # It may have dropped patterns that its gates have in common, and sorts them.
    V, W = (np.asarray(part)[0] for part in found.parameters)
    blocks = np.zeros((p.X.shape[1], 2 * len(p.patterns)))
    for g, v, w in zip(np.asarray(found.G).T, V, W, strict=True):
        i = int(np.argmin(np.abs((p.X @ g >= 0) - p.patterns).sum(axis=1)))
        blocks[:, 2 * i], blocks[:, 2 * i + 1] = v, w
    return {"says": "done", "value": None} | judge(p, {"blocks": blocks}, folder)


def gate(X, row):
    """A direction with this pattern: the one of the largest margin, features within 1."""
    signs = 2 * row - 1
    d = X.shape[1]
    answer = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=np.column_stack([-signs[:, None] * X, np.ones(len(X))]),
        b_ub=np.zeros(len(X)),
        bounds=[(-1, 1)] * d + [(None, 1)],
    )
    return answer.x[:d]
