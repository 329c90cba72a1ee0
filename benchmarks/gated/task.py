"""Robust training without constraints on ten thousand images."""

from benchmarks.descent.task import asks, compare, draw, report
from benchmarks.programs.program import shared_folder

__all__ = ["CONTENDERS", "INTRO", "ORDER", "TITLE", "asks", "compare", "draw", "problems", "report"]

ORDER = 5
TITLE = "Robust training on 10,000 images"
CONTENDERS = ["descent.conelu", "descent.torch"]
INTRO = """
All automobiles and horses of CIFAR-10 in 7 x 7 x 3 pixels as (x - 120) / 50, radius 0.2, beta = 1e-4, 72 neurons,
300 s for PyTorch. Ours is `--method hybrid`, and its objective a proven bound on the worst case of the network that
comes out; PyTorch's is what 40 steps of attack find. `proven` is by linear bounds alone, one look at the ball of each
image.
"""


def problems(quick):
    if quick or not (shared_folder() / "data" / "cifar10" / "data_batch_auto_horse.bin").exists():
        return []
    sizes = {"rows": 10_000, "neurons": 72, "beta": 1e-4, "eps": 0.2, "seconds": 300, "branches": 1}
    return [{"name": "10,000 images", "data": "cifar10", "loss": "hinge", **sizes, "options": ["--method", "hybrid"]}]
