"""Networks and operations in float64, the reference for narrower computations."""

import numpy as np

import minispore as ms

__all__ = ["in_float64", "network_in_float64", "parameters_of", "values_for"]


def parameters_of(network):
    """The shapes of a network's Parameters, in their order."""
    return [(parameter.name, parameter.shape) for parameter in network.get_parameters()]


def values_for(network, seed=0):
    """A value for each Parameter, in order: about 1 for scales, above 0 for variances, small for the rest; float32."""
    rng, values = np.random.default_rng(seed), []
    for name, shape in parameters_of(network):
        drawn = rng.uniform(-0.7, 0.7, shape)
        last = name.rpartition(".")[2]
        values.append(
            (1 + 0.3 * drawn if last in ("gamma", "variance", "moving_variance") else drawn).astype(np.float32)
        )
    return values


def network_in_float64(network, values, inputs):
    """Compute a network with these values of its Parameters in float64.

    Args:
        network (Cell): The network, in evaluation; its Parameters become float64, and it keeps the values.
        values (Sequence[numpy.ndarray]): A value for each Parameter, in their order.
        inputs (Sequence[numpy.ndarray]): Its inputs.

    Examples:
        >>> import numpy as np
        >>> from minispore import nn
        >>> from minispore.testing.oracles.float64 import network_in_float64
        >>> network_in_float64(nn.Dense(2, 1), [np.ones((1, 2)), np.zeros(1)], [np.array([[0.1, 0.2]])]).round(17)
        array([[0.3]])
    """
    return in_float64(network, values)(*[ms.Tensor(_wide(x)) for x in inputs]).asnumpy()


def in_float64(network, values):
    """The network with these values of its Parameters, which become float64; what narrows them is taken away."""
    for parameter, value in zip(network.get_parameters(), values, strict=True):
        parameter.set_dtype(ms.float64)
        parameter.set_data(ms.Tensor(np.asarray(value, np.float64)))
    for _, cell in network.cells_and_names():
        cell._compute_dtype = None  # a user's own to_float would narrow
    return network


def _wide(x):
    """An array in float64; integers stay."""
    return x if x.dtype.kind in "iu" else np.asarray(x, np.float64)
