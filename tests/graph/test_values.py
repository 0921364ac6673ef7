"""``mutable`` and ``jit_class``: values and classes stay what they are."""

import pytest

import minispore as ms
from minispore import nn


@pytest.mark.parametrize("value", [3, 2.0, True, (1, 2), [1, (2.0,)], {"a": ms.Tensor([1])}], ids=repr)
def test_mutable_gives_the_value(value):
    assert ms.mutable(value) is value


@pytest.mark.parametrize(("value", "dynamic"), [("x", False), ((1, "x"), False), (1, True), ((1,), 1)])
def test_mutable_refuses_what_mindspore_refuses(value, dynamic):
    with pytest.raises(TypeError, match=r"^For 'mutable', "):
        ms.mutable(value, dynamic)


def test_a_list_may_have_a_dynamic_length():
    assert ms.mutable([1], True) == [1]


def test_jit_class_gives_the_class():
    @ms.jit_class
    class Twice:
        def __call__(self, x):
            return 2 * x

    assert ms.jit(lambda x: Twice()(x))(ms.Tensor(3)) == 6
    assert ms.ms_class(Twice) is Twice


@pytest.mark.parametrize("wrong", [3, len, nn.Dense])
def test_jit_class_takes_classes_other_than_cells(wrong):
    with pytest.raises(TypeError, match=r"^For 'jit_class', "):
        ms.jit_class(wrong)
