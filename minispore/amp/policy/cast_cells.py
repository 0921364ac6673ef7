"""Wrapper cells of mixed precision: they cast the outputs of the cells inside."""

from __future__ import annotations

from typing import Any

from minispore.core.dtype import NARROW_FLOATS, DTypeLike, float16, float32
from minispore.core.kernel_table import has_kernel
from minispore.core.running import under
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.layer.normalization import BatchNorm1d, BatchNorm2d, LayerNorm, SyncBatchNorm
from minispore.nn.loss.softmax_cross_entropy import SoftmaxCrossEntropyWithLogits
from minispore.ops.functional import mixed_precision_cast
from minispore.ops.operations.nn import normalization
from minispore.ops.operations.nn.loss import SparseCrossEntropyInFloat32

__all__ = []

_in_float32 = SparseCrossEntropyInFloat32()
_ONE_OPERATION = {  # layer -> the operation that makes the layer's output
    **dict.fromkeys((BatchNorm1d, BatchNorm2d, SyncBatchNorm), normalization.BatchNorm),
    LayerNorm: normalization.LayerNorm,
}


class _CastOutput(Cell):
    """Base of wrappers that cast the backbone's output; the backbone's attributes are the wrapper's too."""

    _casts_to = None

    def __init__(self, backbone) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self.training, self.requires_grad = backbone.training, backbone.requires_grad

    def construct(self, *args, **kwargs) -> Any:
        """Run the backbone, and cast its output."""
        return mixed_precision_cast(self._casts_to, self._backbone(*args, **kwargs))

    def __setattr__(self, name, value):
        """Pass an assignment on to the backbone if it has the attribute and the wrapper itself does not."""
        own = self.__dict__  # not hasattr(self, name): __getattr__ would answer with the backbone's attribute
        backbone = own["_cells"].get("_backbone") if "_cells" in own else None
        if backbone is None or name in own or name == "_backbone" or not hasattr(backbone, name):
            super().__setattr__(name, value)
        else:
            setattr(backbone, name, value)

    def __getitem__(self, index) -> Any:
        return self._backbone[index]

    def __len__(self) -> int:
        return len(self._backbone)

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, name):
        """Look the attribute up in the backbone."""
        try:
            return super().__getattr__(name)
        except AttributeError:
            # A copy or a pickle asks for these before the backbone is there: looking there would never end.
            if name == "_backbone" or name.startswith("__"):
                raise
            return getattr(self._backbone, name)


class _OutputTo16(_CastOutput):
    """A cell that computes in float32 within a network in a narrow float: its output is cast to the narrow float.

    Args:
        backbone (Cell): The cell.
        dtype (mindspore.dtype): float16 or bfloat16. Default: float16.
    """

    def __init__(self, backbone: Cell, dtype: DTypeLike = float16) -> None:
        super().__init__(backbone)
        object.__setattr__(self, "_casts_to", dtype)

    def construct(self, *args, **kwargs) -> Any:
        """Run the backbone, and cast its output. A device's kernel for the whole layer casts by itself."""
        inner = self._backbone
        hooked = inner._forward_pre_hooks or inner._forward_hooks or inner._backward_hooks
        operation = _ONE_OPERATION.get(type(inner))
        # A hook must see the float32 output, as without a kernel; so a layer with hooks casts by an operation.
        if operation is None or hooked or not has_kernel(operation):
            return super().construct(*args, **kwargs)
        with under(narrowed=self._casts_to.np):
            return super().construct(*args, **kwargs)


class _OutputTo32(_CastOutput):
    """A network in a narrow float for float32 callers: its output is cast to float32."""

    _casts_to = float32


class WithLossCell(Cell):
    """A network in a narrow float and its loss in float32: ``loss_fn(float32(backbone(data)), float32(label))``."""

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn

    def construct(self, data, label):
        """The loss."""
        out = self._backbone(data)
        label = mixed_precision_cast(float32, label)
        if self._casts_within(out, label):
            return _in_float32(out, label)
        return self._loss_fn(mixed_precision_cast(float32, out), label)

    def _casts_within(self, out, label):
        """True if a device's kernel itself computes the loss of the narrow output in float32: the same numbers."""
        loss, narrow = self._loss_fn, isinstance(out, Tensor) and out.array.dtype in NARROW_FLOATS
        if not narrow or not isinstance(label, Tensor) or not has_kernel(SparseCrossEntropyInFloat32):
            return False
        changed = loss._forward_pre_hooks or loss._forward_hooks or loss._backward_hooks or loss._compute_dtype
        return type(loss) is SoftmaxCrossEntropyWithLogits and loss.sparse and loss.reduction == "mean" and not changed
