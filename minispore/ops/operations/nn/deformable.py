"""DeformableOffsets: the pixels under the taps of a convolution whose taps have moved, side by side."""

from __future__ import annotations

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_bool, check_choice, check_positive_int, is_int
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import wrap
from minispore.ops.operations.nn.sampling import Planes, channels_second, check_tensor_of

__all__ = ["DeformableOffsets"]


class DeformableOffsets(Primitive):
    """The pixels that a convolution of moved and weighted taps reads: ``(N, C, h * KH, w * KW)``.

    The taps of the output's place (i, j) stand in the block [i * KH : (i + 1) * KH, j * KW : (j + 1) * KW], so that a
    convolution with the stride (KH, KW) sums them. A place between pixels is their mean, weighted by nearness; outside
    of the planes is 0.

    Dtypes: float32, kept; TypeError for float16, float64, ints, bools and complex.

    Args:
        strides (tuple(int)): (1, 1, stride of the height, of the width).
        pads (tuple(int)): (top, bottom, left, right).
        ksize (tuple(int)): (KH, KW).
        dilations (tuple(int)): (1, 1, of the height, of the width). Default: (1, 1, 1, 1).
        data_format (str): "NCHW". Default: "NCHW".
        deformable_groups (int): The groups of channels that move together. Default: 1.
        modulated (bool): True. Default: True.

    Inputs: ``x`` (N, C, H, W) and ``offsets`` (N, 3 * groups * KH * KW, h, w). For all taps of all groups the offsets
    hold the moves along the width, then along the height, then the weights.

    Raises:
        TypeError: If an argument or input is of a wrong kind.
        ValueError: If an argument has a value that is not listed, or shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> offsets = ops.concat((ops.zeros((1, 2, 2, 2)), ops.full((1, 1, 2, 2), 0.5)), 1)  # each pixel counts half
        >>> print(ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (1, 1))(x, offsets))
        [[[[0.5 1. ]
           [1.5 2. ]]]]
    """

    def __init__(
        self,
        strides,
        pads,
        ksize,
        dilations=(1, 1, 1, 1),
        data_format: str = "NCHW",
        deformable_groups: int = 1,
        modulated: bool = True,
    ) -> None:
        name = self.name
        self.add_prim_attr("strides", _ints(name, "strides", strides, 4, 1))
        self.add_prim_attr("pads", _ints(name, "pads", pads, 4, 0))
        self.add_prim_attr("ksize", _ints(name, "ksize", ksize, 2, 1))
        self.add_prim_attr("dilations", _ints(name, "dilations", dilations, 4, 1))
        for argument, value in (("strides", strides), ("dilations", dilations)):
            if tuple(value[:2]) != (1, 1):
                raise value_error(name, f"the '{argument}' must begin with 1 and 1", shown(value))
        self.add_prim_attr("data_format", check_choice(name, "data_format", data_format, ("NCHW",)))
        self.add_prim_attr("deformable_groups", check_positive_int(name, "deformable_groups", deformable_groups))
        check_choice(name, "modulated", check_bool(name, "modulated", modulated), (True,))
        self.add_prim_attr("modulated", modulated)

    def __call__(self, x, offsets):
        """The pixels under the taps."""
        lengths = self._check_inputs(x, offsets)
        groups, samples, kernel = self.deformable_groups, x.shape[0], self.ksize
        apart = offsets.reshape((samples, 3, groups, *kernel, *lengths)).transpose((1, 0, 2, 5, 3, 6, 4))
        across, down, weights = apart.reshape((3, samples * groups, lengths[0], kernel[0], lengths[1], kernel[1]))
        planes = Planes(x.reshape((samples * groups, x.shape[1] // groups, *x.shape[2:])))
        rest_down, rest_across = (self._rest(axis, n, x) for axis, n in enumerate(lengths))
        batch = wrap(backend.from_host(np.arange(samples * groups).reshape((-1, 1, 1, 1, 1))))
        values = planes.linear(batch, [down + rest_down[:, :, None, None], across + rest_across])
        values = values * weights.astype(values.dtype).expand_dims(-1)
        sides = [n * k for n, k in zip(lengths, kernel, strict=True)]
        flat = values.reshape((samples * groups, *sides, x.shape[1] // groups))
        return channels_second(flat).reshape((samples, x.shape[1], *sides)).astype(x.dtype)

    def _rest(self, axis, length, x):
        """Places of the taps along an axis before they move: (places of the output, taps)."""
        begin = np.arange(length)[:, None] * self.strides[2 + axis] - self.pads[2 * axis]
        taps = np.arange(self.ksize[axis])[None, :] * self.dilations[2 + axis]
        kind = x.array.dtype if x.array.dtype == np.float64 else np.float32
        return wrap(backend.from_host((begin + taps).astype(kind)))

    def _check_inputs(self, x, offsets):
        """The height and width of the output that the inputs' shapes make."""
        for name, value in (("x", x), ("offsets", offsets)):
            check_tensor_of(self.name, name, value, 4)
            if not value.is_floating_point() or value.dtype != x.dtype:
                expected = f"the '{name}' must be a floating Tensor of the dtype of 'x'"
                raise type_error(self.name, expected, f"Tensor[{value.dtype}]")
        if x.shape[1] % self.deformable_groups:
            expected = f"the channels of 'x' must be a multiple of the 'deformable_groups', {self.deformable_groups}"
            raise value_error(self.name, expected, x.shape[1])
        lengths = tuple(self._length(axis, x.shape[2 + axis]) for axis in (0, 1))
        shape = (x.shape[0], 3 * self.deformable_groups * self.ksize[0] * self.ksize[1], *lengths)
        if offsets.shape != shape:
            raise value_error(self.name, f"the 'offsets' must have the shape {shape}", offsets.shape)
        return lengths

    def _length(self, axis, length):
        spread = self.dilations[2 + axis] * (self.ksize[axis] - 1) + 1
        padded = length + self.pads[2 * axis] + self.pads[2 * axis + 1]
        if padded < spread:
            raise value_error(self.name, f"the 'x' must be at least {spread} long with its pads", f"{padded}")
        return (padded - spread) // self.strides[2 + axis] + 1


def _ints(name, argument, value, count, low):
    if not isinstance(value, (tuple, list)) or not all(map(is_int, value)):
        raise type_error(name, f"the '{argument}' must be a tuple or a list of ints", shown(value))
    if len(value) != count or min(value) < low:
        raise value_error(name, f"the '{argument}' must be {count} ints of at least {low}", shown(value))
    return tuple(value)
