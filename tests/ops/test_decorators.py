"""Decorators of primitives of one's own."""

import pytest

from minispore import ops


class Scaled(ops.Primitive):
    @ops.prim_attr_register
    def __init__(self, factor, shift=0):
        self.made = True


def test_the_arguments_of_a_decorated_init_become_attributes():
    one = Scaled(3)
    assert (one.factor, one.shift, one.made, one.attrs) == (3, 0, True, {"factor": 3, "shift": 0})
    assert Scaled(3, shift=2).attrs == {"factor": 3, "shift": 2}


def test_anything_but_a_function_is_refused():
    with pytest.raises(TypeError, match=r"^For 'prim_attr_register', the 'fn' must be a function, but got 3"):
        ops.prim_attr_register(3)


def test_a_function_of_constants_is_called_as_it_stands():
    @ops.constexpr
    def twice(n):
        return 2 * n

    @ops.constexpr(reuse_result=False)
    def half(n):
        return n / 2

    assert (twice(3), half(3)) == (6, 1.5)
