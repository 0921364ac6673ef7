"""Checks of a primitive's arguments: one table by name, since a name means the same everywhere.

The kind of a value is checked here, before the constructor runs; its range, and what else it must fit, there.
"""

from functools import cache

import numpy as np

from minispore.core.checks import check_64_bits, is_int
from minispore.core.errors import shown, type_error
from minispore.core.primitive import Primitive
from minispore.ops.list_checks import is_axes
from minispore.ops.number_checks import is_float_sized

__all__ = []


def _is_bool(value):
    return isinstance(value, (bool, np.bool_))


def _is_text(value):
    return value is None or isinstance(value, str)


def _is_count(value):
    return value is None or is_int(value)


def _is_choice(value):
    return isinstance(value, str) or is_int(value)


def _is_axes(value):
    return value is None or is_axes(value)


def _is_number(value):
    return is_float_sized(value) or isinstance(value, bool)


def _is_tuple(value):
    return isinstance(value, tuple)


_KINDS = {
    "a bool": (
        _is_bool,
        """adjoint align_corners ceil_mode count_include_pad descending equal_nan exclusive
        global_median half_pixel_centers is_grad is_training keep_dims nesterov replacement reverse right sorted
        transpose_a transpose_b unbiased update_slots use_locking use_nesterov Cholesky.upper
        CholeskyInverse.upper CholeskySolve.upper Eigh.lower MatrixTriangularSolve.lower compute_v full_matrices
        merge_repeated normalized onesided paddings_contiguous periodic return_complex return_counts return_idx swap
        unpack_data unpack_pivots""",
    ),
    "a number": (
        is_float_sized,
        """alpha atol beta dampening epsilon gradient_scale keep_prob lambd lower momentum p rtol scale tolerance upper
        weight_decay Cauchy.median Cauchy.sigma HammingWindow.alpha HammingWindow.beta Histogram.max Histogram.min
        LogNormalReverse.mean LogNormalReverse.std Logit.eps MultiMarginLoss.margin TripletMarginLoss.eps""",
    ),
    "an int": (
        is_int,
        """batch_dim batch_dims begin_mask begin_norm_axis begin_params_axis block_size diagonal dim
        ellipsis_mask end_mask group ignore_index k maxlen new_axis_mask numsamples out_channel
        output_num seq_dim shrink_axis_mask Argmax.axis Argmin.axis ArgMaxWithValue.axis
        ArgMinWithValue.axis Concat.axis Cummax.axis Cummin.axis IndexAdd.axis Median.axis OneHot.axis Sort.axis
        Split.axis Stack.axis Unstack.axis TensorScatterElements.axis Histogram.bins LogSpace.base LogSpace.steps
        MatrixPower.n MultiMarginLoss.p Mvlgamma.p Padding.pad_dim_size STFT.hop_length STFT.n_fft STFT.win_length
        TrilIndices.col TrilIndices.offset TrilIndices.row TriuIndices.col TriuIndices.offset TriuIndices.row""",
    ),
    "an int or None": (_is_count, "divisor_override num"),
    "an int, or a tuple or list of ints": (_is_axes, "axis shift"),
    "a str": (
        _is_text,
        "align data_format dst_format indexing interpolation_mode name nonlinearity op padding_mode reduction "
        "src_format "
        "AllGather.group AllReduce.group AlltoAll.group Broadcast.group NeighborExchange.group ReduceScatter.group "
        "Barrier.group _ProductOfOthers.group",
    ),
    "a str or an int": (_is_choice, "mode pad_mode"),
    "a number or a bool": (_is_number, "ConstantPad.value"),
    "a tuple": (_is_tuple, "needed template"),
}
_BY_NAME = {name: (expected, fits) for expected, (fits, names) in _KINDS.items() for name in names.split()}


@cache
def _rows(primitive):
    """The rows of the table for the arguments of a class of primitives, by name, in the order of its constructor."""
    init = primitive.__init__
    code = getattr(init, "__wrapped__", init).__code__
    names = code.co_varnames[1 : code.co_argcount]
    return {name: _BY_NAME.get(f"{primitive.__name__}.{name}", _BY_NAME.get(name)) for name in names}


def check_attributes(primitive, args, kwargs):
    """Raise an error unless each argument of a primitive's constructor is of the kind that its name says."""
    rows = _rows(primitive)
    for name, value in (*zip(rows, args, strict=False), *kwargs.items()):
        row = rows.get(name)
        if row is not None and not row[1](value):
            raise type_error(primitive.__name__, f"the '{name}' must be {row[0]}", shown(value))
        if row is not None and row[1] is not is_float_sized:
            check_64_bits(primitive.__name__, name, value)


Primitive._check_arguments = classmethod(check_attributes)
