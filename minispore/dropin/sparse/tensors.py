"""Sparse Tensors: records of indices, values and a shape, which compute with operations on their values."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int
from minispore.core.dtype import as_dtype
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.sparse.checks import check_coo, check_csr, check_shape, check_tensor
from minispore.ops import composite
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.number_checks import is_real

__all__ = ["COOTensor", "CSRTensor", "RowTensor", "RowTensorInner", "SparseTensor"]


def _text(x):
    """A part's repr as MindSpore writes it inside that of a sparse Tensor: without commas between the values."""
    head, _, values = repr(x).partition("value=")
    return f"{head}value={values.replace(',', '').removeprefix(' ')}"


def _parts_of(kind, whole, argument, parts):
    """The parts of ``whole``, a sparse Tensor given in place of them; else the given parts."""
    if whole is None:
        return parts
    if not isinstance(whole, kind):
        raise type_error(kind.__name__, f"the '{argument}' must be a {kind.__name__}", type(whole).__name__)
    if any(part is not None for part in parts):
        raise type_error(kind.__name__, f"beside the '{argument}' the other arguments must be None", "others too")
    return tuple(getattr(whole, f"_{name}") for name in kind._names)


class _Sparse:
    """Base of sparse Tensors; a subclass names its parts, the Tensors first and the shape last."""

    _names = ("indices", "values", "shape")

    def __repr__(self) -> str:
        shown = [f"shape={list(self._shape)}, dtype={self._values.dtype}"]
        shown += [f"{name}={_text(getattr(self, f'_{name}'))}" for name in self._names[:-1]]
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def indices(self) -> Any:
        """The places of the values, a Tensor of ints."""
        return self._indices

    @property
    def values(self) -> Any:
        """The values, a Tensor."""
        return self._values


class RowTensorInner(_Sparse):
    """Base of RowTensor in MindSpore, with the same arguments."""

    def __init__(self, indices=None, values=None, shape=None, row_tensor=None) -> None:
        indices, values, shape = _parts_of(RowTensorInner, row_tensor, "row_tensor", (indices, values, shape))
        self._indices = check_tensor("RowTensor", "indices", indices)
        self._values = check_tensor("RowTensor", "values", values)
        self._shape = check_shape("RowTensor", shape)

    @property
    def dense_shape(self) -> Any:
        """The shape of the larger Tensor."""
        return self._shape


class RowTensor(RowTensorInner):
    """Whole rows of a larger Tensor: ``dense[indices[i]] = values[i]``, and 0 elsewhere.

    Args:
        indices (Tensor): The numbers of the rows.
        values (Tensor): The rows.
        shape (tuple[int]): The shape of the larger Tensor.
        row_tensor (RowTensor): One to copy, in place of all three. Default: None.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If the shape holds an int below 1.

    Examples:
        >>> import minispore as ms
        >>> rows = ms.RowTensor(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2))
        >>> rows.dense_shape
        (3, 2)
    """


class SparseTensor(_Sparse):
    """A matrix by the places and values of its elements, as MindSpore's first versions had it: see :class:`COOTensor`.

    Args:
        indices (Tensor): The places, of shape (N, 2).
        values (Tensor): The values, of shape (N,).
        shape (tuple[int]): The matrix's shape.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If the three do not fit together.
    """

    def __init__(self, indices: Tensor, values: Tensor, shape: tuple[int, ...]) -> None:
        self._shape = check_coo(type(self).__name__, indices, values, shape)
        self._indices, self._values = indices, values

    @property
    def shape(self) -> Any:
        """The matrix's shape, a tuple of ints."""
        return self._shape


class _Matrix(_Sparse):
    """Base of COOTensor and CSRTensor: a dtype, sizes, and operations value by value."""

    __array_ufunc__ = None  # an array on the left defers to this

    @property
    def shape(self) -> Any:
        """The shape, a tuple of ints."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The values' data type."""
        return self._values.dtype

    @property
    def ndim(self) -> Any:
        """The number of axes."""
        return len(self._shape)

    @property
    def size(self) -> Any:
        """The number of values that are stored."""
        return self._values.size

    @property
    def itemsize(self) -> Any:
        """The bytes of one value."""
        return self._values.itemsize

    def to_tuple(self) -> Any:
        """The parts as a tuple: the Tensors, and the shape last."""
        return tuple(getattr(self, f"_{name}") for name in self._names)

    def with_values(self, values) -> Any:
        """A matrix with other values at the same places."""
        return type(self)(*[getattr(self, f"_{name}") for name in self._names[:-2]], values, self._shape)

    def abs(self) -> Any:
        """``|x|`` of each value."""
        return self.with_values(F.abs(self._values))

    def astype(self, dtype) -> Any:
        """The values in another dtype.

        Raises:
            TypeError: If ``dtype`` is no data type.
        """
        return self.with_values(self._values.astype(as_dtype(dtype, "astype")))

    def __neg__(self) -> Any:
        return self.with_values(-self._values)

    def __mul__(self, other) -> Any:
        return self._scaled("mul", F.mul, other)

    def __truediv__(self, other) -> Any:
        return self._scaled("div", F.div, other)

    def _scaled(self, operation, function, other):
        """``function`` of each value and of a number, or of the element of a dense Tensor at its place."""
        if is_real(other):
            return self.with_values(function(self._values, other))
        if not isinstance(other, Tensor):
            expected = f"a Tensor or a number must stand beside the {type(self).__name__}"
            raise type_error(operation, expected, type(other).__name__)
        return self.with_values(function(self._values, self._at_places(operation, other)))

    def _at_places(self, operation, dense):
        """The elements of a dense Tensor, broadcast to the matrix's shape, at the places of the values."""
        if dense.ndim > self.ndim or any(
            n not in (1, m) for n, m in zip(dense.shape[::-1], self._shape[::-1], strict=False)
        ):
            raise value_error(operation, f"the Tensor must broadcast to the shape {self._shape}", dense.shape)
        return F.gather_nd(F.broadcast_to(dense, self._shape), self._places())

    def to_dense(self) -> Any:
        """The Tensor of the same values, 0 elsewhere; values at one place are added.

        Raises:
            IndexError: If an index is outside of the shape.
        """
        return F.tensor_scatter_add(F.zeros(self._shape, self.dtype), self._places(), self._values)


class COOTensor(_Matrix):
    """A sparse matrix by coordinates: ``dense[indices[i]] = values[i]``, and 0 elsewhere; values at one place add up.

    Args:
        indices (Tensor): The places, of shape (N, 2) and dtype int16, int32 or int64.
        values (Tensor): The values, of shape (N,).
        shape (tuple[int]): The matrix's shape.
        coo_tensor (COOTensor): One to copy, in place of all three. Default: None.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If the three do not fit together.

    Examples:
        >>> import minispore as ms
        >>> x = ms.COOTensor(ms.Tensor([[0, 1], [1, 0]]), ms.Tensor([1.0, 2.0]), (2, 2))
        >>> print(x.to_dense())
        [[0. 1.]
         [2. 0.]]
    """

    def __init__(
        self, indices: Tensor | None = None, values: Tensor | None = None, shape=None, coo_tensor=None
    ) -> None:
        indices, values, shape = _parts_of(COOTensor, coo_tensor, "coo_tensor", (indices, values, shape))
        self._shape = check_coo("COOTensor", indices, values, shape)
        self._indices, self._values = indices, values

    def _places(self):
        return self._indices

    def coalesce(self) -> Any:
        """The matrix with its places sorted by rows, each once: values at one place are added."""
        rows, where = np.unique(self._indices.asnumpy(), axis=0, return_inverse=True)
        where = Tensor(where.reshape(-1, 1).astype(np.int64))
        values = F.tensor_scatter_add(F.zeros((len(rows),), self.dtype), where, self._values)
        return COOTensor(Tensor(rows), values, self._shape)

    def to_csr(self) -> Any:
        """The matrix by rows; values of one row keep their order.

        Raises:
            ValueError: If an index is outside of the shape.
        """
        places = self._indices.asnumpy()
        if len(places) and not (places.min() >= 0 and (places.max(axis=0) < self._shape).all()):
            raise value_error("to_csr", f"the 'indices' must lie in the shape {self._shape}")
        order = np.argsort(places[:, 0], kind="stable")
        ends = np.bincount(places[:, 0], minlength=self._shape[0]).cumsum()
        indptr = Tensor(np.concatenate([[0], ends]).astype(places.dtype))
        return CSRTensor(indptr, Tensor(places[order, 1]), F.gather(self._values, Tensor(order), 0), self._shape)

    def add(self, other: COOTensor, thresh: Tensor) -> Any:
        """The sum of two matrices, without the values whose absolute value is below ``thresh``.

        Args:
            other (COOTensor): The other matrix, of the same shape.
            thresh (Tensor): The smallest absolute value to keep, a number in a Tensor.

        Raises:
            TypeError: If ``other`` is no COOTensor or ``thresh`` no Tensor.
            ValueError: If the shapes differ or ``thresh`` is not one number.
        """
        if check_tensor("add", "thresh", thresh).size != 1:
            raise value_error("add", "the 'thresh' must be one number", f"shape {thresh.shape}")
        total = self._sum("add", other)
        kept = np.flatnonzero(np.abs(total.values.asnumpy()) >= thresh.asnumpy().reshape(()))
        if len(kept) == len(total.values):
            return total
        places = Tensor(total.indices.asnumpy()[kept])
        return COOTensor(places, F.gather(total.values, Tensor(kept), 0), self._shape)

    def _sum(self, operation, other):
        if not isinstance(other, COOTensor):
            raise type_error(operation, "the 'other' must be a COOTensor", type(other).__name__)
        self._check_shape_of(operation, other)
        indices = Tensor(np.concatenate([self._indices.asnumpy(), other.indices.asnumpy()]))
        return _joined(indices, F.concat([self._values, other.values]), self._shape)

    def _check_shape_of(self, operation, other):
        if other.shape != self._shape:
            raise value_error(operation, f"the 'other' must have the shape {self._shape}", other.shape)

    def __add__(self, other) -> Any:
        if not isinstance(other, Tensor):
            return self._sum("add", other)
        self._check_shape_of("add", other)
        return F.tensor_scatter_add(other, self._indices, self._values)

    def __sub__(self, other) -> Any:
        return self + -other if isinstance(other, (Tensor, COOTensor)) else self._sum("sub", other)


def _joined(indices, values, shape):
    """The coalesced matrix of places that may be more than the matrix has."""
    joined = COOTensor.__new__(COOTensor)
    joined._indices, joined._values, joined._shape = indices, values, shape
    return joined.coalesce()


class CSRTensor(_Matrix):
    """A sparse matrix by rows: row ``i`` has ``values[indptr[i]:indptr[i + 1]]`` in the columns ``indices[...]``.

    Args:
        indptr (Tensor): Where each row begins among the values, and the end of the last; ints as ``indices``.
        indices (Tensor): The column of each value, of dtype int16, int32 or int64.
        values (Tensor): The values; with further axes, blocks of values.
        shape (tuple[int]): The matrix's shape, and the further axes of the values.
        csr_tensor (CSRTensor): One to copy, in place of all four. Default: None.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If the four do not fit together.

    Examples:
        >>> import minispore as ms
        >>> x = ms.CSRTensor(ms.Tensor([0, 1, 2]), ms.Tensor([1, 0]), ms.Tensor([1.0, 2.0]), (2, 2))
        >>> print(x.to_dense())
        [[0. 1.]
         [2. 0.]]
    """

    _names = ("indptr", "indices", "values", "shape")

    def __init__(self, indptr: Tensor | None = None, indices=None, values=None, shape=None, csr_tensor=None) -> None:
        parts = _parts_of(CSRTensor, csr_tensor, "csr_tensor", (indptr, indices, values, shape))
        self._indptr, self._indices, self._values, shape = parts
        self._shape = check_csr("CSRTensor", *parts)

    @property
    def indptr(self) -> Any:
        """The start of each row among the values, and the end of the last."""
        return self._indptr

    def _rows(self):
        """The row of each value."""
        counts = np.diff(self._indptr.asnumpy())
        if self._indptr.asnumpy()[0] != 0 or (counts < 0).any() or counts.sum() != len(self._values):
            expected = f"the 'indptr' must rise from 0 to {len(self._values)}, the number of values"
            raise value_error("CSRTensor", expected, self._indptr.asnumpy().tolist())
        return np.repeat(np.arange(self._shape[0]), counts).astype(self._indices.asnumpy().dtype)

    def _places(self):
        return Tensor(np.stack([self._rows(), self._indices.asnumpy()], axis=1))

    def to_coo(self) -> Any:
        """The matrix by coordinates.

        Raises:
            ValueError: If the values are blocks.
        """
        if self.ndim != 2:
            raise value_error("to_coo", "the CSRTensor must have 2 axes", self._shape)
        return COOTensor(self._places(), self._values, self._shape)

    def mv(self, dense_vector: Tensor) -> Any:
        """The product with a column: ``self @ dense_vector``, of shape (rows, 1).

        Args:
            dense_vector (Tensor): A Tensor of shape (columns, 1).

        Raises:
            TypeError: If it is no Tensor.
            ValueError: If it has another shape.
        """
        if check_tensor("mv", "dense_vector", dense_vector).shape != (self._shape[1], 1):
            raise value_error("mv", f"the 'dense_vector' must have the shape {(self._shape[1], 1)}", dense_vector.shape)
        return self.mm(dense_vector)

    def mm(self, matrix: Tensor | CSRTensor) -> Any:
        """The product with a matrix: dense with a dense one, sparse with a CSRTensor.

        Args:
            matrix (Union[Tensor, CSRTensor]): The matrix, with as many rows as this one has columns.

        Raises:
            TypeError: If it is neither a Tensor nor a CSRTensor.
            ValueError: If the shapes do not fit.
        """
        if not isinstance(matrix, (Tensor, CSRTensor)):
            raise type_error("mm", "the 'matrix' must be a Tensor or a CSRTensor", type(matrix).__name__)
        if self.ndim != 2 or matrix.ndim != 2 or matrix.shape[0] != self._shape[1]:
            got = f"{self._shape} and {matrix.shape}"
            raise value_error("mm", "the matrices must have 2 axes, and as many rows as the other has columns", got)
        if isinstance(matrix, CSRTensor):
            return self._product(matrix)
        parts = F.mul(F.gather(matrix, self._indices, 0), F.reshape(self._values, (-1, 1)))
        return self._by_rows(parts, (self._shape[0], matrix.shape[1]))

    def _product(self, other):
        """``self @ other``: each value meets the values of that row of ``other`` which its column names."""
        starts, counts = other.indptr.asnumpy()[:-1], np.bincount(other._rows(), minlength=other.shape[0])
        columns = self._indices.asnumpy()
        if len(columns) and not (columns.min() >= 0 and columns.max() < self._shape[1]):
            raise value_error("mm", f"the 'indices' must be below the {self._shape[1]} columns", columns.tolist())
        mine = np.repeat(np.arange(len(columns)), counts[columns])
        within = np.arange(len(mine)) - np.repeat(counts[columns].cumsum() - counts[columns], counts[columns])
        theirs = starts[columns][mine] + within
        places = Tensor(np.stack([self._rows()[mine], other.indices.asnumpy()[theirs]], axis=1))
        values = F.gather(self._values, Tensor(mine), 0) * F.gather(other.values, Tensor(theirs), 0)
        return _joined(places, values, (self._shape[0], other.shape[1])).to_csr()

    def sum(self, axis: int) -> Any:
        """The sum of each row, of shape (rows, 1).

        Args:
            axis (int): 1 or -1, the columns.

        Raises:
            TypeError: If it is no int.
            ValueError: If it is another axis, or the values are blocks.
        """
        if check_int("sum", "axis", axis) not in (1, -1) or self.ndim != 2:
            raise value_error("sum", "the 'axis' must be 1 or -1, of a CSRTensor of 2 axes", axis)
        return self._by_rows(F.reshape(self._values, (-1, 1)), (self._shape[0], 1))

    def _by_rows(self, parts, shape):
        """The sums of those of ``parts`` that belong to one row."""
        rows = Tensor(self._rows().reshape(-1, 1))
        return F.tensor_scatter_add(F.zeros(shape, parts.dtype), rows, parts)

    def add(self, b: CSRTensor, alpha: Tensor, beta: Tensor) -> Any:
        """``alpha * self + beta * b``, sorted by rows and columns.

        Args:
            b (CSRTensor): The other matrix, of the same shape.
            alpha (Tensor): This matrix's factor, a number in a Tensor.
            beta (Tensor): The other's factor.

        Raises:
            TypeError: If ``b`` is no CSRTensor, or a factor no Tensor.
            ValueError: If the shapes differ.
        """
        for name, factor in (("alpha", alpha), ("beta", beta)):
            if check_tensor("add", name, factor).size != 1:
                raise value_error("add", f"the '{name}' must be one number", f"shape {factor.shape}")
        return self._sum("add", b, F.reshape(alpha, ()), F.reshape(beta, ()))

    def _sum(self, operation, b, alpha, beta):
        if not isinstance(b, CSRTensor):
            raise type_error(operation, "a CSRTensor must stand beside the CSRTensor", type(b).__name__)
        if b.shape != self._shape or self.ndim != 2:
            raise value_error(operation, f"the other must have the shape {self._shape}, of 2 axes", b.shape)
        places = Tensor(np.concatenate([self._places().asnumpy(), b._places().asnumpy()]))
        return _joined(places, F.concat([self._values * alpha, b.values * beta]), self._shape).to_csr()

    def __add__(self, other) -> Any:
        return self._sum("add", other, 1, 1)

    def __sub__(self, other) -> Any:
        return self._sum("sub", other, 1, -1)


composite._TYPE_NAMES |= {"RowTensor": RowTensorInner, "COOTensor": COOTensor, "CSRTensor": CSRTensor}
