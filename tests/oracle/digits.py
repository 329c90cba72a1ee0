"""The handwritten digits 3 and 8 as 64 gray values in [0, 1], and a network trained on them against an attacker."""

import struct

import numpy as np
from milp import Network

TRAINED = 250  # rows; the others are for testing


def from_scikit_learn():
    """Those that scikit-learn ships, or nothing."""
    try:
        from sklearn.datasets import load_digits as load
    except ModuleNotFoundError:
        return None
    data = load()
    chosen = (data.target == 3) | (data.target == 8)
    return data.data[chosen] / 16, np.where(data.target[chosen] == 8, 1.0, -1.0)


def from_mnist(shared):
    """Those of MNIST, 24 x 24 around the middle in blocks of 3 x 3, or nothing."""
    folder = shared / "data" / "mnist38"
    if not folder.exists():
        return None
    images = (folder / "t10k-3v8-images-idx3-ubyte").read_bytes()
    _, count, height, width = struct.unpack(">4i", images[:16])
    pixels = np.frombuffer(images, np.uint8, offset=16).reshape(count, height, width)[:, 2:26, 2:26] / 255.0
    labels = np.frombuffer((folder / "t10k-3v8-labels-idx1-ubyte").read_bytes(), np.uint8, offset=8)
    blocks = pixels.reshape(count, 8, 3, 8, 3).mean(axis=(2, 4)).reshape(count, 64)
    return blocks[:400], np.where(labels[:400] == 8, 1.0, -1.0)


def load_digits(shared):
    """X, y for training and for testing, or nothing."""
    data = from_scikit_learn()
    if data is None and shared is not None:
        data = from_mnist(shared)
    if data is None:
        return None
    X, y = data
    return X[:TRAINED], y[:TRAINED], X[TRAINED:], y[TRAINED:]


def train_against_attacker(X, y, neurons, eps, steps=250, seed=0):
    """Hinge loss at the ends of a few projected gradient steps, by Adam."""
    random = np.random.default_rng(seed)
    d = X.shape[1]
    weights = [random.normal(size=(neurons, d)) / np.sqrt(d), 0.3 * random.normal(size=neurons),
               0.3 * random.choice([-1.0, 1.0], neurons)]
    first = [np.zeros_like(w) for w in weights]
    second = [np.zeros_like(w) for w in weights]
    for step in range(steps):
        W, b, a = weights
        Z = X + (random.uniform(-eps, eps, X.shape) if step % 3 == 1 else 0)
        for _ in range(4):
            slopes = ((Z @ W.T + b > 0) * a) @ W
            Z = np.clip(Z - eps / 1.5 * np.sign(slopes) * y[:, None], X - eps, X + eps)
        active = np.maximum(Z @ W.T + b, 0)
        pull = np.where(1 - y * (active @ a) > 0, -y, 0.0) / len(y)
        gated = (active > 0) * a * pull[:, None]
        gradients = [gated.T @ Z + 1e-4 * W, gated.sum(0) + 1e-4 * b, active.T @ pull + 1e-4 * a]
        rate = 3e-2 * (1 - step / steps)
        for i, gradient in enumerate(gradients):
            first[i] = 0.9 * first[i] + 0.1 * gradient
            second[i] = 0.999 * second[i] + 0.001 * gradient**2
            mean = first[i] / (1 - 0.9 ** (step + 1))
            weights[i] = weights[i] - rate * mean / (np.sqrt(second[i] / (1 - 0.999 ** (step + 1))) + 1e-10)
    return Network(*weights)
