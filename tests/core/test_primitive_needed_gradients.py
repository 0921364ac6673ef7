"""A rule computes the gradients that are needed, and says None for the others."""

import ast
import pathlib

import numpy as np
import pytest

import minispore
from minispore import Tensor, ops
from minispore.core.tape import needs_grad
from minispore.ops.operations.math.arithmetic import Mul

ROOT = pathlib.Path(minispore.__file__).parent


def test_needs_grad_is_true_or_false():
    found = []

    def f(x, y):
        found.extend((needs_grad(x), needs_grad(y), needs_grad(1.0)))
        return x * y

    minispore.grad(f)(Tensor([2.0]), Tensor([3.0]))
    assert found == [True, False, False]


def test_no_rule_joins_the_question_and_the_gradient_by_and():
    joined = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.BoolOp)
        and isinstance(node.op, ast.And)
        and "needs_grad(" in ast.unparse(node.values[0])
    ]
    assert joined == []


@pytest.mark.parametrize(("position", "needed"), [(0, [True, False]), (1, [False, True]), ((0, 1), [True, True])])
def test_a_gradient_that_nobody_needs_is_none(position, needed):
    found = []

    def f(x, y):
        out = x * y
        found.append([g is not None for g in Mul().bprop(x, y, out, out)])
        return out

    minispore.grad(f, position)(Tensor([2.0]), Tensor([3.0]))
    assert found == [needed]


def test_matmul_gives_each_factor_its_gradient():
    a, b = Tensor(np.ones((2, 3), np.float32)), Tensor(np.full((3, 4), 2, np.float32))
    only = minispore.grad(ops.matmul, 1)(a, b)
    both = minispore.grad(ops.matmul, (0, 1))(a, b)
    assert (only.asnumpy() == both[1].asnumpy()).all()
    assert (both[0].asnumpy() == 8).all()
