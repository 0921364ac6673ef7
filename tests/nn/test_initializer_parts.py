"""MindSpore's inner functions of initializers."""

import numpy as np
import pytest

from minispore import nn
from minispore.nn import initializer_parts as initializer
from minispore.nn.initial_values.base import Initializer
from minispore.nn.initial_values.variance_scaling import XavierNormal
from minispore.nn.initializer import initializer as filled


def test_fans_and_gains():
    assert initializer._calculate_fan_in_and_fan_out((3, 4, 5)) == (20, 15)
    assert initializer._calculate_in_and_out(np.zeros((3, 4))) == (4, 3)
    assert initializer._calculate_correct_fan((3, 4), "fan_out") == 3
    assert initializer._calculate_gain("leaky_relu", 0.2) == pytest.approx(1.3867504905630728)
    assert initializer._calculate_gain("leaky_relu") == pytest.approx(1.4141428569978354)


def test_arrays_are_filled():
    assert (initializer._assignment(np.zeros((2, 2)), 3) == 3).all()
    assert initializer._assignment(np.zeros(()), 3) == 3
    drawn = initializer._init_random_uniform(2, 6, (1000,))
    assert drawn.dtype == np.float32 and 2 <= drawn.min() < 2.1 and 5.9 < drawn.max() <= 6
    drawn = initializer._init_random_normal(5, 0.1, (1000,))
    assert drawn.dtype == np.float32 and abs(drawn.mean() - 5) < 0.02 and abs(drawn.std() - 0.1) < 0.02


def test_every_alias_makes_a_weight():
    assert initializer._INITIALIZER_ALIAS["xaviernormal"] is XavierNormal
    for name in initializer._INITIALIZER_ALIAS.keys() - {"dirac"}:
        assert nn.Dense(2, 3, weight_init=name).weight.shape == (3, 2)


@pytest.mark.parametrize(
    "call",
    [
        lambda: initializer._calculate_fan_in_and_fan_out((3,)),
        lambda: initializer._calculate_correct_fan((3, 4), "fan"),
        lambda: initializer._calculate_gain("x"),
    ],
)
def test_wrong_arguments_are_refused(call):
    with pytest.raises(ValueError, match=r"^For 'initializer', the '"):
        call()


def test_truncated_normal_values_lie_within_their_bounds():
    drawn = initializer._init_truncated_normal(-1.0, 2.0, 0.5, 1.0, (1000,))
    assert drawn.dtype == np.float32 and -1 <= drawn.min() < -0.9 and 1.9 < drawn.max() <= 2


def test_a_registered_initializer_is_found_by_its_names():
    before = dict(initializer._INITIALIZER_ALIAS)

    @initializer._register("seven")
    class Sevens(Initializer):
        def _initialize(self, arr):
            arr[...] = 7

    try:
        for name in ("seven", "Sevens"):
            assert (filled(name, [2]).asnumpy() == 7).all()
    finally:
        initializer._INITIALIZER_ALIAS.clear()
        initializer._INITIALIZER_ALIAS.update(before)
