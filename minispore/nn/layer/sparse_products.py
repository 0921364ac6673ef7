"""Layers of sparse matrices given by their parts: their dense form, and their product with a dense matrix."""

from __future__ import annotations

from minispore.core.checks import check_bool
from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops.operations.linalg.sparse_product import SparseTensorDenseMatmul as Product

__all__ = ["SparseTensorDenseMatmul", "SparseToDense"]


class SparseToDense(Cell):
    """The dense Tensor of a sparse one: ``x.to_dense()`` of a COOTensor.

    Raises:
        TypeError: If x is not a sparse Tensor.

    Examples:
        >>> import minispore as ms
        >>> x = ms.COOTensor(ms.Tensor([[0, 1], [1, 0]]), ms.Tensor([1.0, 2.0]), (2, 2))
        >>> print(ms.nn.SparseToDense()(x))
        [[0. 1.]
         [2. 0.]]
    """

    def construct(self, input) -> Tensor:
        """Put the values into zeros."""
        if not hasattr(input, "to_dense"):
            raise type_error("SparseToDense", "the 'input' must be a sparse Tensor", type(input).__name__)
        return input.to_dense()


class SparseTensorDenseMatmul(Cell):
    """The product of a sparse matrix and a dense one: ``ops.SparseTensorDenseMatmul``.

    Args:
        adjoint_st (bool): If True, the sparse matrix is transposed. Default: False.
        adjoint_dt (bool): If True, the dense matrix is transposed. Default: False.

    Inputs: the indices ``(n, 2)``, values ``(n,)`` and shape of the sparse matrix, and the dense one.

    Raises:
        TypeError: If a switch is not a bool, or an input of a wrong kind.
        ValueError: If the shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> indices, values = ms.Tensor([[0, 1], [1, 0]]), ms.Tensor([1.0, 2.0])
        >>> print(ms.nn.SparseTensorDenseMatmul()(indices, values, (2, 2), ms.Tensor([[1.0], [10.0]])))
        [[10.]
         [ 2.]]
    """

    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False) -> None:
        super().__init__()
        self.adjoint_st = check_bool("SparseTensorDenseMatmul", "adjoint_st", adjoint_st)
        self.adjoint_dt = check_bool("SparseTensorDenseMatmul", "adjoint_dt", adjoint_dt)
        self.product = Product(adjoint_st, adjoint_dt)

    def construct(self, indices, values, sparse_shape, dense) -> Tensor:
        """Multiply."""
        return self.product(indices, values, sparse_shape, dense)
