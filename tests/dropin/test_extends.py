"""Decorators of constructors."""

from minispore import nn
from minispore.dropin._extends import cell_attr_register


def test_the_arguments_of_the_call_are_remembered():
    class All(nn.Cell):
        @cell_attr_register
        def __init__(self, a, b=2):
            super().__init__()

    class Some(nn.Cell):
        @cell_attr_register(attrs=["b"])
        def __init__(self, a, b=2):
            super().__init__()

    assert (All(1).cell_init_args, Some(1, b=5).cell_init_args) == ("All[1, 2]", "Some[5]")
