"""The windows of convolutions and pooling: their sizes and padding as arguments give them, and how many of them fit.

Sizes have one int for each axis of a plane or a volume; pads have two, ``(top, bottom, left, right)``.
"""

from minispore.core.checks import check_positive_int, is_int
from minispore.core.errors import shown, type_error, value_error

PAD_MODES = ("same", "valid", "pad")
_NUMBERS = {2: "two", 3: "three", 4: "four", 6: "six"}


def as_sizes(operation, argument, value, count=2):
    """``count`` ints above 0 from an int or from ``count`` ints (MindSpore's form ``(1, 1, …)`` too)."""
    values = value if isinstance(value, (tuple, list)) else (value,) * count
    values = values[2:] if len(values) == count + 2 else values
    if len(values) != count:
        raise value_error(operation, f"the '{argument}' must be an int or {_NUMBERS[count]} ints", value)
    return tuple(check_positive_int(operation, argument, v) for v in values)


def as_lengths(operation, argument, value, count):
    """``count`` ints of at least 0 from an int or from ``count`` ints."""
    values = tuple(value) if isinstance(value, (tuple, list)) else (value,) * count
    expected = f"the '{argument}' must be an int or {_NUMBERS[count]} ints"
    for v in values:
        if not is_int(v):
            raise type_error(operation, expected, shown(value))
    if len(values) != count or min(values) < 0:
        raise value_error(operation, f"{expected} of at least 0", value)
    if max(values) >= 2**63:
        raise value_error(operation, f"{expected} below 2 ** 63", shown(value))
    return values


def as_pad_mode(operation, value):
    """The pad_mode in small letters."""
    if not isinstance(value, str) or value.lower() not in PAD_MODES:
        raise value_error(operation, "the 'pad_mode' must be 'same', 'valid' or 'pad'", shown(value))
    return value.lower()


def reach(kernel, dilation):
    """The length of a window: how far apart the kernel's first and last points are, both included."""
    return dilation * (kernel - 1) + 1


def same_pads(length, kernel, stride, dilation):
    """The padding before and after one axis for an output of ``ceil(length / stride)``; the odd one goes after."""
    total = max((-(-length // stride) - 1) * stride + reach(kernel, dilation) - length, 0)
    return total // 2, total - total // 2


def window_pads(op, shape, kernel, stride, dilation):
    """The pads of planes or volumes of ``shape``, as the operation's pad_mode says."""
    if op.pad_mode == "pad":
        return op.pad
    if op.pad_mode == "valid":
        return (0,) * (2 * len(shape))
    pads = ()
    for axis in zip(shape, kernel, stride, dilation, strict=True):
        pads += same_pads(*axis)
    return pads


def ceil_pads(shape, pads, kernel, stride, dilation):
    """Extend the trailing padding until a last, partial window fits (ceil mode)."""
    longer = ()
    for i, (length, k, s, d) in enumerate(zip(shape, kernel, stride, dilation, strict=True)):
        before, after = pads[2 * i : 2 * i + 2]
        beyond = length + before + after - reach(k, d)
        last = -(-beyond // s) * s
        if last >= length + before:
            last -= s
        longer += (before, after + max(last - beyond, 0))
    return longer


def window_counts(shape, pads, kernel, stride, dilation):
    """The number of windows that fit along each axis."""
    befores_and_afters = zip(pads[::2], pads[1::2], strict=True)
    return tuple(
        (length + before + after - reach(k, d)) // s + 1
        for length, (before, after), k, s, d in zip(shape, befores_and_afters, kernel, stride, dilation, strict=True)
    )


def transposed_lengths(lengths, pad_mode, pads, kernel, stride, dilation):
    """The lengths of a transposed convolution's output: those that a convolution takes to ``lengths``."""
    if pad_mode == "same":
        return tuple(length * s for length, s in zip(lengths, stride, strict=True))
    windows = [reach(k, d) for k, d in zip(kernel, dilation, strict=True)]
    if pad_mode == "valid":
        return tuple(length * s + max(r - s, 0) for length, s, r in zip(lengths, stride, windows, strict=True))
    margins = [before + after for before, after in zip(pads[::2], pads[1::2], strict=True)]
    return tuple(
        (length - 1) * s + r - margin for length, s, r, margin in zip(lengths, stride, windows, margins, strict=True)
    )


def check_output_padding(operation, output_padding, pad_mode, stride, dilation):
    """Raise ValueError unless a transposed convolution's output padding is in range, and 0 without "pad"."""
    if any(output_padding) and pad_mode != "pad":
        raise value_error(operation, "the 'output_padding' must be 0 where 'pad_mode' is not 'pad'", output_padding)
    limits = tuple(map(max, stride, dilation))
    if any(n >= limit for n, limit in zip(output_padding, limits, strict=True)):
        expected = f"the 'output_padding' must be below the larger of 'stride' and 'dilation', {limits}"
        raise value_error(operation, expected, output_padding)
