"""Tensor's methods on its dtype, and those by which it is made, filled and assigned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor

KINDS = {
    "float": ms.float32,
    "int": ms.int32,
    "bool": ms.bool_,
    "half": ms.float16,
    "long": ms.int64,
    "short": ms.int16,
}


@pytest.mark.parametrize("name", KINDS)
def test_a_method_named_as_a_kind_casts(name):
    out = getattr(Tensor([1.5, -2.0]), name)()
    assert out.dtype == KINDS[name] and out.tolist() == Tensor([1.5, -2.0]).astype(KINDS[name]).tolist()


def test_a_new_tensor_takes_the_dtype_of_the_old_where_none_is_given():
    x = Tensor([1.0], ms.float16)
    assert x.new_ones(2).tolist() == [1, 1] and x.new_ones((2,)).dtype == ms.float16
    assert x.new_zeros((1, 2), dtype=ms.int32).tolist() == [[0, 0]]


def test_a_tensor_can_be_converted_in_place():
    x = Tensor([1.5, 2.5])
    assert x.set_dtype(ms.int32) == ms.int32 and x.dtype == ms.int32 and x.tolist() == [1, 2]


def test_a_tensor_can_take_the_values_and_the_shape_of_another():
    x = Tensor([1.0, 2.0])
    assert x.assign_value(Tensor([[3]])) is x and x.tolist() == [[3]] and x.dtype == ms.int64


def test_a_gradient_passes_through_an_assigned_value():
    def function(x):
        y = Tensor([0.0, 0.0])
        y.assign_value(x * 3)
        return y.value().sum()

    assert ms.grad(function)(Tensor([1.0, 2.0])).tolist() == [3, 3]


def test_itemset_gives_a_copy_with_one_element_changed():
    x = Tensor([[1, 2], [3, 4]])
    assert x.itemset(3, 9).tolist() == x.itemset((1, 1), 9).tolist() == [[1, 2], [3, 9]]
    assert Tensor(1.0).itemset(3).item() == 3 and x.tolist() == [[1, 2], [3, 4]]


@given(st.lists(st.integers(1, 3), max_size=3).map(tuple), st.data())
def test_itemset_changes_the_one_element_that_numpys_index_names(shape, data):
    """A tuple names an element if it has a number for each axis; MindSpore raises IndexError for others."""
    index = data.draw(st.integers(-9, 9) | st.lists(st.integers(-3, 3), max_size=4).map(tuple))
    expected = np.zeros(shape, np.float32)
    try:
        expected[np.unravel_index(range(expected.size)[index], shape) if isinstance(index, int) else index] = 5
        fits = isinstance(index, int) or len(index) == len(shape)
    except IndexError:
        fits = False
    if fits:
        assert Tensor(np.zeros(shape, np.float32)).itemset(index, 5.0).tolist() == expected.tolist()
    else:
        with pytest.raises(IndexError, match=r"^For 'item"):
            Tensor(np.zeros(shape, np.float32)).itemset(index, 5.0)


@pytest.mark.parametrize(("error", "arguments"), [(IndexError, (9,)), (IndexError, (4, 9)), (TypeError, (0, "a"))])
def test_itemset_refuses_what_names_no_element_or_is_no_number(error, arguments):
    with pytest.raises(error, match=r"^For 'item"):
        Tensor([[1, 2], [3, 4]]).itemset(*arguments)


def test_a_tensor_tells_what_kind_of_numbers_it_holds():
    x, n = Tensor([1.0]), Tensor([1], ms.uint8)
    assert x.is_floating_point() and x.is_signed() and not x.is_complex()
    assert not n.is_floating_point() and not n.is_signed()
    assert (x.numel(), x.nelement(), x.ndimension()) == (1, 1, 1)
