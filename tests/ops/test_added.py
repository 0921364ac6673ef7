"""How classes get what lower floors and rooms add to them."""

import pytest

import minispore as ms
from minispore.ops.added import add_to


class Spellings:
    def double(self):
        """Twice the value."""
        return self.value * 2

    @property
    def half(self):
        """Half of the value."""
        return self.value / 2

    flag = True


def test_a_class_gets_methods_properties_and_values_under_its_own_name():
    class Kind:
        """A kind."""

        value = 4

    add_to(Kind, Spellings)
    assert (Kind().double(), Kind().half, Kind.flag, Kind.__doc__) == (8, 2.0, True, "A kind.")
    assert Kind.double.__qualname__ == f"{Kind.__qualname__}.double"
    assert Kind.half.fget.__qualname__ == f"{Kind.__qualname__}.half"


@pytest.mark.needs("dropin")
def test_a_method_is_shown_as_the_classs_own():
    assert repr(ms.nn.Optimizer.flatten_gradients).startswith("<function Optimizer.flatten_gradients")
