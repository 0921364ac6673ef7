"""vmap, jacrev and jacfwd: what 2.0.0 answers on the same inputs, and their gradients."""

import numpy as np
import pytest

import minispore as ms
from minispore import ops

X = ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
ONES = ms.Tensor(np.ones((2, 3), np.float32))
V, W = ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([2.0, 3.0, 4.0])


def squares(a):
    return (a * a).sum()


def line(a, b):
    return a * b + a


def rows(answer):
    return [rows(x) for x in answer] if isinstance(answer, tuple) else answer.asnumpy().tolist()


DIAGONAL_W, DIAGONAL_V = np.diag([3.0, 4.0, 5.0]).tolist(), np.diag([1.0, 2.0, 3.0]).tolist()
MAPPED = [
    (line, (), (X, ONES), [[0, 2, 4], [6, 8, 10]]),
    (squares, (), (X,), [5, 50]),
    (squares, (1,), (X,), [9, 17, 29]),
    (squares, (-1,), (X,), [9, 17, 29]),
    (line, ((0, None),), (X, V), [[0, 3, 8], [6, 12, 20]]),
    (line, ((0, None), 1), (X, V), [[0, 6], [3, 12], [8, 20]]),
    (lambda a: (a, a.sum()), (0, (1, 0)), (X,), [[[0, 3], [1, 4], [2, 5]], [3, 12]]),
    (ms.grad(squares), (), (X,), [[0, 2, 4], [6, 8, 10]]),
]


@pytest.mark.parametrize(("fn", "axes", "inputs", "expected"), MAPPED)
def test_vmap_stacks_what_the_samples_give(fn, axes, inputs, expected):
    assert rows(ops.vmap(fn, *axes)(*inputs)) == expected


def test_gradients_flow_through_vmap():
    assert rows(ms.grad(lambda x: ops.vmap(squares)(x).sum())(X)) == [[0, 2, 4], [6, 8, 10]]


@pytest.mark.parametrize(
    ("axes", "inputs", "kind"),
    [
        ((None, None), (V, V), ValueError),
        ((0, 5), (X, ONES), ValueError),
        ((0,), (X, ONES), ValueError),
        (0, (X, V[:1]), ValueError),
        (0, (X, 2.0), TypeError),
    ],
)
def test_vmap_refuses_inputs_without_one_length(axes, inputs, kind):
    with pytest.raises(kind, match="For 'vmap'"):
        ops.vmap(line, axes)(*inputs)


@pytest.mark.parametrize("arguments", [(3,), (line, "a"), (line, 0, 1.5)])
def test_vmap_refuses_wrong_kinds(arguments):
    with pytest.raises(TypeError, match="For 'vmap'"):
        ops.vmap(*arguments)


JACOBIANS = [
    (line, (), (V, W), DIAGONAL_W),
    (line, ((0, 1),), (V, W), [DIAGONAL_W, DIAGONAL_V]),
    (line, ((0,),), (V, W), DIAGONAL_W),
    (squares, (), (X,), [[0, 2, 4], [6, 8, 10]]),
    (lambda a: (a, a * a), (), (V,), [np.eye(3).tolist(), np.diag([2.0, 4.0, 6.0]).tolist()]),
    (lambda a: (a * a, a), (0, True), (V,), [np.diag([2.0, 4.0, 6.0]).tolist(), [1, 2, 3]]),
]


@pytest.mark.parametrize("jacobian", [ms.jacrev, ms.jacfwd])
@pytest.mark.parametrize(("fn", "arguments", "inputs", "expected"), JACOBIANS)
def test_a_jacobian_has_a_row_for_each_output_and_a_column_for_each_input(jacobian, fn, arguments, inputs, expected):
    assert rows(jacobian(fn, *arguments)(*inputs)) == expected


@pytest.mark.parametrize("jacobian", [ms.jacrev, ms.jacfwd])
def test_a_jacobian_has_the_shapes_of_output_and_input_and_can_be_differentiated(jacobian):
    assert jacobian(lambda a: a.reshape((1, 3)))(V).shape == (1, 3, 3)
    cubes = ms.grad(lambda x: jacobian(lambda a: a * a * a)(x).sum())
    np.testing.assert_allclose(cubes(V).asnumpy(), [6, 12, 18], rtol=1e-6)


@pytest.mark.parametrize("jacobian", [ms.jacrev, ms.jacfwd])
def test_a_position_that_is_no_input_is_refused(jacobian):
    for position, kind in ((None, TypeError), (2, ValueError), (-1, ValueError)):
        with pytest.raises(kind, match=f"For '{jacobian.__name__}'"):
            jacobian(line, position)(V, W)
    with pytest.raises(TypeError, match=f"For '{jacobian.__name__}', the 'fn'"):
        jacobian(3)


def test_the_derivatives_have_their_addresses_in_ops():
    for name in ("grad", "value_and_grad", "vjp", "jvp", "vmap", "jacfwd", "jacrev"):
        assert getattr(ops, name) is getattr(ms, name)
