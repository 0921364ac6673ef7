"""The arguments of layers: for each a strategy of its expression and its inputs."""

from minispore import nn
from minispore.tools.testing.strategies.layer_arguments import HELD_ELSEWHERE, LAYERS


def test_every_layer_is_drawn_or_has_its_reason():
    layers = {name for name in nn.layer.__all__ if isinstance(getattr(nn, name, None), type) and name[0].isupper()}
    layers = {name for name in layers if issubclass(getattr(nn, name), nn.Cell)}
    told = LAYERS.keys() | HELD_ELSEWHERE.keys()
    missing = layers - told
    assert not missing, f"add to testing/strategies/layer_arguments.py a line for each of {sorted(missing)}"
    assert not LAYERS.keys() & HELD_ELSEWHERE.keys()
    assert not {name for name in told if not hasattr(nn, name)}
