"""Functional wrappers are functions: with names for their arguments, and errors that name the operation."""

import copy
import inspect
import pickle

import numpy as np
import pytest

from minispore import Tensor, ops
from minispore.core.primitive import Primitive
from minispore.ops import functional

VALUES = {"clamp", "clip", "clip_by_value", "randint"}  # a wrong value is told first
HAND_ON = {"depend", "identity", "is_tensor", "print_", "stop_gradient"}  # anything but a Tensor is handed on as it is
FACES = [name for name in functional.__all__ if not isinstance(getattr(ops, name), type)]
ONES = Tensor(np.ones((2, 2), np.float32))


def required(face):
    """How many inputs a wrapper requires."""
    found = inspect.signature(type(face).infer if isinstance(face, Primitive) else face).parameters.values()
    needed = [p for p in found if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    return len(needed) - isinstance(face, Primitive)


STRICT = [name for name in FACES if required(getattr(ops, name)) and name not in VALUES | HAND_ON]


@pytest.mark.parametrize("name", STRICT)
def test_what_is_nothing_at_all_is_a_type_error_that_names_the_operation(name):
    face = getattr(ops, name)
    with pytest.raises(TypeError, match=r"^For '\w+', "):
        face(*[object()] * required(face))


@pytest.mark.parametrize("name", FACES)
def test_a_face_can_be_copied_pickled_and_has_a_sentence(name):
    face = getattr(ops, name)
    assert isinstance(copy.deepcopy(face), type(face)) and face.__doc__
    if inspect.isfunction(face):
        assert pickle.loads(pickle.dumps(face)) is face


def test_a_face_with_two_names_is_called_by_the_first():
    assert (ops.multiply.__name__, ops.mul.__module__) == ("mul", "minispore.ops.functional.math_binary")


def test_arguments_are_taken_by_name():
    assert ops.add(input=ONES, other=1).tolist() == [[2, 2], [2, 2]]
    assert ops.add(ONES, other=ONES).tolist() == ops.sub(input=ONES * 3, other=ONES).tolist()
    assert ops.maximum(x=ONES, y=2).tolist() == ops.pow(input=ONES * 2, exponent=1).tolist()
    assert (
        ops.exp(input=ONES * 0).tolist() == ops.sqrt(x=ONES).tolist() == ops.select(cond=ONES > 0, x=ONES, y=2).tolist()
    )


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_there_is_no_place_of_the_largest_of_nothing(name):
    with pytest.raises(ValueError, match=r"For 'Arg\w+', the 'x' must have elements along axis 1, .* \(2, 0\)"):
        getattr(ops, name)(ops.zeros((2, 0)), 1)


def test_shapes_may_be_tensors():
    shape = Tensor([4, 1])
    assert ops.reshape(ONES, shape).shape == ops.zeros(shape).shape == (4, 1)
    assert ops.tile(ONES, Tensor([1, 2])).shape == ops.gather(ONES, Tensor([0, 1, 0, 1]), Tensor(1)).shape == (2, 4)


def test_partial_gives_a_function_its_first_arguments_in_functional_too():
    given = functional.partial(lambda a, b, c=3: a * 100 + b * 10 + c, 1)
    assert (given(2), given(2, c=7)) == (123, 127)
    with pytest.raises(TypeError, match="'func' must be a function, but got int"):
        functional.partial(3, 1)


AXIS_OUTSIDE = [
    ("split", "axis", lambda: ops.split(ONES, 1, 5)),
    ("gather", "axis", lambda: ops.gather(ONES, Tensor([[0]]), 5, 1)),
    ("gather", "batch_dims", lambda: ops.gather(ONES, Tensor([[0]]), 1, 5)),
    ("swapaxes", "axis1", lambda: ops.swapaxes(ONES, 0, 5)),
    ("moveaxis", "source", lambda: ops.moveaxis(ONES, 5, 0)),
    ("rot90", "dims", lambda: ops.rot90(ONES, 1, (0, 5))),
    ("diagonal", "dim2", lambda: ops.diagonal(ONES, 0, 0, 5)),
    ("narrow", "axis", lambda: ops.narrow(ONES, 5, 0, 1)),
    ("chunk", "axis", lambda: ops.chunk(ONES, 2, 5)),
    ("tensor_split", "axis", lambda: ops.tensor_split(ONES, 2, 5)),
    ("repeat_elements", "axis", lambda: ops.repeat_elements(ONES, 2, 5)),
    ("index_fill", "axis", lambda: ops.index_fill(ONES, 5, 0, 1.0)),
    ("trace", "axis2", lambda: ONES.trace(0, 0, 5)),
    ("topk", "dim", lambda: ops.topk(ONES, 1, 5)),
    ("take", "axis", lambda: ONES.take(Tensor([0]), 5)),
]


@pytest.mark.parametrize(("name", "argument", "call"), AXIS_OUTSIDE)
def test_an_axis_outside_is_told_by_the_function_that_was_called(name, argument, call):
    with pytest.raises(ValueError, match=rf"^For '{name}', the '{argument}' must be in \[-2, 2\), but got 5\.$"):
        call()


def test_a_row_that_is_no_int_is_told_by_the_function_that_was_called():
    with pytest.raises(TypeError, match=r"^For 'tril_indices', the 'row' must be an int"):
        ops.tril_indices("2", 2)


@pytest.mark.parametrize(
    ("error", "text", "call"),
    [
        (ValueError, r"^For 'Transpose', the 'input_perm' must name", lambda: ops.transpose(Tensor(1.0), (1, 0))),
        (TypeError, r"^For 'Lerp', the 'start' must be a Tensor", lambda: ops.lerp({}, Tensor([1.0]), 0.5)),
        (ValueError, r"^For 'tril_indices', the 'row' must be at least 0", lambda: ops.tril_indices(-7, 2)),
        (ValueError, r"^For 'triu_indices', the 'col' must be at least 0", lambda: ops.triu_indices(2, -7)),
    ],
)
def test_wrong_calls_end_in_a_sentence_and_not_in_that_of_numpy(error, text, call):
    with pytest.raises(error, match=text):
        call()
