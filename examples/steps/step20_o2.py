"""Step 20: O2. Everything in float16, but for the black list.

The network is marked float16, each listed cell float32. A wrapper casts the listed cell's output to float16 for the
operations that read it. The loss stays in float32, as at O3.

    python examples/steps/step20_o2.py
"""

import numpy as np
from step06_cell import Sequential
from step07_dense import Dense, ReLU, batch, squared_error
from step09_momentum import Momentum
from step16_dynamic_scale import DynamicStep
from step17_o3 import CastOutput, o3, to_float
from step19_layer_norm import LayerNorm

BLACK_LIST = (LayerNorm,)


def o2(network, kind="float16"):
    """The network in float16, the listed cells in float32."""
    to_float(network, kind)
    for _, cell in list(network.cells()):
        for name, child in list(vars(cell).items()):
            if isinstance(child, BLACK_LIST):
                vars(cell)[name] = CastOutput(to_float(child, "float32"), kind)
    return CastOutput(network, "float32")


def norm_network(seed=5):
    """A network with a norm in its middle; its first layer gives numbers in the hundreds."""
    rng = np.random.default_rng(seed)
    network = Sequential(Dense(4, 8, rng), LayerNorm(8), ReLU(), Dense(8, 2, rng))
    first = network.parameters()["0.weight"]
    first.array = first.array * 256
    return network


def main():
    for level, convert in (("O0", lambda network: network), ("O3", o3), ("O2", o2)):
        network, (x, y) = convert(norm_network()), batch()
        step = DynamicStep(network, squared_error, Momentum(network.parameters().values(), 0.05, 0.9), 2.0**10)
        losses = [float(step(x, y)[0]) for _ in range(41)]
        print(level, *(f"{loss:.4f}" for loss in losses[::10]))
    print({path: cell.mark for path, cell in network.cells()})


if __name__ == "__main__":
    main()
