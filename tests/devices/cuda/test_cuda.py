"""A fault planted in the text of a kernel shows: in every file of this room, and in the generator of dropout's masks.

A barrier that is missing, a flag or a counter that blocks take from one another, numbers in the wrong places, a wrong
pad, a slice that is left out. Each case is right by the kernels as they are.
"""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from core.test_kernel_table import drawn
from cpucuda import device
from devices.cuda.test_operations import CASES, LIMITS, both, pooled
from support.cuda_kernels import kernel_alone

from minispore.core import backend, context
from minispore.devices import cuda
from minispore.devices.cuda import launch, multi_tensor, reduction
from minispore.ops import operations as o
from minispore.ops.kernels.random_streams import Stream
from minispore.ops.operations.loss_scale import AdvanceLossScale
from minispore.ops.operations.nn.apply_update import UpdateAll

ROOT = Path(__file__).resolve().parents[3]
ROOM = Path(cuda.__file__).parent
HALF, SINGLE = np.float16, np.float32

# Cases: a function of the array module that says whether the kernels are right


def is_right(primitive, inputs, limit=LIMITS["float32"]):
    """Whether a primitive's kernel gives what ``compute`` gives, twice: the first run leaves nothing behind.

    Each run takes memory that no result has been in.
    """

    def fresh(xp):
        xp.get_default_memory_pool().free_all_blocks()
        return both(xp, primitive, inputs)

    def check(xp):
        return all(_is_near(*pair, limit) for _ in range(2) for pair in zip(*fresh(xp), strict=True))

    return check


def _is_near(got, exact, limit):
    got, exact = got.astype(np.float64), exact.astype(np.float64)
    finite = np.isfinite(exact)
    if not np.array_equal(np.isfinite(got), finite):
        return False
    return np.abs(got - exact)[finite].max(initial=0) <= limit * max(1, np.abs(exact[finite]).max(initial=0))


def number(value, dtype=SINGLE):
    return np.array(value, dtype)


def with_peaks():
    """Rows of 200; in each other one a single number, of a warp's second half, is far above the others."""
    x = drawn((12, 200), SINGLE)
    x[::2, 53] += 300
    return x


def optimizer(primitive, *states, numbers):
    """An optimizer's case: the numbers in the places that the primitive says."""
    tensors, numbers = list(states), list(numbers)
    count = len(tensors) + len(numbers)
    inputs = [number(numbers.pop(0)) if i in primitive.numbers else tensors.pop(0) for i in range(count)]
    return is_right(primitive, inputs)


def of_two(primitive, *inputs):
    """The same update of two Parameters by one launch."""
    flat = []
    for i, x in enumerate(inputs):
        flat += [x] if i in primitive.numbers else [x, np.ascontiguousarray(x[: len(x) // 2] * 2)]
    return is_right(UpdateAll(primitive, 2, len(inputs)), flat)


def masks_are_the_hosts(xp):
    """Dropout's mask is that of the host's stream, and what is left is scaled."""
    x, name = drawn((5, 7, 3), SINGLE), ((5, 2**63), 7, 3)
    out, mask = cuda.dropout.dropout(xp, xp.asarray(x), lambda xp: Stream(*name, xp), 0.75)
    right = Stream(*name).chances(x.shape, 0.75)
    return np.array_equal(mask.get(), right) and np.allclose(out.get(), x * right / 0.75)


def results_go_into_their_pieces(xp):
    """Results of three steps lie one after another in the block that the device is told."""
    first, second = xp.arange(6, dtype=np.int32), xp.arange(3, dtype=np.uint8)
    block, slot = xp.zeros(3 * 32, np.uint8), xp.zeros(2, np.int64)
    cuda.copies.begin_block(xp, slot, block)
    for _ in range(3):
        delivered(xp, slot, 32, [(first, 4), (second, 29)], [], [], None)
        first += 1
    pieces = block.get().reshape(3, 32)
    right = [np.array_equal(p[4:28].view(np.int32), np.arange(6) + k) for k, p in enumerate(pieces)]
    return all(right) and (pieces[:, 29:] == np.arange(3)).all() and not pieces[:, :4].any()


def delivered(xp, *arguments):
    """Launch a delivery whose table is on the device, as that of a captured one."""
    delivery = cuda.copies.Delivery(xp, 9)
    delivery.launch(xp, xp.zeros(2, np.int64), 0, (), [[xp.empty(0, np.uint8)] * 2], (), None)
    delivery._rows = cuda.copies._rows(*arguments[2:5])
    delivery.send()
    delivery.launch(xp, *arguments)


def old_values_are_delivered_before_new_ones_are_written(xp):
    """A result that is a whole buffer holds its old values; a skip leaves the buffer, not the result."""
    for skip in (False, True):
        first, second, block = xp.arange(700, dtype=np.int32), xp.arange(5, dtype=np.uint8), xp.zeros(4096, np.uint8)
        slot = xp.asarray([block.data.ptr, 0])
        pairs = [(first, xp.full(700, 7, np.int32))], [(second, xp.full(5, 9, np.uint8))]
        delivered(xp, slot, 4096, [(first, 8), (second, 3001)], *pairs, xp.asarray(skip))
        held = block.get()
        olds = np.array_equal(held[8:2808].view(np.int32), np.arange(700)) and (held[3001:3006] == np.arange(5)).all()
        if not olds or (first.get() != 7).any() or (second.get() == 9).all() == skip or slot.get()[1] != 1:
            return False
    return True


def a_skip_is_kept(xp):
    """What is skipped adds nothing and copies nothing; else it does."""
    for skip in (None, False, True):
        flag = None if skip is None else xp.asarray(skip)
        words, y = xp.zeros(2, np.uint64), xp.zeros(9, SINGLE)
        cuda.copies.set_words(xp, words, (3, 5))
        cuda.copies.add_unless(xp, words, 2, flag)
        cuda.copies.copy_all(xp, [(y, xp.ones(9, SINGLE))], flag)
        if words.get().tolist() != [3, 5 if skip else 7] or (y.get() == (not skip)).sum() != 9:
            return False
    return True


def casts_are_rounded(xp):
    x, y = xp.asarray(drawn(700, SINGLE)), xp.zeros(700, HALF)
    cuda.copies.cast_all(xp, [(y, x)])
    return np.array_equal(y.get(), x.get().astype(HALF))


def a_narrow_copy_is_the_cast_of_the_new_value(xp):
    """An optimizer's launch writes the cast of what it made beside it."""
    w, m, g = (xp.asarray(drawn(900, SINGLE, seed)) for seed in range(3))
    cuda.narrow_copies.remember(w, w.astype(HALF))
    moved, _ = kernel_alone(o.ApplyMomentum())(xp, w, m, *map(xp.asarray, (number(0.1), g, number(0.9))))
    return np.array_equal(cuda.narrow_copies.narrow_of(moved).get(), moved.get().astype(HALF))


W, M, V, G = (drawn(3000, SINGLE, seed) for seed in range(4))
X = np.round(drawn((2, 3, 8, 8), SINGLE))
WITH_NAN = np.where(np.abs(X) == 2, SINGLE(np.nan), X)
OF_SLICES = drawn((8, 16, 17, 16), HALF, 2), drawn((8, 3, 17, 16), HALF), (16, 3, 3, 3)
RULES = {  # steps, overflows
    "kept": (4, False),
    "grown": (8, False),
    "shrunk": (4, True),
}
CHECKS = {case.id: is_right(*case.values) for case in CASES if case.id.endswith("float32")}
CHECKS |= {
    "peaks": is_right(o.Softmax(), (with_peaks(),)),
    "layer_norm of several warps": is_right(o.LayerNorm(), (drawn((3, 300), SINGLE), *drawn((2, 300), SINGLE, 1))),
    "conv_weight of slices": is_right(o.Conv2DBackpropFilter(16, 3, pad_mode="same"), OF_SLICES, LIMITS["float16"]),
    "max_pool padded": is_right(o.MaxPool(3, 1, "same"), (X,)),
    "max_pool_grad padded": is_right(o.MaxPoolGrad(3, 1, "same"), pooled(X, 3, 1, "same")),
    "relu of nan": is_right(o.ReLU(), (WITH_NAN,)),
    "relu_grad of zeros": is_right(o.ReluGrad(), (drawn(X.shape, SINGLE, 1), np.maximum(X, 0))),
    "sum of float16": is_right(o.ReduceSum(), (drawn((30, 4, 5), HALF), (0, 2)), LIMITS["float16"]),
    "sum of float16 to two axes": is_right(o.ReduceSum(), (drawn((30, 4, 5), HALF), (0,)), LIMITS["float16"]),
    "momentum": optimizer(o.ApplyMomentum(use_nesterov=True), W, M, G, numbers=(0.1, 0.9)),
    "momentum of two": of_two(o.ApplyMomentum(), W, M, number(0.1), G, number(0.9)),
    "sgd": optimizer(o.SGD(0.3, 0.01), W, G, M, (V > 0).astype(SINGLE), numbers=(0.1, 0.9)),
    "adam": optimizer(o.Adam(), W, M, V * V, G, numbers=(0.6, 0.9, 0.1, 0.9, 0.99, 1e-3)),
    "adam_weight_decay": optimizer(o.AdamWeightDecay(), W, M, V * V, G, numbers=(0.1, 0.9, 0.99, 1e-3, 0.3)),
    "masks": masks_are_the_hosts,
    "pieces": results_go_into_their_pieces,
    "delivery": old_values_are_delivered_before_new_ones_are_written,
    "skip": a_skip_is_kept,
    "casts": casts_are_rounded,
    "narrow copy": a_narrow_copy_is_the_cast_of_the_new_value,
}
CHECKS |= {
    f"loss scale {name}": is_right(
        AdvanceLossScale(2.0, 5), (number(1024), number(steps, np.int32), number(2, np.int32), number(overflow, bool))
    )
    for name, (steps, overflow) in RULES.items()
}

# Faults: (file, what is wrong) -> (the case that it breaks, a part of the file's text, what stands there instead)

_BARRIER, _SUM = "  __syncthreads();\n", "for (int s = WARP / 2; s; s >>= 1) v"
FAULTS = {
    ("common.cu", "no barrier before a sum's parts are written"): (
        *("layer_norm of several warps", "  __syncthreads();  // the sum before may still be read\n", ""),
    ),
    ("common.cu", "no barrier before a sum's parts are read"): (
        *("layer_norm of several warps", f"= v;\n{_BARRIER}  float total", "= v;\n  float total"),
    ),
    ("common.cu", "no barrier before a maximum's parts are read"): (
        *("peaks", f"= v;\n{_BARRIER}  float most", "= v;\n  float most"),
    ),
    ("common.cu", "the sum of half a warp"): ("softmax-float32", f"{_SUM} +=", f"{_SUM.replace('2', '4')} +="),
    ("common.cu", "the largest of half a warp"): ("peaks", f"{_SUM} = l", f"{_SUM.replace('2', '4')} = l"),
    ("common.cu", "a counter that is not set back"): ("batch_norm_slices-float32", "if (last) *counter = 0;", ""),
    ("activation.py", "the bias of another channel"): ("bias_4d-float32", "i / pixels % channels", "i % channels"),
    ("activation.py", "nan is 0"): ("relu of nan", " || x != x ?", " ?"),
    ("activation.py", "a slope where y is 0"): ("relu_grad of zeros", "y > T(0.f) ? dy", "y >= T(0.f) ? dy"),
    ("activation.py", "another slope"): ("gelu_grad-float32", "0.134145f", "0.044715f"),
    ("batch_norm.cu", "a slice is left out"): (
        *(
            "batch_norm_slices-float32",
            "s = 1; s < slices; s++) {\n      double",
            "s = 2; s < slices; s++) {\n      double",
        ),
    ),
    ("batch_norm.cu", "a slice of the gradient is left out"): (
        *("batch_norm_grad_slices-float32", "for (int s = 0; s < slices; s++)", "for (int s = 1; s < slices; s++)"),
    ),
    ("batch_norm.cu", "another image"): ("batch_norm-float32", "q / pixels * channels + c", "q / pixels + c"),
    ("conv2d_columns.py", "the pad's sign"): (
        "conv_same-float32",
        "oy * sy + ky * dy - top",
        "oy * sy + ky * dy + top",
    ),
    ("conv2d_columns.py", "the gradient's pad"): ("conv_same_input-float32", "i % w + left", "i % w - left"),
    ("conv2d_columns.py", "taps between two strides"): ("conv_stride_input-float32", "a % sy || ", ""),
    ("conv2d_columns.py", "an image is left out"): (
        "conv_same_weight-float32",
        "for (int n = 0; n <",
        "for (int n = 1; n <",
    ),
    ("conv2d_groups.py", "the pad's sign"): ("conv_groups-float32", "oy * sy + v * dy - top", "oy * sy + v * dy + top"),
    ("conv2d_groups.py", "the group"): ("conv_groups-float32", "(image * group + o / made)", "(image * group)"),
    ("conv2d_groups.py", "the gradient's pad"): (
        "conv_groups_input-float32",
        "row + top - v * dy",
        "row - top - v * dy",
    ),
    ("conv2d_groups_weight_grad.cu", "the pad's sign"): ("conv_groups_weight-float32", "v * dy - top", "v * dy + top"),
    ("conv2d_groups_weight_grad.cu", "the group"): ("conv_groups_weight-float32", "o / made * taken + c", "c"),
    ("conv2d_groups_weight_grad.cu", "a thread's own sum"): (
        *("conv_groups_weight-float32", "  sum = block_sum(sum);\n", ""),
    ),
    ("copies.cu", "a piece is left out"): ("pieces", "slot[1]++", "slot[1] += 2"),
    ("copies.cu", "results lie on one another"): ("pieces", "results + copy.to", "results"),
    ("copies.cu", "pieces lie on one another"): ("pieces", "slot[0] + slot[1] * piece", "slot[0]"),
    ("copies.cu", "new values are delivered"): ("delivery", "if (old) old[i] = to[i];", "if (old) old[i] = from[i];"),
    ("copies.cu", "the flag of a skipped write"): ("delivery", "UNLESS && skip && *skip", "UNLESS && skip && !*skip"),
    ("copies.cu", "the flag of a skip"): ("skip", "!skip || !*skip", "!skip || *skip"),
    ("copies.py", "the flag of a skip"): ("skip", "if (skip) return;", ""),
    ("copies.py", "no cast"): ("casts", "y[i] = y_t(x[i]);", "y[i] = y_t((float)(int)x[i]);"),
    ("cross_entropy.cu", "a warp's own sum"): (
        "cross_entropy_False_int32-float32",
        "  total = block_sum(total);\n",
        "",
    ),
    ("cross_entropy.cu", "a block is left out"): ("cross_entropy_False_int32-float32", "int b = 0;", "int b = 1;"),
    ("cross_entropy.cu", "a label that is no class"): (
        *("cross_entropy_False_int64-float32", "chosen < size) total", "chosen <= size) total"),
    ),
    ("cross_entropy.cu", "the slopes of a label that is no class"): (
        *("cross_entropy_True_int64-float32", "chosen < size ? 1.0f", "chosen <= size ? 1.0f"),
    ),
    ("dropout.cu", "a word's halves"): ("masks", "32 * (j % 2)", "32 * (1 - j % 2)"),
    ("dropout.py", "not scaled"): ("dropout_grad-float32", "float(mask) * scale)", "float(mask))"),
    ("philox.cu", "words in other places"): ("masks", "words[0] = c0, words[1] = c1", "words[1] = c0, words[0] = c1"),
    ("layer_norm.cu", "no barrier before columns' sums are read"): (
        *("layer_norm_grad-float32", f"= sum;\n{_BARRIER}  if (group", "= sum;\n  if (group"),
    ),
    ("layer_norm.cu", "a slice is left out"): (
        "layer_norm_grad-float32",
        "int s = 0; s < slices",
        "int s = 1; s < slices",
    ),
    ("layer_norm.cu", "one counter for all columns"): ("layer_norm_grad-float32", "counters + blockIdx.x", "counters"),
    ("loss_scale.py", "the flag's sign"): ("loss scale shrunk", "if (overflow) wide", "if (!overflow) wide"),
    ("loss_scale.py", "the last change"): ("loss scale shrunk", "overflow || grows ? now", "grows ? now"),
    ("loss_scale.py", "a step early"): ("loss scale kept", ">= window", "> 0"),
    ("multi_tensor.py", "a race on the flag"): (
        *(
            "not_finite-float32",
            "if (!isfinite(float(x[i]))) *(bool*)all_ = false;",
            "*(bool*)all_ = isfinite(float(x[i]));",
        ),
    ),
    ("multi_tensor.py", "the first Parameter alone"): ("momentum of two", "][blockIdx.y];", "][0];"),
    ("multi_tensor.py", "no Nesterov"): ("momentum", "nesterov ? sum * momentum + gradient : sum", "sum"),
    ("multi_tensor.py", "the narrow copy of the old value"): (
        "narrow copy",
        "if (narrow) narrow[i] = narrow_t(",
        "if (narrow) narrow[i] = narrow_t(w[i] + 0 *",
    ),
    ("multi_tensor.py", "the first step's dampening"): ("sgd", "dampening * (1 - stat[i])", "dampening * stat[i]"),
    ("multi_tensor.py", "moments that are not corrected"): ("adam", " / (1 - beta1_power)", ""),
    ("multi_tensor.py", "no decay"): ("adam_weight_decay", "w[i] * decay + m1", "m1"),
    ("pool2d.py", "the pad's sign"): ("max_pool padded", "int row = oy * sy + a - top", "int row = oy * sy + a + top"),
    ("pool2d.py", "the gradient's pad"): ("max_pool_grad padded", "oy * sy - top <= row", "oy * sy + top <= row"),
    ("pool2d.py", "two winners"): ("max_pool_grad_22-float32", "if (first) sum +=", "sum +="),
    ("recurrent.cu", "the sample of another thread"): ("lstm_step_tiles-float32", "rows[mine][j] *", "rows[0][j] *"),
    ("recurrent.cu", "no barrier before the tiles are written"): (
        *("lstm_step_tiles-float32", "    __syncthreads();  // the tiles before may still be read\n", ""),
    ),
    ("recurrent.cu", "no barrier before the tiles are read"): (
        *("gru_step_tiles-float32", "    __syncthreads();\n    for (int j", "    for (int j"),
    ),
    ("recurrent.cu", "an LSTM's gates"): ("lstm_step_4-float32", "gates[1] * float(c[at])", "gates[0] * float(c[at])"),
    ("recurrent.cu", "an LSTM's slopes"): ("lstm_slopes-float32", "(i - i * i) * g", "(i - i * i) * o"),
    ("recurrent.cu", "a GRU's gates"): ("gru_step_4-float32", "z[2] + r * j[2]", "z[2] + u * j[2]"),
    ("recurrent.cu", "a GRU's slopes"): ("gru_slopes-float32", "T(to_n * r)", "T(to_n * u)"),
    ("recurrent_sequence.cu", "the sample of another thread"): (
        *("sequence_lstm-float32", "state[mine * width + i] *", "state[i] *"),
    ),
    ("recurrent_sequence.cu", "no barrier before the states are read"): (
        *(
            "sequence_gru-float32",
            "    __syncthreads();\n    if (!works) continue;\n    A j[",
            "    if (!works) continue;\n    A j[",
        ),
    ),
    ("recurrent_sequence.cu", "no barrier before the slopes are read"): (
        "sequence_grad_lstm-float32",
        "    __syncthreads();\n    if (!works) continue;\n    const T* row",
        "    if (!works) continue;\n    const T* row",
    ),
    ("recurrent_sequence.cu", "a sample goes on past its end"): (
        *("sequence_gru_reverse_int32-float32", "  if (alive) {\n    *h = next;", "  if (true) {\n    *h = next;"),
    ),
    ("recurrent_sequence.cu", "a GRU's slopes"): ("sequence_grad_gru-float32", "j[2] = z[2] * r;", "j[2] = z[2] * u;"),
    ("reduction.py", "the last number alone"): ("sum of float16 to two axes", '"a + b"', '"b"'),
    ("softmax.cu", "a thread's own sum"): ("softmax-float32", "  sum = block_sum(sum);\n", ""),
    ("softmax.cu", "a thread's own products"): ("softmax_grad-float32", "  products = block_sum(products);\n", ""),
}
# Faults that show where warps and blocks come in a drawn order alone
ORDERED = {
    ("common.cu", "no barrier before the last block goes on"): (
        *("conv_weight of slices", f"  }}\n{_BARRIER}  if (last)", "  }\n  if (last)"),
    ),
    ("batch_norm.cu", "one counter for all channels"): (
        "batch_norm_slices-float32",
        "counters + c, slices",
        "counters, slices",
    ),
}
ELSEWHERE = {  # files whose faults are planted in other tests, and files without a text of CUDA
    "channel_sums.cu": "test_channel_sums",
    "channel_sums.py": "test_channel_sums",
    "cublaslt.py": "test_cublaslt",
    "conv2d_gather.cu": "test_conv2d",
    "conv2d_weight_grad.cu": "test_conv2d",
    "elementwise_group.py": "test_elementwise_group",
    "low_bits.cu": "test_low_bits",
    "mma.cu": "test_conv2d_implicit",
}
WITHOUT_TEXT = {"__init__", "batch_norm", "conv2d", "conv2d_implicit", "cross_entropy", "cublas", "gemm", "launch"}
WITHOUT_TEXT |= {"layer_norm", "low_bits", "recurrent", "recurrent_sequence", "narrow_copies", "softmax"}
WITHOUT_TEXT |= {"capture", "device_draws", "device_words", "persistent_buffers"}  # graphs, draws, memory


def source_of(file):
    return ROOM / file


def forget_kernels():
    """Have kernels be made anew, and the counters of their blocks, which a fault may have left at any number."""
    for cache in (launch.kernel, launch.elementwise, launch.counters, multi_tensor._compiled, reduction._summing):
        cache.cache_clear()


def planted(monkeypatch, xp, right, wrong):
    """Have CuPy be given ``wrong`` for ``right`` in the text of every kernel; gives a list, of how often that was.

    New memory is filled: what a fault leaves unwritten may be there, and right, from the run before.
    """
    counts, right, wrong, empty = [], right.strip('"'), wrong.strip('"'), xp.empty

    def filled(*arguments, **named):
        array = empty(*arguments, **named)
        array.reshape(-1).view(np.uint8).fill(0x7F)
        return array

    monkeypatch.setattr(xp, "empty", filled)

    def altered(value):
        if not isinstance(value, str):
            return value
        counts.append(value.count(right))
        return value.replace(right, wrong)

    for name in ("RawModule", "RawKernel", "ElementwiseKernel", "ReductionKernel"):
        plain = getattr(xp, name)
        monkeypatch.setattr(
            xp,
            name,
            lambda *args, plain=plain, **kwargs: plain(
                *map(altered, args), **{k: altered(v) if k == "code" else v for k, v in kwargs.items()}
            ),
        )
    forget_kernels()
    return counts


def shows(xp, fault):
    """Whether a fault breaks its case, which is right without it."""
    case, right, wrong = (FAULTS | ORDERED)[fault]
    assert right in source_of(fault[0]).read_text() and CHECKS[case](xp)
    with pytest.MonkeyPatch.context() as monkeypatch:
        counts = planted(monkeypatch, xp, right, wrong)
        try:
            found = CHECKS[case](xp)
        finally:
            forget_kernels()
    assert any(counts)
    return not found


@pytest.fixture
def on_cpucuda(on_cupy):
    """Compute on the CPU's CUDA."""
    if not device.is_built():
        pytest.skip("a GPU may come through a missing barrier by luck")
    return on_cupy


@pytest.mark.parametrize("fault", FAULTS, ids=": ".join)
def test_a_planted_fault_shows(on_cpucuda, fault):
    assert shows(on_cpucuda, fault)


def _in_drawn_orders():
    """Print of each fault of order whether it shows in one of three runs; the orders are the driver's from its start.

    One block's order hides a fault where the warp that the others should have waited for happens to come first.
    """
    context.set_context(device_target="GPU")
    for fault in [*ORDERED, *(fault for fault in FAULTS if "barrier" in fault[1])]:
        print(*fault, any(shows(backend.xp, fault) for _ in range(3)), sep=": ")


def test_in_any_order_of_warps_and_blocks_the_kernels_are_right_and_a_missing_barrier_shows(on_cpucuda):
    script = (
        "import sys; sys.path[:0] = ['tests']\n"
        "from cpucuda import device; device.activate()\n"
        "from devices.cuda import test_cuda; test_cuda._in_drawn_orders()"
    )
    environment = {**os.environ, "CPUCUDA_ORDER": "7", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) >= 6 and [line for line in lines if not line.endswith(": True")] == []


@pytest.mark.parametrize("scale", [2.0**126, 2.0**127, 3e38])
def test_a_scale_whose_reciprocal_is_subnormal_unscales(on_cupy, scale):
    numbers, scale = np.array([2.0**127, -(2.0**120), 3.0], np.float32), np.array(scale, np.float32)
    out, overflow = multi_tensor.unscaled(on_cupy, on_cupy.asarray(scale), [on_cupy.asarray(numbers)])
    expected = numbers / scale.astype(np.float64)
    np.testing.assert_allclose(out.get()[:2], expected[:2], rtol=3e-7)
    assert abs(out.get()[2] - expected[2]) < 2.0**-126 and not overflow  # CuPy's kernels flush subnormal numbers


def _around_the_second_launch(monkeypatch, action):
    """Have ``action`` happen once between two launches of a list that is too long for one; they count together."""
    compiled, actions = multi_tensor._compiled, [lambda: None, action]

    def made(xp, rule, types, *kinds):
        function, *rest = compiled(xp, rule, types, *kinds)
        return lambda *arguments: (actions and actions.pop(0)(), function(*arguments)), *rest

    monkeypatch.setattr(multi_tensor, "_compiled", made)


def _overflows(xp, *numbers):
    """Whether gradients, as many as fit into a launch of each of two numbers, are told to overflow."""
    most = multi_tensor._compiled(xp, multi_tensor.UNSCALE_ONLY, ("Numbers", "float"), ("float",), ("bool",))[2]
    kinds = zip(numbers, (np.float16, np.float32), strict=True)
    arrays = [x for number, dtype in kinds for x in [xp.full(2, number, dtype)] * most]
    return bool(multi_tensor.unscaled(xp, xp.ones((), np.float32), arrays)[-1])


def test_launches_that_count_together_do_not_mix_with_another_threads(on_cupy, monkeypatch):
    told = []
    other = threading.Thread(target=lambda: told.append(_overflows(on_cupy, 1, 1)))
    _around_the_second_launch(monkeypatch, lambda: (other.start(), other.join()))
    assert [_overflows(on_cupy, np.inf, 1), *told] == [True, False]
    assert [_overflows(on_cupy, 1, np.nan), _overflows(on_cupy, 1, 1)] == [True, False]


def test_a_launch_that_fails_leaves_no_count_to_the_next_step(on_cupy, monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    _around_the_second_launch(monkeypatch, interrupt)
    with pytest.raises(KeyboardInterrupt):
        _overflows(on_cupy, np.inf, 1)
    assert not launch.counters_for(on_cupy, 2).any()
    assert [_overflows(on_cupy, 1, 1), _overflows(on_cupy, np.inf, 1)] == [False, True]


def test_what_counts_itself_on_another_stream_has_other_counters(on_cupy):
    here = launch.counters_for(on_cupy, 2)
    with on_cupy.cuda.Stream(non_blocking=True):
        assert launch.counters_for(on_cupy, 2) is launch.counters_for(on_cupy, 5) is not here
    assert launch.counters_for(on_cupy, 2) is here


def test_every_kernels_file_has_a_planted_fault():
    files = {path.name for path in ROOM.iterdir() if path.suffix in (".cu", ".py") and path.stem not in WITHOUT_TEXT}
    files |= {path.name for path in ROOM.glob("*.cu")}
    assert files == {file for file, _ in FAULTS} | set(ELSEWHERE)
