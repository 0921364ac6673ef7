"""Functions of sparse Tensors: of each stored value (``coo_sin``), and other names for their methods (``csr_mm``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_bool
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.sparse.tensors import COOTensor, CSRTensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.axes import as_axis

_OF_VALUES = {  # each function with what it makes of 0.5, which its example prints
    "abs": "0.5",
    "acos": "1.0471976",
    "acosh": "1.316958",
    "asin": "0.5235988",
    "asinh": "0.4812118",
    "atan": "0.4636476",
    "atanh": "0.54930615",
    "ceil": "1.",
    "cos": "0.87758255",
    "cosh": "1.1276261",
    "exp": "1.6487212",
    "expm1": "0.6487213",
    "floor": "0.",
    "inv": "2.",
    "isfinite": " True",
    "isinf": "False",
    "isnan": "False",
    "log": "-0.6931472",
    "log1p": "0.40546513",
    "neg": "-0.5",
    "relu": "0.",
    "relu6": "6.",
    "round": "0.",
    "sigmoid": "0.62245935",
    "sin": "0.47942555",
    "sinh": "0.5210953",
    "softsign": "0.33333334",
    "sqrt": "0.70710677",
    "square": "0.25",
    "tan": "0.5463025",
    "tanh": "0.4621172",
}
_STORED = {"acosh": "2.0", "relu": "-0.5", "relu6": "8.0"}  # values that show more of a function than 0.5
_EXAMPLE = """``ops.{name}`` of each stored value of a {kind}; the places stay.

Shapes: any, kept. Errors: TypeError for what is no {kind}, and those of ``ops.{name}``.

Examples:
    >>> import minispore as ms
    >>> from minispore import ops
    >>> x = {made}
    >>> print(ops.{prefix}_{name}(x).values)
    [{shown}]
"""
_MAKERS = {
    "coo": (COOTensor, "ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([0.5]), (2, 2))"),
    "csr": (CSRTensor, "ms.CSRTensor(ms.Tensor([0, 1, 1]), ms.Tensor([1]), ms.Tensor([0.5]), (2, 2))"),
}


def _check(operation, argument, x, kind):
    """``x``, which must be a sparse Tensor of a kind."""
    if not isinstance(x, kind):
        raise type_error(operation, f"the '{argument}' must be a {kind.__name__}", type(x).__name__)
    return x


def _of_values(name, shown, prefix):
    """The function that applies ``ops.NAME`` to the stored values."""
    (kind, made), of_dense, full_name = _MAKERS[prefix], getattr(F, name), f"{prefix}_{name}"

    def function(x):
        _check(full_name, "x", x, kind)
        return x.with_values(of_dense(x.values))

    function.__name__ = function.__qualname__ = full_name
    made = made.replace("0.5", _STORED.get(name, "0.5"))
    function.__doc__ = _EXAMPLE.format(name=name, kind=kind.__name__, made=made, prefix=prefix, shown=shown)
    return function


_MADE = {
    f"{prefix}_{name}": _of_values(name, shown, prefix) for prefix in _MAKERS for name, shown in _OF_VALUES.items()
}
globals().update(_MADE)


def coo_add(x1, x2, thresh) -> Any:
    """The sum of two COOTensors: ``x1.add(x2, thresh)``.

    Shapes: one dense shape for both, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.coo_add(x, x, ms.Tensor(0.0)).to_dense())
        [[ 0. 10.]
         [ 0.  0.]]
    """
    return _check("coo_add", "x1", x1, COOTensor).add(x2, thresh)


def coo_concat(sp_input, concat_dim: int = 0) -> Any:
    """COOTensors side by side along an axis, the places sorted by rows.

    Shapes: equal but for the axis, along which they add up. Dtypes: floats and ints, kept; TypeError for bools
    and complex.

    Args:
        sp_input (Union[list(COOTensor), tuple(COOTensor)]): Two matrices or more.
        concat_dim (int): The axis. Default: 0.

    Raises:
        TypeError: If ``sp_input`` is not a list or tuple of COOTensors, they differ in dtype, or ``concat_dim`` is not
            an int.
        ValueError: If there are fewer than two, the shapes do not fit, or ``concat_dim`` is no axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([5.0]), (1, 2))
        >>> print(ops.coo_concat((x, x)).to_dense())
        [[0. 5.]
         [0. 5.]]
    """
    if not isinstance(sp_input, (list, tuple)):
        raise type_error("coo_concat", "the 'sp_input' must be a list or tuple of COOTensors", type(sp_input).__name__)
    if len(sp_input) < 2:
        raise value_error("coo_concat", "the 'sp_input' must have at least 2 COOTensors", len(sp_input))
    first = _check("coo_concat", "sp_input", sp_input[0], COOTensor)
    axis = as_axis("coo_concat", concat_dim, 2, "concat_dim")
    places, length = [], 0
    for x in sp_input:
        if _check("coo_concat", "sp_input", x, COOTensor).dtype != first.dtype:
            raise type_error("coo_concat", f"the 'sp_input' must all be of {first.dtype}", x.dtype)
        if x.shape[1 - axis] != first.shape[1 - axis]:
            expected = f"the 'sp_input' must have the length {first.shape[1 - axis]} along axis {1 - axis}"
            raise value_error("coo_concat", expected, f"shape {x.shape}")
        places.append(x.indices.asnumpy() + length * (np.arange(2) == axis))
        length += x.shape[axis]
    places = np.concatenate(places).astype(first.indices.asnumpy().dtype)
    order = np.lexsort(places.T[::-1])  # by rows, then by columns; equal places keep their order
    values = F.gather(F.concat(tuple(x.values for x in sp_input)), Tensor(order), 0)
    shape = tuple(length if i == axis else first.shape[i] for i in range(2))
    return COOTensor(Tensor(places[order]), values, shape)


def coo_tensor_get_dense_shape(coo_tensor) -> Any:
    """The shape of a COOTensor.

    Raises:
        TypeError: If ``coo_tensor`` is not a COOTensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ops.coo_tensor_get_dense_shape(ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([5.0]), (2, 2)))
        (2, 2)
    """
    return _check("coo_tensor_get_dense_shape", "coo_tensor", coo_tensor, COOTensor).shape


def coo_tensor_get_indices(coo_tensor) -> Any:
    """The indices of a COOTensor.

    Raises:
        TypeError: If ``coo_tensor`` is not a COOTensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.coo_tensor_get_indices(ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([5.0]), (2, 2))))
        [[0 1]]
    """
    return _check("coo_tensor_get_indices", "coo_tensor", coo_tensor, COOTensor).indices


def coo_tensor_get_values(coo_tensor) -> Any:
    """The values of a COOTensor.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``coo_tensor`` is not a COOTensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.coo_tensor_get_values(ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([5.0]), (2, 2))))
        [5.]
    """
    return _check("coo_tensor_get_values", "coo_tensor", coo_tensor, COOTensor).values


def csr_add(a, b, alpha, beta) -> Any:
    """``alpha * a + beta * b`` of two CSRTensors: ``a.add(b, alpha, beta)``.

    Shapes: one dense shape for both, kept. Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.csr_add(x, x, ms.Tensor(1.0), ms.Tensor(10.0)).to_dense())
        [[ 0. 55.]
         [ 0.  0.]]
    """
    return _check("csr_add", "a", a, CSRTensor).add(b, alpha, beta)


def csr_mm(a, b, trans_a: bool = False, trans_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False) -> Any:
    """The product of a CSRTensor with a matrix: ``a.mm(b)``; transposed or adjoint factors are refused.

    Shapes: (N, M) and (M, K) give (N, K). Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``a`` is not a CSRTensor, ``b`` is not a Tensor or a CSRTensor, or an argument is not a bool.
        ValueError: If the matrices do not have 2 axes, or their columns and rows do not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.csr_mm(x, ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[15. 20.]
         [ 0.  0.]]
    """
    flags = {"trans_a": trans_a, "trans_b": trans_b, "adjoint_a": adjoint_a, "adjoint_b": adjoint_b}
    for name, flag in flags.items():
        if check_bool("csr_mm", name, flag):
            raise value_error("csr_mm", f"the '{name}' must be False: transpose the matrix before", flag)
    return _check("csr_mm", "a", a, CSRTensor).mm(b)


def csr_mv(csr_tensor, dense) -> Any:
    """The product of a CSRTensor with a column: ``csr_tensor.mv(dense)``.

    Shapes: (N, M) and (M, 1) give (N, 1). Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``csr_tensor`` is not a CSRTensor, or ``dense`` is not a Tensor.
        ValueError: If ``dense`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.csr_mv(x, ms.Tensor([[1.0], [3.0]])))
        [[15.]
         [ 0.]]
    """
    return _check("csr_mv", "csr_tensor", csr_tensor, CSRTensor).mv(dense)


def csr_reduce_sum(csr_tensor, axis) -> Any:
    """The sums of the rows of a CSRTensor: ``csr_tensor.sum(axis)``.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``csr_tensor`` is not a CSRTensor, or ``axis`` is not an int.
        ValueError: If ``axis`` is not 1 or -1.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 2, 2], ms.int32), ms.Tensor([0, 1], ms.int32), ms.Tensor([5.0, 7.0]), (2, 2))
        >>> print(ops.csr_reduce_sum(x, 1))
        [[12.]
         [ 0.]]
    """
    return _check("csr_reduce_sum", "csr_tensor", csr_tensor, CSRTensor).sum(axis)


def csr_to_coo(tensor) -> Any:
    """A CSRTensor by coordinates: ``tensor.to_coo()``.

    Raises:
        TypeError: If ``tensor`` is not a CSRTensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.csr_to_coo(x).indices)
        [[0 1]]
    """
    return _check("csr_to_coo", "tensor", tensor, CSRTensor).to_coo()


def csr_to_dense(csr_tensor) -> Any:
    """A CSRTensor as a dense Tensor: ``csr_tensor.to_dense()``.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.csr_to_dense(x))
        [[0. 5.]
         [0. 0.]]
    """
    if _check("csr_to_dense", "csr_tensor", csr_tensor, CSRTensor).ndim != 2:
        raise value_error("csr_to_dense", "the 'csr_tensor' must have 2 axes", csr_tensor.shape)
    return csr_tensor.to_dense()


def csr_tensor_get_dense_shape(csr_tensor) -> Any:
    """The shape of a CSRTensor.

    Raises:
        TypeError: If ``csr_tensor`` is not a CSRTensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> ops.csr_tensor_get_dense_shape(x)
        (2, 2)
    """
    return _check("csr_tensor_get_dense_shape", "csr_tensor", csr_tensor, CSRTensor).shape


def csr_tensor_get_indices(csr_tensor) -> Any:
    """The columns of a CSRTensor.

    Raises:
        TypeError: If ``csr_tensor`` is not a CSRTensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.csr_tensor_get_indices(x))
        [1]
    """
    return _check("csr_tensor_get_indices", "csr_tensor", csr_tensor, CSRTensor).indices


def csr_tensor_get_indptr(csr_tensor) -> Any:
    """The starts of a CSRTensor's rows.

    Raises:
        TypeError: If ``csr_tensor`` is not a CSRTensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.csr_tensor_get_indptr(x))
        [0 1 1]
    """
    return _check("csr_tensor_get_indptr", "csr_tensor", csr_tensor, CSRTensor).indptr


def csr_tensor_get_values(csr_tensor) -> Any:
    """The values of a CSRTensor.

    Dtypes: any, kept.

    Raises:
        TypeError: If ``csr_tensor`` is not a CSRTensor.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 1], ms.int32), ms.Tensor([1], ms.int32), ms.Tensor([5.0]), (2, 2))
        >>> print(ops.csr_tensor_get_values(x))
        [5.]
    """
    return _check("csr_tensor_get_values", "csr_tensor", csr_tensor, CSRTensor).values


__all__ = sorted(name for name in globals() if name.startswith(("coo_", "csr_")))
