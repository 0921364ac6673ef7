"""Exercise 8.1: o2 in ten lines."""

import minispore as ms
from minispore import amp

BLACK = tuple(amp.get_black_list())


def convert(network):
    """Mark a network as O2 does, in place: float16 everywhere, float32 for the cells of the black list."""
    network.to_float(ms.float16)
    for _, cell in network.cells_and_names():
        if isinstance(cell, BLACK):
            cell.to_float(ms.float32)
    return network
