"""Two layers of weights, as scikit-learn keeps them, and scalers in front of them, as the library takes them."""

import numpy as np

from conelu import _core


def networks_of(coefs, intercepts, classes):
    """A network for each output that tells classes apart: one for two of them or none, else one each.

    A neuron without a weight in the output is left out.
    """
    for name, given in (("coefs", coefs), ("intercepts", intercepts)):
        if len(given) != 2:
            raise ValueError(f"{name}: has {len(given)} arrays, expected 2, a hidden layer and an output layer")
    first, second = (np.asarray(layer, dtype=float) for layer in coefs)
    hidden_bias, output_bias = (np.asarray(layer, dtype=float).reshape(-1) for layer in intercepts)
    second = second.reshape(len(second), -1)
    if first.ndim != 2 or len(second) != first.shape[1] or len(hidden_bias) != first.shape[1]:
        raise ValueError(
            f"coefs: shapes {first.shape} and {second.shape} with {len(hidden_bias)} hidden intercepts, expected "
            "(n_features, n_neurons), (n_neurons, n_outputs) and n_neurons"
        )
    if len(output_bias) != second.shape[1]:
        raise ValueError(f"intercepts: has {len(output_bias)} outputs, expected {second.shape[1]}, as coefs have")
    if classes is not None and len(classes) == 2 and second.shape[1] == 2:
        second, output_bias = second[:, 1:] - second[:, :1], output_bias[1:] - output_bias[:1]
    outputs = 1 if classes is None or len(classes) == 2 else len(classes)
    if second.shape[1] != outputs or (classes is not None and len(classes) < 2):
        what = "a regression" if classes is None else f"{len(classes)} classes"
        raise ValueError(f"coefs: {second.shape[1]} outputs do not fit {what}")
    networks = []
    for weights, bias in zip(second.T, output_bias, strict=True):
        used = weights != 0
        networks.append(_core.Neurons(first.T[used], hidden_bias[used], weights[used], float(bias)))
    return networks


def scaling_of(scalers):
    """(center, scale) of scalers one after another."""
    center, scale = 0.0, 1.0
    for scaler in scalers:
        kind = type(scaler).__name__
        if kind == "StandardScaler":
            step_center = 0.0 if scaler.mean_ is None else scaler.mean_
            step_scale = 1.0 if scaler.scale_ is None else scaler.scale_
        elif kind == "MinMaxScaler" and not scaler.clip:
            step_scale = 1 / scaler.scale_
            step_center = -scaler.min_ * step_scale
        else:
            raise ValueError(f"estimator: has the step {scaler!r}, expected StandardScaler or MinMaxScaler")
        # (((x - c) / s) - c') / s' = (x - (c + s c')) / (s s')
        center, scale = center + scale * step_center, scale * step_scale
    return (None, None) if np.ndim(center) == np.ndim(scale) == 0 else tuple(np.broadcast_arrays(center, scale))
