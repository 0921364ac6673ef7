"""Functions of sparse Tensors: of each stored value (``coo_sin``), and other names for their methods (``csr_mm``)."""

from __future__ import annotations

from typing import Any

from minispore.core.checks import check_bool
from minispore.core.errors import type_error, value_error
from minispore.dropin.sparse.tensors import COOTensor, CSRTensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

_OF_VALUES = (
    "abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor inv isfinite isinf isnan log log1p neg relu "
    "relu6 round sigmoid sin sinh softsign sqrt square tan tanh"
)


def _check(operation, argument, x, kind):
    """``x``, which must be a sparse Tensor of a kind."""
    if not isinstance(x, kind):
        raise type_error(operation, f"the '{argument}' must be a {kind.__name__}", type(x).__name__)
    return x


def _of_values(name, kind, prefix):
    """The function that applies ``ops.NAME`` to the stored values."""
    of_dense, full_name = getattr(F, name), f"{prefix}_{name}"

    def function(x):
        _check(full_name, "x", x, kind)
        return x.with_values(of_dense(x.values))

    function.__name__ = function.__qualname__ = full_name
    function.__doc__ = f"``ops.{name}`` of each stored value of a {kind.__name__}."
    return function


_MADE = {
    f"{prefix}_{name}": _of_values(name, kind, prefix)
    for prefix, kind in (("coo", COOTensor), ("csr", CSRTensor))
    for name in _OF_VALUES.split()
}
globals().update(_MADE)


def coo_add(x1, x2, thresh) -> Any:
    """The sum of two COOTensors: ``x1.add(x2, thresh)``."""
    return _check("coo_add", "x1", x1, COOTensor).add(x2, thresh)


def coo_tensor_get_dense_shape(coo_tensor) -> Any:
    """The shape of a COOTensor."""
    return _check("coo_tensor_get_dense_shape", "coo_tensor", coo_tensor, COOTensor).shape


def coo_tensor_get_indices(coo_tensor) -> Any:
    """The indices of a COOTensor."""
    return _check("coo_tensor_get_indices", "coo_tensor", coo_tensor, COOTensor).indices


def coo_tensor_get_values(coo_tensor) -> Any:
    """The values of a COOTensor."""
    return _check("coo_tensor_get_values", "coo_tensor", coo_tensor, COOTensor).values


def csr_add(a, b, alpha, beta) -> Any:
    """``alpha * a + beta * b`` of two CSRTensors: ``a.add(b, alpha, beta)``."""
    return _check("csr_add", "a", a, CSRTensor).add(b, alpha, beta)


def csr_mm(a, b, trans_a: bool = False, trans_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False) -> Any:
    """The product of a CSRTensor with a matrix: ``a.mm(b)``; transposed or adjoint factors are refused."""
    flags = {"trans_a": trans_a, "trans_b": trans_b, "adjoint_a": adjoint_a, "adjoint_b": adjoint_b}
    for name, flag in flags.items():
        if check_bool("csr_mm", name, flag):
            raise value_error("csr_mm", f"the '{name}' must be False: transpose the matrix before", flag)
    return _check("csr_mm", "a", a, CSRTensor).mm(b)


def csr_mv(csr_tensor, dense) -> Any:
    """The product of a CSRTensor with a column: ``csr_tensor.mv(dense)``."""
    return _check("csr_mv", "csr_tensor", csr_tensor, CSRTensor).mv(dense)


def csr_reduce_sum(csr_tensor, axis) -> Any:
    """The sums of the rows of a CSRTensor: ``csr_tensor.sum(axis)``."""
    return _check("csr_reduce_sum", "csr_tensor", csr_tensor, CSRTensor).sum(axis)


def csr_to_coo(tensor) -> Any:
    """A CSRTensor by coordinates: ``tensor.to_coo()``."""
    return _check("csr_to_coo", "tensor", tensor, CSRTensor).to_coo()


def csr_to_dense(csr_tensor) -> Any:
    """A CSRTensor as a dense Tensor: ``csr_tensor.to_dense()``."""
    if _check("csr_to_dense", "csr_tensor", csr_tensor, CSRTensor).ndim != 2:
        raise value_error("csr_to_dense", "the 'csr_tensor' must have 2 axes", csr_tensor.shape)
    return csr_tensor.to_dense()


def csr_tensor_get_dense_shape(csr_tensor) -> Any:
    """The shape of a CSRTensor."""
    return _check("csr_tensor_get_dense_shape", "csr_tensor", csr_tensor, CSRTensor).shape


def csr_tensor_get_indices(csr_tensor) -> Any:
    """The columns of a CSRTensor."""
    return _check("csr_tensor_get_indices", "csr_tensor", csr_tensor, CSRTensor).indices


def csr_tensor_get_indptr(csr_tensor) -> Any:
    """The starts of a CSRTensor's rows."""
    return _check("csr_tensor_get_indptr", "csr_tensor", csr_tensor, CSRTensor).indptr


def csr_tensor_get_values(csr_tensor) -> Any:
    """The values of a CSRTensor."""
    return _check("csr_tensor_get_values", "csr_tensor", csr_tensor, CSRTensor).values


__all__ = sorted(name for name in globals() if name.startswith(("coo_", "csr_")))
