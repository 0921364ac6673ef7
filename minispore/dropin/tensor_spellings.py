"""Marks of late, sliced and constant values, which MindSpore's compiler reads: here a Tensor has its values at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.dtype import as_dtype
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.dropin.sparse.tensors import COOTensor
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.added import add_to

__all__ = []


class _Spellings:
    """The methods that every Tensor gets."""

    adapter_flag = const_arg = init_flag = virtual_flag = False
    init_finished, delta_seed = True, 0
    init = index_of_parent_ = parent_tensor_ = None
    slice_num_of_persistent_data_ = slice_shape_of_persistent_data_ = None
    param_info = None

    def init_data(self, slice_index=None, shape=None, opt_shard_group=None) -> Tensor:
        """The Tensor itself: initializers fill their values immediately here.

        Dtypes: any, kept.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([1.0]).init_data())
            [1.]
        """
        return self

    @property
    def has_init(self) -> bool:
        """False: initializers fill their values immediately here.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([1.0]).has_init
            False
        """
        return False

    def is_init(self) -> bool:
        """False: no value waits for its initializer.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([1.0]).is_init()
            False
        """
        return False

    def set_init_flag(self, flag: bool) -> None:
        """Accept ``flag``, whatever it is: no value waits for its initializer.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([1.0]).set_init_flag(True))
            None
        """

    def is_persistent_data(self) -> bool:
        """False: the values are in memory.

        Examples:
            >>> import minispore as ms
            >>> ms.Tensor([1.0]).is_persistent_data()
            False
        """
        return False

    def set_cast_dtype(self, dtype=None) -> None:
        """Check ``dtype``, which MindSpore's compiler would cast to; None for none.

        Raises:
            TypeError: If ``dtype`` is not a dtype.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([1.0]).set_cast_dtype())
            None
        """
        if dtype is not None:
            as_dtype(dtype, "set_cast_dtype")

    def assign_value_cpp(self, value: Tensor) -> Tensor:
        """Set the values, as :meth:`assign_value` does: ``assign_value(value)``.

        Shapes: that of the Tensor. Dtypes: any, kept.

        Raises:
            TypeError: If ``value`` is not a Tensor.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([1.0]).assign_value_cpp(ms.Tensor([5.0])))
            [5.]
        """
        return self.assign_value(value)

    def fills(self, value: Any) -> Tensor:
        """A Tensor of the same shape and type that holds ``value``, a number or a 0-d Tensor, everywhere.

        Dtypes: any, kept.

        Raises:
            TypeError: If ``value`` is not a number.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([1.0, 2.0]).fills(7))
            [7. 7.]
        """
        return self.fill(value) if not isinstance(value, Tensor) else self.fill(value.item())

    def to_coo(self) -> Any:
        """The matrix as a COOTensor: the places and values of its elements that are not 0.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([[0.0, 5.0], [0.0, 0.0]]).to_coo().indices)
            [[0 1]]
        """
        if self.ndim != 2:
            raise value_error("to_coo", "the Tensor must have two axes", self.shape)
        places = Tensor(np.argwhere(self.asnumpy()).astype(np.int32))
        return COOTensor(places, F.gather_nd(self, places), self.shape)

    def to_csr(self) -> Any:
        """The matrix as a CSRTensor: the values of its elements that are not 0, by rows.

        Examples:
            >>> import minispore as ms
            >>> print(ms.Tensor([[0.0, 5.0], [0.0, 0.0]]).to_csr().indptr)
            [0 1 1]
        """
        return self.to_coo().to_csr()


add_to(Tensor, _Spellings)
