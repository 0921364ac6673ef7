"""Exercise 8.1: the dtype in which each cell computes at O2, beside minispore's own conversion."""

from minispore import amp, nn
from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "OwnNorm", "cases", "check"]

NEEDS = ("convert",)


class OwnNorm(nn.LayerNorm):
    """A LayerNorm of one's own."""


NETWORKS = (
    "nn.SequentialCell(nn.Dense(3, 3))",
    "nn.SequentialCell(nn.Dense(3, 3), nn.LayerNorm((3,)))",
    "nn.SequentialCell(nn.Dense(3, 3), OwnNorm((3,)))",
    "nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU())",
    "nn.SequentialCell(nn.SequentialCell(nn.LayerNorm((3,)), nn.Dense(3, 3)), nn.Dense(3, 3))",
    "nn.SequentialCell(nn.SequentialCell(nn.SequentialCell(OwnNorm((3,)), nn.Tanh())), nn.BatchNorm1d(3))",
)


def cases():
    """Networks, the smallest first."""
    for network in NETWORKS:
        yield (network,)


def check(mine, said):
    """Raise :class:`Wrong` unless each cell computes in the dtype in which it does at O2."""
    space = {"nn": nn, "OwnNorm": OwnNorm}
    network, other = eval(said, space), eval(said, space)
    paths = [path for path, _ in network.cells_and_names()]
    converted = mine.convert(network)
    if not isinstance(converted, nn.Cell):
        raise Wrong(f"convert({said}) is no Cell: {converted}")
    found, wished = amp.policy_of(converted), amp.policy_of(amp.auto_mixed_precision(other, "O2"))
    for path in paths:
        one, right = found.of(path).compute, wished.of(path).compute
        if one != right:
            raise Wrong(f"of {said} the cell '{path}' computes in {one}, not in {right}")
