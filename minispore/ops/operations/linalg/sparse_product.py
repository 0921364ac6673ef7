"""SparseTensorDenseMatmul: the product of a matrix that is given by its elements with a dense one."""

from __future__ import annotations

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_bool, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tape import zeros_like
from minispore.core.tensor import Tensor, wrap
from minispore.ops.operations.array.gather import Gather
from minispore.ops.operations.array.scatter import TensorScatterAdd

__all__ = ["SparseTensorDenseMatmul"]

_gather, _added = Gather(), TensorScatterAdd()


class SparseTensorDenseMatmul(Primitive):
    """Product of a sparse matrix with a dense one: ``out = sparse @ dense``, each transposed where it is asked for.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Args:
        adjoint_st (bool): If True, the sparse matrix is transposed. Default: False.
        adjoint_dt (bool): If True, the dense matrix is transposed. Default: False.

    Inputs: ``indices`` (n, 2), int32 or int64, the row and column of each element; ``values`` (n,), the elements;
    ``sparse_shape``, a tuple of two ints; ``dense``, of two axes and of the dtype of the values.

    Raises:
        TypeError: If an argument or input is of a wrong kind.
        ValueError: If shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> places, values = ms.Tensor([[0, 1], [1, 2]]), ms.Tensor([1.0, 2.0])
        >>> dense = ms.Tensor([[1.0], [2.0], [3.0]])
        >>> print(ms.ops.SparseTensorDenseMatmul()(places, values, (2, 3), dense))
        [[2.]
         [6.]]
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False) -> None:
        for name, value in (("adjoint_st", adjoint_st), ("adjoint_dt", adjoint_dt)):
            self.add_prim_attr(name, check_bool(self.name, name, value))

    def __call__(self, indices, values, sparse_shape, dense):
        """The product."""
        shape = self._check_inputs(indices, values, sparse_shape, dense)
        dense = dense.swapaxes(0, 1) if self.adjoint_dt else dense
        shape, (row, column) = (shape[::-1], (1, 0)) if self.adjoint_st else (shape, (0, 1))
        if dense.shape[0] != shape[1]:
            raise value_error(self.name, f"the 'dense' must have {shape[1]} rows", f"shape {dense.shape}")
        parts = _gather(dense, indices[:, column], 0) * values.expand_dims(1)
        out = wrap(backend.xp.zeros((shape[0], dense.shape[1]), dense.array.dtype))
        return _added(out, indices[:, row : row + 1], parts) if len(values) else zeros_like(out)

    def _check_inputs(self, indices, values, sparse_shape, dense):
        for name, x, axes in (("indices", indices, 2), ("values", values, 1), ("dense", dense, 2)):
            if not isinstance(x, Tensor):
                raise type_error(self.name, f"the '{name}' must be a Tensor", type(x).__name__)
            if x.ndim != axes:
                raise value_error(self.name, f"the '{name}' must have {axes} axes", f"shape {x.shape}")
        if indices.array.dtype not in (np.int32, np.int64):
            raise type_error(self.name, "the 'indices' must be of int32 or int64", indices.dtype)
        if values.dtype != dense.dtype or not values.is_floating_point():
            got = f"{values.dtype} and {dense.dtype}"
            raise type_error(self.name, "the 'values' and 'dense' must be of one floating dtype", got)
        if indices.shape != (len(values), 2):
            raise value_error(self.name, f"the 'indices' must have the shape {(len(values), 2)}", indices.shape)
        shape = tuple(sparse_shape) if isinstance(sparse_shape, (tuple, list)) else None
        if shape is None or len(shape) != 2 or not all(map(is_int, shape)):
            raise type_error(self.name, "the 'sparse_shape' must be a tuple of two ints", shown(sparse_shape))
        places = backend.to_host(indices.array)
        if places.size and ((places < 0).any() or (places >= np.array(shape)).any()):
            raise value_error(self.name, f"the 'indices' must lie in the 'sparse_shape', {shape}", "others")
        return shape
