"""Activation layers."""

import numpy as np
import pytest
from nn.layer.test_layer_laws import reals

import minispore as ms
from minispore import nn
from minispore.nn.layer import activation


def test_get_activation_gives_a_new_layer_by_name_and_none_for_none():
    assert isinstance(nn.get_activation("tanh"), nn.Tanh)
    assert nn.get_activation(None) is None
    with pytest.raises(KeyError, match="but got 'foo'"):
        nn.get_activation("foo")


def test_an_unknown_activation_is_a_key_error_that_lists_the_known_ones():
    with pytest.raises(KeyError, match=r"For 'Bar', the 'name' must be one of .*'leakyrelu'.*'foo'"):
        nn.get_activation("foo", "Bar")
    with pytest.raises(KeyError, match="get_activation"):
        nn.get_activation("")


@pytest.mark.parametrize("name", sorted(activation._activation.keys() - {"threshold"}))
def test_every_named_activation_maps_planes_to_planes(name):
    layer = nn.get_activation(name)
    assert layer(ms.Tensor(reals(2, 4, 4, 3))).shape == (2, 4, 4, 3)


def test_no_name_is_no_activation():
    assert nn.get_activation(None) is None


def test_nan_passes_through_every_activation():
    """MindSpore's CPU turns it into numbers in some of them, which hides an overflow."""
    for name in activation._activation.keys() - {"threshold", "prelu"}:
        assert np.isnan(nn.get_activation(name)(ms.Tensor(np.full((1, 1, 1), np.nan, np.float32))).asnumpy()).all()
