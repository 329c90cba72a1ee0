"""What hidden neurons look at, as images."""

import matplotlib.pyplot as plt
import numpy as np

from conelu.plot.style import INK, network_of


def neurons(model, shape, *, count=24, columns=8, figure=None):
    """The weights of the hidden neurons that matter most, as images.

    Weights are multiplied by the output weight: where the neuron is active, orange pixels speak for the second class (or
    a large output) and purple ones against it. All images have the same scale of colours. Neurons are ordered by how
    strongly they can move the output, the product of both layers' sizes; the number is their share of the sum. Those
    below a thousandth are not shown.

    Parameters
    ----------
    model : estimator or Network
    shape : tuple of int
        (height, width); or (planes, height, width), of which the mean over the planes is shown.
    count : int, default=24
        Neurons to show, at most.
    columns : int, default=8
    figure : matplotlib figure, optional

    Returns
    -------
    array of matplotlib axes
    """
    network = network_of(model)
    first, second = network.coefs
    if int(np.prod(shape)) != len(first):
        raise ValueError(f"shape: {tuple(shape)} has {int(np.prod(shape))} pixels, expected {len(first)}")
    strongest = np.abs(second).argmax(axis=1)
    output = second[np.arange(len(second)), strongest]
    weight = np.linalg.norm(first, axis=0) * np.abs(output)
    shown = np.argsort(-weight, kind="stable")[:count]
    shown = shown[weight[shown] >= 1e-3 * weight.sum()]
    images = (first * output)[:, shown]
    if len(shape) == 3:
        images = images.reshape(*shape, len(shown)).mean(axis=0)
    else:
        images = images.reshape(*shape, len(shown))
    columns = max(1, min(columns, len(shown)))
    rows = max(1, -(-len(shown) // columns))
    if figure is None:
        figure = plt.figure(figsize=(1.05 * columns + 0.9, 1.2 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    limit = float(np.abs(images).max(initial=0)) or 1.0
    picture = None
    for k, ax in enumerate(axes.flat):
        ax.axis("off")
        if k < len(shown):
            picture = ax.imshow(images[..., k], cmap="PuOr_r", vmin=-limit, vmax=limit, interpolation="nearest")
            label = f"{100 * weight[shown[k]] / weight.sum():.1f} %"
            if network.classes is not None and len(network.classes) > 2:
                label = f"{network.classes[strongest[shown[k]]]}: {label}"
            ax.set_title(label, fontsize=7.5, color=INK, pad=2)
    if picture is not None:
        bar = figure.colorbar(picture, ax=axes, fraction=0.03, pad=0.02)
        bar.ax.tick_params(labelsize=7.5, colors=INK)
        bar.outline.set_visible(False)
    return axes
