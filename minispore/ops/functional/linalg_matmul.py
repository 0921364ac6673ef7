"""Functional wrappers of matrix products, and of adding a bias."""

from __future__ import annotations

from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors, make
from minispore.ops.number_checks import check_number
from minispore.ops.operations.linalg import matmul as linear
from minispore.ops.operations.linalg.outer_product import Ger

__all__ = [
    "addbmm",
    "addmm",
    "addmv",
    "addr",
    "baddbmm",
    "batch_matmul",
    "bias_add",
    "bmm",
    "dense",
    "ger",
    "matmul",
    "mm",
    "mv",
]
METHODS = "addbmm addmm baddbmm bmm matmul mm"

ger = Ger()
_bias_add = linear.BiasAdd()


def bias_add(input_x: Tensor, bias: Tensor) -> Tensor:
    """A bias for each channel, axis 1, added: ``BiasAdd()(input_x, bias)``.

    Shapes: x is (N, C) or (N, C, *), the bias (C,); the output has the shape of x. Dtypes: floats and ints, kept;
    TypeError for bools and complex.

    Raises:
        TypeError: If ``input_x`` or ``bias`` is not a Tensor, or ``bias`` and ``input_x`` differ in dtype.
        ValueError: If ``input_x`` does not have 2 to 5 axes, or ``bias`` does not have the length of x's channels. Also
            if ``bias`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bias_add(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([10.0, 20.0])))
        [[11. 22.]
         [13. 24.]]
    """
    return _bias_add(input_x, bias)


def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Matrix product with NumPy's rules for axes: vectors count as a row or a column, leading axes broadcast.

    Shapes: (..., N, M) and (..., M, K) give (..., N, K). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If the dtypes differ.
        ValueError: If the lengths do not fit, or an input is 0-d.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ops.matmul(x, ms.Tensor([[1.0], [10.0]])))
        [[21.]
         [43.]]
        >>> print(ops.matmul(x, ms.Tensor([1.0, 10.0])))  # a vector counts as a column, and the answer is a vector
        [21. 43.]
    """
    for name, x in (("input", input), ("other", other)):
        if not isinstance(x, Tensor):
            raise type_error("matmul", f"the '{name}' must be a Tensor", type(x).__name__)
        if x.ndim == 0:
            raise value_error("matmul", f"the '{name}' must have at least one axis", "a 0-d Tensor")
    if input.ndim == 2 and other.ndim == 2:
        return _matmul(input, other)
    if input.ndim > 2 and other.ndim == 2 and input.size:  # of all rows at once: other's gradient is rounded once too
        rows = _matmul(input.reshape(-1, input.shape[-1]), other)
        return rows.reshape(*input.shape[:-1], other.shape[1])
    x = input.reshape(1, -1) if input.ndim == 1 else input
    y = other.reshape(-1, 1) if other.ndim == 1 else other
    out = _batch_matmul(x, y)
    if input.ndim == 1:
        out = out.reshape(out.shape[:-2] + out.shape[-1:])
    return out.reshape(out.shape[:-1]) if other.ndim == 1 else out


_matmul, _batch_matmul = linear.MatMul(), linear.BatchMatMul()


def batch_matmul(x: Tensor, y: Tensor) -> Tensor:
    """Matrix products over leading axes: ``BatchMatMul()(x, y)``.

    Shapes: (..., N, M) and (..., M, K) give (..., N, K); leading axes broadcast. Dtypes: floats, ints and complex,
    kept; TypeError for bools.

    Raises:
        TypeError: If ``x`` or ``y`` is not a Tensor, or ``y`` and ``x`` differ in dtype.
        ValueError: If ``x`` or ``y`` has fewer than 2 axes, or the shapes of ``x`` and ``y`` do not broadcast. Also if
            ``x`` has more or fewer columns than ``y`` has rows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, y = ms.Tensor([[[1.0, 2.0]], [[3.0, 4.0]]]), ms.Tensor([[[1.0], [1.0]], [[1.0], [-1.0]]])
        >>> print(ops.batch_matmul(x, y).ravel())
        [ 3. -1.]
    """
    return _batch_matmul(x, y)


def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Linear layer: ``out = input @ weight.T + bias``, on the last axis of the input.

    Shapes: (*, in) with a weight (out, in) gives (*, out). Dtypes: floats and ints, kept; TypeError for bools and
    complex.

    Raises:
        TypeError: If an argument is not a Tensor, or ``weight`` and ``input`` differ in dtype.
        ValueError: If ``input`` has no axis, or ``weight`` does not have two. Also if ``input`` has another last length
            than ``weight``, or ``bias`` does not have a number for each row of ``weight``. Also if ``bias`` does not
            have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.dense(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[1.0, 1.0], [1.0, -1.0]]), ms.Tensor([0.0, 10.0])))
        [[3. 9.]]
    """
    check_tensors("dense", input=input, weight=weight)
    if not input.ndim or weight.ndim != 2:
        expected = "the 'input' must have at least one axis, and the 'weight' two"
        raise value_error("dense", expected, f"shapes {input.shape} and {weight.shape}")
    out = make(linear.MatMul, False, True)(input.reshape(-1, input.shape[-1]), weight)
    out = out if bias is None else bias_add(out, bias)
    return out.reshape((*input.shape[:-1], weight.shape[0]))


def _check_axes(name, **ranks):
    """Raise unless each is a Tensor of so many axes: ``_check_axes("mv", mat=(mat, 2))``."""
    for argument, (x, rank) in ranks.items():
        if not isinstance(x, Tensor):
            raise type_error(name, f"the '{argument}' must be a Tensor", type(x).__name__)
        if x.ndim != rank:
            raise value_error(name, f"the '{argument}' must have {rank} axes", f"shape {x.shape}")


def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Matrix product: ``out = input @ mat2``, each of two axes.

    Shapes: (N, M) and (M, K) give (N, K). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an argument is not a Tensor, or ``input`` and ``mat2`` differ in dtype.
        ValueError: If ``input`` or ``mat2`` does not have 2 axes, or ``input`` has more or fewer columns than ``mat2``
            has rows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.mm(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([[0.0, 1.0], [1.0, 0.0]])))
        [[2. 1.]
         [4. 3.]]
    """
    _check_axes("mm", input=(input, 2), mat2=(mat2, 2))
    return _matmul(input, mat2)


def bmm(input_x: Tensor, mat2: Tensor) -> Tensor:
    """Matrix products over leading axes: ``BatchMatMul()(input_x, mat2)``.

    Shapes: (..., N, M) and (..., M, K) give (..., N, K). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If ``input_x`` or ``mat2`` is not a Tensor, or ``mat2`` and ``input_x`` differ in dtype.
        ValueError: If ``input_x`` or ``mat2`` has fewer than 2 axes, or ``input_x`` has more or fewer columns than
            ``mat2`` has rows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.bmm(ms.Tensor([[[1.0, 2.0]]]), ms.Tensor([[[3.0], [4.0]]])))
        [[[11.]]]
    """
    return _batch_matmul(input_x, mat2)


def mv(mat: Tensor, vec: Tensor) -> Tensor:
    """Product of a matrix and a vector: ``out = mat @ vec``.

    Shapes: (N, M) and (M,) give (N,). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an argument is not a Tensor, or ``mat`` and ``vec`` differ in dtype.
        ValueError: If ``mat`` does not have 2 axes, or ``mat`` has more or fewer columns than ``vec`` has rows. Also if
            ``vec`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.mv(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([1.0, -1.0])))
        [-1. -1.]
    """
    _check_axes("mv", mat=(mat, 2), vec=(vec, 1))
    return _matmul(mat, vec.reshape(-1, 1)).reshape(-1)


def _mixed(name, x, product, beta, alpha):
    """``beta * x + alpha * product``."""
    for argument, factor in (("beta", beta), ("alpha", alpha)):
        check_number(name, argument, factor)
    return (x if beta == 1 else x * beta) + (product if alpha == 1 else product * alpha)


def addmm(input, mat1: Tensor, mat2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """A matrix product added to a Tensor: ``out = beta * input + alpha * (mat1 @ mat2)``.

    Shapes: (N, M) and (M, K); ``input`` broadcasts to (N, K). Dtypes: floats, ints and complex, kept; TypeError for
    bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number, or ``mat1`` and ``mat2`` differ in dtype. Also if
            ``beta`` or ``alpha`` is not a number.
        ValueError: If ``mat1`` or ``mat2`` has no axis, or ``mat1`` has more or fewer columns than ``mat2`` has rows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.addmm(ms.Tensor([[100.0]]), ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0], [4.0]]), beta=2))
        [[211.]]
    """
    return _mixed("addmm", input, matmul(mat1, mat2), beta, alpha)


def addmv(x, mat: Tensor, vec: Tensor, *, beta=1, alpha=1) -> Tensor:
    """The product of a matrix and a vector added to a Tensor: ``out = beta * x + alpha * (mat @ vec)``.

    Shapes: (N, M) and (M,); ``x`` broadcasts to (N,). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number, or ``mat`` and ``vec`` differ in dtype. Also if
            ``beta`` or ``alpha`` is not a number.
        ValueError: If the shapes do not broadcast, or ``mat`` does not have 2 axes. Also if ``mat`` has more or fewer
            columns than ``vec`` has rows, or ``vec`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.addmv(ms.Tensor([100.0, 200.0]), ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([1.0, 1.0])))
        [103. 207.]
    """
    return _mixed("addmv", x, mv(mat, vec), beta, alpha)


def addr(x, vec1: Tensor, vec2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """The outer product of two vectors added to a Tensor: ``out[i, j] = beta * x + alpha * vec1[i] * vec2[j]``.

    Shapes: (N,) and (M,); ``x`` broadcasts to (N, M). Dtypes: floats, ints and complex, kept; TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number, or ``vec1`` and ``vec2`` differ in dtype. Also if
            ``beta`` or ``alpha`` is not a number.
        ValueError: If the shapes do not broadcast, or ``vec1`` or ``vec2`` does not have one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.addr(ms.Tensor([[100.0]]), ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
        [[103. 104.]
         [106. 108.]]
    """
    _check_axes("addr", vec1=(vec1, 1), vec2=(vec2, 1))
    return _mixed("addr", x, _matmul(vec1.reshape(-1, 1), vec2.reshape(1, -1)), beta, alpha)


def addbmm(input, batch1: Tensor, batch2: Tensor, *, beta=1, alpha=1) -> Tensor:
    """The sum of several matrix products added: ``out = beta * input + alpha * sum of batch1[i] @ batch2[i]``.

    Shapes: (B, N, M) and (B, M, K); ``input`` broadcasts to (N, K). Dtypes: floats, ints and complex, kept; TypeError
    for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number, or ``batch1`` and ``batch2`` differ in dtype. Also if
            ``beta`` or ``alpha`` is not a number.
        ValueError: If ``batch1`` or ``batch2`` does not have 3 axes, or the shapes do not broadcast. Also if ``batch1``
            has more or fewer columns than ``batch2`` has rows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.addbmm(ms.Tensor([[100.0]]), ms.Tensor([[[1.0]], [[2.0]]]), ms.Tensor([[[3.0]], [[4.0]]])))
        [[111.]]
    """
    _check_axes("addbmm", batch1=(batch1, 3), batch2=(batch2, 3))
    return _mixed("addbmm", input, _batch_matmul(batch1, batch2).sum(0), beta, alpha)


def baddbmm(input, batch1: Tensor, batch2: Tensor, beta=1, alpha=1) -> Tensor:
    """Several matrix products added: ``out[i] = beta * input[i] + alpha * batch1[i] @ batch2[i]``.

    Shapes: (B, N, M) and (B, M, K); ``input`` broadcasts to (B, N, K). Dtypes: floats, ints and complex, kept;
    TypeError for bools.

    Raises:
        TypeError: If an input is neither a Tensor nor a number, or ``batch1`` and ``batch2`` differ in dtype. Also if
            ``beta`` or ``alpha`` is not a number.
        ValueError: If the shapes do not broadcast, or ``batch1`` or ``batch2`` does not have 3 axes. Also if ``batch1``
            has more or fewer columns than ``batch2`` has rows.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, y = ms.Tensor([[[1.0]], [[2.0]]]), ms.Tensor([[[3.0]], [[4.0]]])
        >>> print(ops.baddbmm(ms.Tensor([[[100.0]]]), x, y).ravel())
        [103. 108.]
    """
    _check_axes("baddbmm", batch1=(batch1, 3), batch2=(batch2, 3))
    return _mixed("baddbmm", input, _batch_matmul(batch1, batch2), beta, alpha)
