"""Arrays of one value: what a shape may be."""

import pytest

import minispore.numpy as mnp


@pytest.mark.parametrize("function", [mnp.zeros, mnp.ones, mnp.empty])
def test_a_shape_is_a_list_and_no_iterator(function):
    assert function([2, 3]).shape == (2, 3)
    for lengths in ((n for n in (2, 3)), map(int, "23"), {2, 3}):
        with pytest.raises(TypeError, match=r"the 'shape' must be an int, or a tuple or list of ints"):
            function(lengths)
