"""Weights and data that are the same everywhere: drawn by NumPy's legacy generator, whose streams never change."""

import numpy as np
from mindspore import Tensor


def fill(net, seed=0):
    """Draw the weights with variance 1/fan_in and the biases with 0.01; scales and shifts stay. Returns the network."""
    draw = np.random.RandomState(seed)
    for parameter in net.trainable_params():
        if parameter.name.endswith(("gamma", "beta")):
            continue
        shape = parameter.shape
        spread = 0.1 if len(shape) < 2 else np.prod(shape[1:]) ** -0.5
        parameter.set_data(Tensor((draw.standard_normal(shape) * spread).astype(np.float32)))
    return net


def blobs(count, features, classes, seed=0):
    """Points around one centre for each class, and their labels as int32."""
    draw = np.random.RandomState(seed)
    centres = draw.standard_normal((classes, features)) * 2
    labels = np.arange(count) % classes
    points = centres[labels] + draw.standard_normal((count, features)) * 0.5
    return points.astype(np.float32), labels.astype(np.int32)


def images(count, size=8, channels=1, classes=4, seed=0):
    """Noisy pictures of one pattern for each class, N×C×H×W in about −1 to 1, and their labels as int32."""
    draw = np.random.RandomState(seed)
    patterns = draw.uniform(-1, 1, (classes, channels, size, size))
    labels = np.arange(count) % classes
    pictures = patterns[labels] + draw.standard_normal((count, channels, size, size)) * 0.1
    return pictures.astype(np.float32), labels.astype(np.int32)
