"""Dropout by random masks, of elements or of whole channels, with the remaining ones scaled.

In data-parallel training the mask is a part of a larger one. A single process would draw that for all processes' parts
of the batch, one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from minispore.core import process
from minispore.core.checks import is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.casting import cast
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.random_streams import dropping_stream, next_stream
from minispore.ops.shape_checks import check_rank, check_shape
from minispore.ops.type_checks import check_float, check_number, check_same_type

__all__ = ["Dropout", "Dropout2D", "Dropout3D", "DropoutGrad"]


def check_seeds(operation, **seeds):
    """Raise unless every seed is an int of at least 0."""
    for argument, seed in seeds.items():
        if not is_int(seed):
            raise type_error(operation, f"the '{argument}' must be int", shown(seed))
        if not 0 <= seed < 2**63:
            raise value_error(operation, f"the '{argument}' must be at least 0 and below 2 ** 63", seed)


def _share(operation, keep_prob):
    """The probability of an element to stay; ValueError unless it is in (0, 1]."""
    if not 0 < keep_prob <= 1:
        raise value_error(operation, "the 'keep_prob' must be in (0, 1]", keep_prob)
    return keep_prob


def _dropped(xp, x, mask, keep_prob):
    """``x * mask / keep_prob``, rounded once."""
    out = widen(xp, x) * widen(xp, mask)
    if keep_prob not in (0, 1):
        out *= out.dtype.type(1 / keep_prob)
    return narrow(xp, out, x.dtype)


class DropoutGrad(Primitive):
    """The gradient of Dropout: ``dx = dy * mask / keep_prob``, rounded once.

    Shapes: any, the same for both, and kept. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``keep_prob`` is not a number, ``dy`` or ``mask`` is not a Tensor, or ``mask`` and ``dy`` differ
            in dtype.
        ValueError: If ``keep_prob`` is not in (0, 1], or ``mask`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.DropoutGrad(0.5)(ms.Tensor([1.0, 1.0]), ms.Tensor([1.0, 0.0])))
        [2. 0.]
    """

    def __init__(self, keep_prob=0.5) -> None:
        self.add_prim_attr("keep_prob", _share(self.name, keep_prob))

    def infer(self, dy, mask):
        check_float(self, "dy", dy)
        check_same_type(self, dy=dy, mask=mask)
        check_shape(self, "mask", mask, dy.shape)
        return Spec(dy.shape, dy.dtype)

    def compute(self, xp, dy, mask):
        return _dropped(xp, dy, mask, self.keep_prob)

    def bprop(self, dy, mask, out, dout):
        return (
            self(dout, mask) if needs_grad(dy) else None,
            self(dout, dy) if needs_grad(mask) else None,
        )


class Dropout(Primitive):
    """Random zeros: each element is kept with a probability, and then scaled.

    ``out = x * mask / keep_prob`` with a mask of ones with probability ``keep_prob``: ``(out, mask)``.

    Every call has another mask, with seeds of its own too; they say which ones.

    Shapes: any, kept, twice. Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If ``keep_prob`` is not a number, ``Seed0`` or ``Seed1`` is not an int, or ``x`` is not a Tensor.
        ValueError: If ``keep_prob`` is not in (0, 1], or ``Seed0`` or ``Seed1`` is not at least 0 and below 2 ** 63.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> ms.set_seed(1)
        >>> print(*ops.Dropout(0.5)(ms.Tensor([1.0, 2.0, 3.0, 4.0])))
        [2. 4. 6. 0.] [1. 1. 1. 0.]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    random = True

    def __init__(self, keep_prob=0.5, Seed0=0, Seed1=0) -> None:  # noqa: N803 - MindSpore's names
        check_seeds(self.name, Seed0=Seed0, Seed1=Seed1)
        for name, value in (("keep_prob", _share(self.name, keep_prob)), ("Seed0", Seed0), ("Seed1", Seed1)):
            self.add_prim_attr(name, value)

    def infer(self, x):
        check_float(self, "x", x)
        return Spec(x.shape, x.dtype), Spec(x.shape, x.dtype)

    def compute(self, xp, x):
        stream = self.stream(xp)
        mask = stream.chances(x.shape, self.keep_prob, x.size * process.parts_before()).astype(x.dtype)
        return _dropped(xp, x, mask, self.keep_prob), mask

    def stream(self, xp):
        """The stream of the next mask."""
        return dropping_stream(self.Seed0, self.Seed1, xp)

    def bprop(self, x, out, dout):
        return self.cached_primitive(DropoutGrad, self.keep_prob)(dout[0], out[1]) if needs_grad(x) else None


class _DropoutOfChannels(Primitive):
    """``out = x * mask / keep_prob`` with a mask that keeps or drops whole channels: ``(out, mask of bools)``."""

    random = True
    rank = None

    def __init__(self, keep_prob=0.5) -> None:
        if not 0 <= keep_prob <= 1:
            raise value_error(self.name, "the 'keep_prob' must be in [0, 1]", keep_prob)
        self.add_prim_attr("keep_prob", keep_prob)

    def infer(self, x):
        check_number(self, "x", x)
        check_rank(self, "x", x, (self.rank,))
        return Spec(x.shape, x.dtype), Spec(x.shape, np.dtype(np.bool_))

    def compute(self, xp, x):
        channels = (*x.shape[:2], *[1] * (x.ndim - 2))
        before = math.prod(channels) * process.parts_before()
        kept = xp.broadcast_to(next_stream(xp).chances(channels, self.keep_prob, before), x.shape)
        return _dropped(xp, x, kept.astype(x.dtype), self.keep_prob), xp.ascontiguousarray(kept)

    def bprop(self, x, out, dout):
        return dout[0] * cast(out[1], x.dtype.np) * (1 / (self.keep_prob or 1)) if needs_grad(x) else None


class Dropout2D(_DropoutOfChannels):
    r"""Random zeros in whole planes: each channel is kept with a probability, and then scaled.

    ``out = x * mask / keep_prob`` for x of shape (N, C, H, W), channel by channel: ``(out, mask of bools)``.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``keep_prob`` is not a number, or ``x`` is not a Tensor.
        ValueError: If ``keep_prob`` is not in [0, 1], or ``x`` does not have 4 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Dropout2D(1.0)(ms.Tensor([[[[1.0, 2.0]]]])), sep="\n")
        [[[[1. 2.]]]]
        [[[[ True  True]]]]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    rank = 4


class Dropout3D(_DropoutOfChannels):
    r"""Random zeros in whole volumes: each channel is kept with a probability, and then scaled.

    ``out = x * mask / keep_prob`` for x of shape (N, C, D, H, W), channel by channel: ``(out, mask of bools)``.

    Dtypes: floats and ints, kept; TypeError for bools and complex.

    Raises:
        TypeError: If ``keep_prob`` is not a number, or ``x`` is not a Tensor.
        ValueError: If ``keep_prob`` is not in [0, 1], or ``x`` does not have 5 axes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(*ops.Dropout3D(1.0)(ms.Tensor([[[[[1.0, 2.0]]]]])), sep="\n")
        [[[[[1. 2.]]]]]
        [[[[[ True  True]]]]]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    rank = 5
