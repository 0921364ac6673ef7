"""Exercise 8.2: a law that kills a wrong O2."""

import minispore as ms
from minispore import amp, nn


class OwnNorm(nn.LayerNorm):
    """A LayerNorm of one's own."""


def law(given):
    """Fail on a ``given`` conversion that is not O2."""
    inner = nn.SequentialCell(nn.LayerNorm((4,)), nn.Dense(4, 4), OwnNorm((4,)))
    network = nn.SequentialCell(nn.Dense(4, 4), inner, nn.BatchNorm1d(4), nn.Dense(4, 4))
    policy = amp.policy_of(given(network))
    for name in ("0", "1.1", "3"):
        assert policy.of(name).compute == ms.float16
    for name in ("1.0", "1.2", "2"):
        assert policy.of(name).compute == ms.float32
    assert all(parameter.dtype == ms.float32 for parameter in network.get_parameters())
