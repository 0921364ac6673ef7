"""A short training in float64, the reference for the steps of a level's network."""

import numpy as np

import minispore as ms
from minispore import nn
from minispore.tools.testing.oracles.float64 import in_float64

__all__ = ["DECAY", "MOMENTUM", "RATE", "trained_in_float64"]

RATE, MOMENTUM, DECAY = 5e-4, 0.9, 0.5  # the updates are smaller than half a unit of float16 of most Parameters


def trained_in_float64(network, values, batches, rate=RATE, momentum=MOMENTUM, decay=DECAY):
    """The values of the trained Parameters, by name, after steps of momentum, computed in float64.

    The loss is the mean of squares; ``v = momentum v + g + decay w; w = w - rate v``, without the decay
    ``decay w`` for a "gamma" or a "beta", which MindSpore exempts by their names.

    Args:
        network (Cell): The network; its Parameters become float64.
        values (Sequence[numpy.ndarray]): A value for each Parameter, in their order.
        batches (Sequence[tuple]): The data and labels of each step, as arrays.
        rate (float): The learning rate. Default: 5e-4.
        momentum (float): Default: 0.9.
        decay (float): The weight decay. Default: 0.5.
    """
    in_float64(network.set_train(True), values)
    trained, loss = network.trainable_params(), nn.MSELoss()
    speeds = [np.zeros(parameter.shape) for parameter in trained]
    decays = [0.0 if "gamma" in p.name or "beta" in p.name else decay for p in trained]
    for arrays in batches:
        x, y = (ms.Tensor(array.astype(np.float64)) for array in arrays)
        found = ms.grad(lambda x, y=y: loss(network(x), y), None, trained)(x)
        for i, gradient in enumerate(found):
            value = trained[i].asnumpy()
            speeds[i] = momentum * speeds[i] + gradient.asnumpy() + decays[i] * value
            trained[i].set_data(ms.Tensor(value - rate * speeds[i]))
    return {parameter.name: parameter.asnumpy() for parameter in trained}
