"""Transposed convolutions: the gradient of a convolution for its input, as an operation of its own."""

from __future__ import annotations

from minispore.core.checks import check_positive_int
from minispore.core.errors import value_error
from minispore.core.kernel_table import computed_as
from minispore.core.primitive import Spec
from minispore.ops.operations.nn.conv import Conv2DBackpropInput, Conv3DBackpropInput
from minispore.ops.shape_checks import check_rank
from minispore.ops.windows import as_lengths, check_output_padding, transposed_lengths

__all__ = ["Conv2DTranspose", "Conv3DTranspose"]


class Conv2DTranspose(Conv2DBackpropInput):
    """The transposed convolution of ``x`` with ``w``, of the shape given: Conv2DBackpropInput by its other name.

    x is (N, out_channel, H, W), w (out_channel, C / group, KH, KW). The third input is the output's shape; a
    convolution with these attributes must take it to x's.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or x and w are not of one floating dtype.
        ValueError: If shapes do not fit the attributes.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, w = ms.Tensor([[[[1.0]]]]), ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ops.Conv2DTranspose(1, 2)(x, w, (1, 1, 2, 2)))
        [[[[1. 2.]
           [3. 4.]]]]
    """


class Conv3DTranspose(Conv3DBackpropInput):
    """The transposed 3-D convolution: ``out[n, c, h*s + t*d - p, …] = sum over o,t,… of x[n,o,h,…] * w[o,c,t,…]``.

    x is (N, in_channel, D, H, W), w (in_channel, out_channel / group, KD, KH, KW). Each length of the output is
    ``length * s`` with pad_mode "same", ``length * s + max(d*(k-1) + 1 - s, 0)`` with "valid", and
    ``(length - 1) * s + d*(k-1) + 1 - pads + output_padding`` with "pad".

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Raises:
        TypeError: If an argument is not an int, or x and w are not of one floating dtype.
        ValueError: If shapes do not fit the attributes, or ``output_padding`` is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x, w = ms.Tensor([[[[[2.0]]]]]), ms.Tensor([[[[[1.0, 2.0], [3.0, 4.0]]]]])
        >>> print(ops.Conv3DTranspose(1, 1, (1, 2, 2))(x, w))
        [[[[[2. 4.]
            [6. 8.]]]]]
    """

    def __init__(
        self,
        in_channel,
        out_channel,
        kernel_size,
        mode=1,
        pad_mode="valid",
        pad=0,
        stride=1,
        dilation=1,
        group=1,
        output_padding=0,
        data_format="NCDHW",
    ) -> None:
        in_channel = check_positive_int(self.name, "in_channel", in_channel)
        super().__init__(in_channel, kernel_size, mode, pad_mode, pad, stride, dilation, group, data_format)
        self.add_prim_attr("in_channel", in_channel)
        self.add_prim_attr("out_channel", check_positive_int(self.name, "out_channel", out_channel))
        self.add_prim_attr("output_padding", as_lengths(self.name, "output_padding", output_padding, self.axes))
        check_output_padding(self.name, self.output_padding, self.pad_mode, self.stride, self.dilation)
        if self.out_channel % self.group:
            raise value_error(self.name, f"the 'out_channel' must be divisible by 'group', {group}", out_channel)
        self._lengthen()

    def _lengthen(self):
        """Let the output padding take back padding at the ends, whose pixels windows reach; the rest is zeros.

        ``pad`` is then the convolution's padding; ``attrs`` keeps the given one.
        """
        taken = [min(pair) for pair in zip(self.output_padding, self.pad[1::2], strict=True)]
        self.zeros = tuple(n - t for n, t in zip(self.output_padding, taken, strict=True))
        ends = [after - t for after, t in zip(self.pad[1::2], taken, strict=True)]
        self.pad = tuple(n for pair in zip(self.pad[::2], ends, strict=True) for n in pair)

    def shapes(self, x_shape):
        """The output's shape, and the shape of its part that windows reach."""
        sizes = self.kernel_size, self.stride, self.dilation
        reached = transposed_lengths(x_shape[2:], self.pad_mode, self.pad, *sizes)
        whole = [length + more for length, more in zip(reached, self.zeros, strict=True)]
        return (x_shape[0], self.out_channel, *whole), (x_shape[0], self.out_channel, *reached)

    def infer(self, x, w):
        check_rank(self, "x", x, (self.axes + 2,))
        whole, reached = self.shapes(x.shape)
        super().infer(x, w, reached)
        return Spec(whole, x.dtype)

    def compute(self, xp, x, w):
        whole, reached = self.shapes(x.shape)
        part = computed_as(Conv3DBackpropInput, self, xp, x, w, reached)
        if whole == reached:
            return part
        out = xp.zeros(whole, x.dtype)
        out[tuple(map(slice, reached))] = part
        return out

    def bprop(self, x, w, out, dout):
        whole, reached = self.shapes(x.array.shape)
        if whole != reached:
            dout = dout[tuple(map(slice, reached))]
        return super().bprop(x, w, reached, None, dout)[:2]
