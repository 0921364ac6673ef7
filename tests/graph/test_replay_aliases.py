"""Tensors that share an object or memory when a function is recorded, and not when it is replayed, or the other way."""

import copy

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, ops
from minispore.core.journal import noted

pytestmark = pytest.mark.usefixtures("restored")
A, B = Tensor([1.0, 2.0, 3.0]), Tensor([10.0, 20.0, 30.0])
W = Parameter([1.0, 2.0, 3.0], name="w")


def gives(function, *calls):
    """Whether ``function`` gives the same replayed for each of ``calls``, after two of the first kind."""
    replayed = ms.jit(function)
    for x in calls:
        np.testing.assert_array_equal(replayed(*x).asnumpy(), function(*x).asnumpy())
    assert replayed.recorded.reason is None and replayed.recorded.sources


@pytest.mark.parametrize("other", [A, copy.copy(A)], ids=["one Tensor", "one memory"])
def test_inputs_that_are_one_when_recorded_may_be_two_when_replayed(other):
    gives(lambda x, y: x - 2 * y, *[(A, other)] * 3, (A, B), (B, A), (A, B), (A, B), (A, other))


def test_an_input_that_the_function_holds_too_may_be_another_when_replayed():
    gives(lambda x: x - 2 * A, *[(A,)] * 3, (B,), (A,))


def test_an_input_that_shares_a_parameters_memory_may_be_another_when_replayed():
    gives(lambda x: x - 2 * W, *[(W.value(),)] * 3, (B,), (A,))


def test_a_parameter_as_an_input_is_itself():
    other = Parameter([4.0, 5.0, 6.0], name="other")
    gives(lambda x: x - 2 * W, *[(W,)] * 3, *[(other,)] * 3, *[(A,)] * 3)


@pytest.mark.parametrize("make", [lambda: Parameter([1.0, 2.0, 3.0], name="p"), lambda: Tensor([1.0, 2.0, 3.0])])
def test_two_held_tensors_that_share_memory_may_part(make):
    first = make()
    second = ops.stop_gradient(first)
    replayed = ms.jit(lambda x: x + 100 * first + second)
    for _ in range(3):
        replayed(A)
    assert replayed.recorded.sources
    first[0] = 5.0
    assert replayed(A).asnumpy().tolist() == [502.0, 204.0, 306.0]


def test_what_shares_a_parameters_memory_because_it_was_returned_may_part():
    scale = Parameter(8.0, name="scale")
    function, kept = ms.jit(lambda x: (x * scale, scale.value())), []
    for i in range(20):
        kept.append(function(Tensor(1.0)))
        scale.set_data(Tensor(9.0 + i))
    assert [float(y) for _, y in kept] == [float(x) for x, _ in kept] == [8.0 + i for i in range(20)]
    assert function.recorded.sources and function.recorded.reason is None


def test_a_parameter_of_another_kind_is_recorded_anew():
    w = Parameter(np.ones((2, 2), np.float32), name="w")
    mean, product = ms.jit(lambda x: (w * x).sum() / w.size), ms.jit(lambda x: ops.matmul(w, x))
    for _ in range(3):
        assert mean(Tensor(1.0)) == 1 and product(ops.ones((2, 1))).asnumpy().tolist() == [[2], [2]]
    w.set_data(ops.ones((4, 4)), slice_shape=True)
    assert mean(Tensor(1.0)) == 1
    w.set_data(ops.ones((2, 2)), slice_shape=True).set_dtype(ms.float16)
    with pytest.raises(TypeError, match="MatMul"):
        product(ops.ones((2, 1)))


def test_a_layout_of_memory_is_part_of_the_kind_of_an_input():
    """A view of one layout is a copy of another, and what is a view must not be written into."""
    function = ms.jit(lambda x: (x.reshape(6) + 1) * 2)
    rows, columns = (Tensor(np.arange(6, dtype=np.float32).reshape(shape)) for shape in ((3, 2), (2, 3)))
    for _ in range(3):
        function(columns.T)
    assert function(rows).asnumpy().tolist() == [2, 4, 6, 8, 10, 12]
    assert rows.asnumpy().tolist() == [[0, 1], [2, 3], [4, 5]] and len(function.recorded.sources) == 1


def test_what_a_caller_keeps_of_one_replay_the_next_leaves_alone():
    function = ms.jit(lambda x: (x * 2, (x * 3).T, x.reshape(-1), (x + 1) * (x + 1)))
    inputs = [Tensor(np.full((2, 2), i, np.float32)) for i in range(6)]
    kept = [[y.asnumpy() for y in function(x)] for x in inputs]
    for i, (double, triple, flat, square) in enumerate(kept):
        assert (double == 2 * i).all() and (triple == 3 * i).all()
        assert (flat == i).all() and (square == (i + 1) ** 2).all()


def test_what_a_function_does_to_a_list_of_its_arguments_is_the_callers():
    def double_the_first(xs):
        xs[0] = xs[0] * 2
        return xs[0]

    function, numbers = ms.jit(double_the_first), [Tensor(1.0)]
    for i in range(5):
        assert function(numbers) == numbers[0] == 2.0 ** (i + 1)
    assert function.recorded.reason == "a list among the arguments is changed"


def test_what_a_function_assigns_before_it_raises_is_the_callers():
    def assign(x):
        x[0] = 9.0
        raise ValueError("no")

    x = Tensor([1.0])
    with pytest.raises(ValueError, match="no"):
        ms.jit(assign)(x)
    assert x == 9


def test_what_a_function_assigns_to_an_input_is_taken_back_where_the_call_around_it_is():
    def assign(x):
        x[0] = 9.0
        return x * 2

    function, x = ms.jit(assign), Tensor([1.0, 2.0])
    for _ in range(4):
        out, written = noted(function, x)
        assert (x.asnumpy().tolist(), out.asnumpy().tolist()) == ([9, 2], [18, 4])
        written.undo()
        assert x.asnumpy().tolist() == [1, 2]


def test_a_constant_that_a_run_made_and_returned_is_the_callers_to_assign_to():
    def function(x):
        constant = Tensor([1.0, 2.0, 3.0])
        return x * constant, constant

    replayed = ms.jit(function)
    for i in range(4):
        out, constant = replayed(A)
        assert (out.asnumpy().tolist(), constant.asnumpy().tolist()) == ([1, 4, 9], [1, 2, 3]), i
        constant[0] = 50.0
    assert replayed.recorded.sources


class Hidden(ops.Primitive):
    """Its input's memory under another array, which does not name the first as its base."""

    def infer(self, x):
        return x

    def compute(self, xp, x):
        return np.frombuffer(memoryview(x), x.dtype)


def test_memory_that_a_primitive_of_the_users_hands_on_unseen_is_not_written_into():
    hidden = Hidden("Hidden")

    def function(x):
        made = x + 1
        view = hidden(made)
        last = made * 2  # the last use of what the view lies in
        return view, last, view + last

    replayed = ms.jit(function)
    for i in range(5):
        found = [y.asnumpy().tolist() for y in replayed(Tensor([1.0, float(i)]))]
        assert found == [[2, i + 1], [4, 2 * i + 2], [6, 3 * i + 3]], i
    assert replayed.recorded.sources


class Keeping(ops.Primitive):
    """Twice its input; it keeps what it gave last."""

    def infer(self, x):
        return x

    def compute(self, xp, x):
        self.__dict__["kept"] = out = x * 2  # unseen: an attribute that changes is a reason not to replay
        return out


def test_what_a_primitive_of_the_users_keeps_is_not_written_into():
    keeping = Keeping("Keeping")
    replayed = ms.jit(lambda x: (keeping(x) + 1) * 3)
    for i in range(5):
        assert replayed(Tensor([float(i), 1.0])).asnumpy().tolist() == [6 * i + 3, 9]
        assert keeping.kept.tolist() == [2 * i, 2], i
    assert replayed.recorded.sources
