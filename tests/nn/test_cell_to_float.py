"""``to_float``: each operation of a marked cell sees floating Tensors in the mark's type, and nothing else changes."""

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn, ops

F16, F32 = ms.float16, ms.float32


class Probe(nn.Cell):
    """Runs a function of (cell, x) as its construct."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.w = ms.Parameter([1.0, 1.0], name="w")
        self.const = ms.Tensor([3.0, 3.0])

    def construct(self, x):
        return self.function(self, x)


def dtype_in(function, x=None, mark=F16):
    """The dtype of what ``function(cell, x)`` gives inside a marked cell."""
    x = ms.Tensor([1.0, 2.0]) if x is None else x
    out = Probe(function).to_float(mark)(x)
    return out.dtype if isinstance(out, ms.Tensor) else out


@pytest.mark.parametrize(
    "function",
    [
        lambda s, x: x * s.w,
        lambda s, x: x + 1,
        lambda s, x: 1 - x,
        lambda s, x: x * s.const,
        lambda s, x: s.w * s.const,
        lambda s, x: ops.relu(x),
        lambda s, x: x.sum(),
        lambda s, x: ops.concat((x, s.const)),
        lambda s, x: x.reshape(2, 1),
        lambda s, x: x[0],
        lambda s, x: -x,
    ],
    ids=["x*w", "x+1", "1-x", "x*const", "w*const", "relu", "sum", "concat", "reshape", "index", "neg"],
)
def test_each_operation_computes_in_the_marks_type(function):
    assert dtype_in(function) == F16
    assert dtype_in(function, mark=F32) == F32


def test_what_no_operation_touches_keeps_its_dtype_inside_construct():
    assert dtype_in(lambda s, x: (x.dtype, s.w.dtype, s.const.dtype)) == (F32, F32, F32)
    assert dtype_in(lambda s, x: x) == F32


def test_the_mark_rounds_inputs_before_the_operation_not_after():
    x = ms.Tensor([1 + 2.0**-12])
    assert Probe(lambda s, x: (x - 1) * 1024).to_float(F16)(x).asnumpy() == [0.0]
    assert Probe(lambda s, x: (x - 1) * 1024)(x).asnumpy() == [0.25]


def test_an_explicit_cast_is_kept_until_the_next_operation_lowers_it_again():
    assert dtype_in(lambda s, x: x.astype(F32)) == F32
    assert dtype_in(lambda s, x: (x * 2).astype(F32)) == F32
    assert dtype_in(lambda s, x: x.astype(F32) + 1) == F16


@pytest.mark.parametrize("dtype", [ms.int32, ms.int64, ms.int8, ms.bool_], ids=str)
def test_integers_and_bools_are_untouched(dtype):
    x = ms.Tensor([1, 0], dtype)
    assert dtype_in(lambda s, x: ops.concat((x, x)), x) == dtype
    assert dtype_in(lambda s, x: x.reshape(2, 1), x) == dtype


def test_depend_and_zeros_like_pass_their_inputs_dtype():
    assert dtype_in(lambda s, x: ops.depend(x, s.w)) == F32
    assert dtype_in(lambda s, x: ops.zeros_like(x)) == F32


def test_a_parameter_that_an_assignment_writes_stays_as_it_is_stored():
    def write(cell, x):
        ops.assign(cell.w, x * 2)
        return cell.w.dtype

    cell = Probe(write).to_float(F16)
    assert cell(ms.Tensor([1.0, 2.0])) == F32
    np.testing.assert_array_equal(cell.w.asnumpy(), np.float32([2, 4]))


def test_the_moving_statistics_of_a_marked_batch_norm_stay_float32():
    x = np.random.default_rng(0).normal(1, 2, (6, 2, 3, 3)).astype(np.float32)
    layer = nn.BatchNorm2d(2).set_train().to_float(F16)
    out = layer(ms.Tensor(x))
    assert out.dtype == F16
    assert layer.moving_mean.dtype == layer.moving_variance.dtype == F32
    rounded = x.astype(np.float16).astype(np.float64)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), 0.1 * rounded.mean((0, 2, 3)), rtol=1e-5)
    expected = 0.9 + 0.1 * rounded.var((0, 2, 3), ddof=1)
    np.testing.assert_allclose(layer.moving_variance.asnumpy(), expected, rtol=1e-5)


def test_a_marked_batch_norm_uses_its_parameters_unrounded():
    """As a float16 input does in an unmarked one: bit for bit the same."""
    x, gamma = ms.Tensor(np.linspace(-2, 2, 24).reshape(3, 2, 2, 2), F16), ms.Tensor([1 + 2.0**-12, 1.0], F32)
    marked, plain = nn.BatchNorm2d(2, gamma_init=gamma).to_float(F16), nn.BatchNorm2d(2, gamma_init=gamma)
    np.testing.assert_array_equal(marked.set_train()(x).asnumpy(), plain.set_train()(x).asnumpy())


def test_parameters_stay_stored_and_their_gradients_arrive_in_their_own_dtype():
    cell = Probe(lambda s, x: x * s.w).to_float(F16)
    gradient = ms.grad(cell, None, cell.w)(ms.Tensor([1 + 2.0**-12, 2.0]))
    assert (cell.w.dtype, gradient.dtype) == (F32, F32)
    np.testing.assert_array_equal(gradient.asnumpy(), np.float32([1, 2]))


def test_the_gradient_of_an_input_arrives_in_the_inputs_dtype():
    cell = Probe(lambda s, x: x * s.w).to_float(F16)
    assert ms.grad(cell)(ms.Tensor([1.0, 2.0])).dtype == F32
    assert ms.grad(cell)(ms.Tensor([1.0, 2.0], F16)).dtype == F16


class Outer(nn.Cell):
    """Runs an inner cell between operations of its own."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.seen = []

    def construct(self, x):
        x = x * 1
        y = self.inner(x)
        z = y * 1
        self.seen = [x.dtype, y.dtype, z.dtype]
        return z


def test_a_mark_reaches_every_descendant():
    net = nn.SequentialCell(Outer(nn.SequentialCell(Probe(lambda s, x: x * s.w)))).to_float(F16)
    net(ms.Tensor([1.0, 2.0]))
    assert net[0].seen == [F16, F16, F16]


def test_an_unmarked_cell_inherits_nothing_from_its_marked_caller():
    inner = Probe(lambda s, x: (x.astype(F32) * s.w) + 0)
    outer = Outer(nn.Cell()).to_float(F16)
    outer.inner = inner  # assigned after the mark, so it has none
    outer(ms.Tensor([1.0, 2.0]))
    assert outer.seen == [F16, F32, F16]


def test_a_marked_cell_leaves_its_unmarked_caller_as_it_was():
    outer = Outer(Probe(lambda s, x: x * s.w).to_float(F16))
    outer(ms.Tensor([1.0, 2.0]))
    assert outer.seen == [F32, F16, F16]  # y is float16, and float16 * 1 stays so
    outer = Outer(Probe(lambda s, x: x * s.w).to_float(F16))
    assert (outer(ms.Tensor([1.0, 2.0])) * ms.Tensor([1.0, 1.0])).dtype == F32


def test_the_mark_ends_with_the_call_even_when_it_raises():
    def fail(cell, x):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        Probe(fail).to_float(F16)(ms.Tensor([1.0, 2.0]))
    assert (ms.Tensor([1.0]) * ms.Tensor([1.0])).dtype == F32


def test_a_later_call_overwrites_an_earlier_one_above_and_below():
    inner = Probe(lambda s, x: x * s.w)
    net = nn.SequentialCell(Outer(inner)).to_float(F16)
    inner.to_float(F32)
    net(ms.Tensor([1.0, 2.0]))
    assert net[0].seen == [F16, F32, F16]
    net.to_float(F16)
    net(ms.Tensor([1.0, 2.0]))
    assert net[0].seen == [F16, F16, F16]


def test_to_float_returns_the_cell_and_is_remembered_only_on_it():
    net = nn.SequentialCell(nn.Dense(1, 1))
    assert net.to_float(F16) is net
    assert (net.to_float_fp16, net[0].to_float_fp16) == (True, False)
    net.to_float(F32)
    assert net.to_float_fp16 is False


@pytest.mark.parametrize("dtype", [ms.int32, ms.float64, "float16", 16], ids=str)
def test_other_types_are_a_value_error_and_mark_nothing(dtype):
    cell = Probe(lambda s, x: x * s.w)
    with pytest.raises(
        ValueError, match="For 'to_float', the 'dst_type' must be float16, bfloat16 or float32, but got"
    ):
        cell.to_float(dtype)
    assert cell(ms.Tensor([1.0, 2.0])).dtype == F32


def test_a_float32_mark_widens_float16_inputs():
    assert dtype_in(lambda s, x: x * s.w, ms.Tensor([1.0, 2.0], F16), F32) == F32


def test_a_weight_that_is_used_twice_has_a_float32_sum_of_float16_gradients():
    """1024 and 1 sum to 1025 in float32; as float16 sums of 2048 and 1 would not."""
    cell = Probe(lambda s, x: (s.w * x).astype(F32) + (s.w * ms.Tensor([1.0, 1.0])).astype(F32))
    gradient = ms.grad(cell.to_float(F16), None, cell.w)(ms.Tensor([2048.0, 4096.0]))
    np.testing.assert_array_equal(gradient.asnumpy(), np.float32([2049, 4097]))


def param(*values, name="p"):
    return Parameter(Tensor(list(values)), name=name)


def test_assigning_into_a_parameter_in_a_marked_cell_keeps_its_dtype():
    class Writes(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = param(1.0, 2.0)

        def construct(self, x):
            self.w[0] = x
            return self.w * 1

    cell = Writes().to_float(ms.float16)
    assert cell(Tensor(3.0)).dtype == ms.float16
    assert cell.w.dtype == ms.float32
