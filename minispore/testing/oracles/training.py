"""A short training in float64: what the steps of a level's network are compared with."""

import numpy as np

import minispore as ms
from minispore import nn
from minispore.testing.oracles.float64 import in_float64

__all__ = ["DECAY", "MOMENTUM", "RATE", "trained_in_float64"]

RATE, MOMENTUM, DECAY = 5e-4, 0.9, 0.5  # the updates are smaller than half a unit of float16 of most Parameters


def trained_in_float64(network, values, batches):
    """The values of the trained Parameters, by name, after steps of momentum, computed in float64.

    The loss is the mean of squares; ``v = 0.9 v + g + 0.5 w; w = w - 5e-4 v``, without the decay
    ``0.5 w`` for a "gamma" or a "beta", which MindSpore exempts by their names.

    Args:
        network (Cell): The network; its Parameters become float64.
        values (Sequence[numpy.ndarray]): A value for each Parameter, in their order.
        batches (Sequence[tuple]): The data and labels of each step, as arrays.
    """
    in_float64(network.set_train(True), values)
    trained, loss = network.trainable_params(), nn.MSELoss()
    speeds = [np.zeros(parameter.shape) for parameter in trained]
    decays = [0.0 if "gamma" in p.name or "beta" in p.name else DECAY for p in trained]
    for arrays in batches:
        x, y = (ms.Tensor(array.astype(np.float64)) for array in arrays)
        found = ms.grad(lambda x, y=y: loss(network(x), y), None, trained)(x)
        for i, gradient in enumerate(found):
            value = trained[i].asnumpy()
            speeds[i] = MOMENTUM * speeds[i] + gradient.asnumpy() + decays[i] * value
            trained[i].set_data(ms.Tensor(value - RATE * speeds[i]))
    return {parameter.name: parameter.asnumpy() for parameter in trained}
