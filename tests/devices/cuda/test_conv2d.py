"""The GPU's convolutions equal the definition in float64, over drawn shapes and at float16's edges."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from cpucuda import device
from hypothesis import given
from hypothesis import strategies as st
from ops.kernels.conv_reference import (
    conv2d_grad_input_reference,
    conv2d_grad_weight_reference,
    conv2d_reference,
    convolutions,
)

from minispore.core import backend, context
from minispore.core.dtype import bfloat16
from minispore.devices.cuda import conv2d, conv2d_implicit, launch

ROOT = Path(__file__).resolve().parents[3]
TYPES = {"float16": np.float16, "bfloat16": bfloat16.np, "float32": np.float32}
HALF_STEP = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-24}  # of a number, where it is rounded


def three(x, w, dy, arguments):
    """The convolution and its gradients by the definition."""
    yield conv2d_reference(x, w, *arguments)
    yield conv2d_grad_input_reference(dy, w, x.shape, *arguments)
    yield conv2d_grad_weight_reference(dy, x, w.shape, *arguments)


def three_of_kernels(xp, x, w, dy, geometry):
    """The same by the kernels, of arrays of the device."""
    yield conv2d.conv2d(xp, x, w, dy.shape, geometry)
    yield conv2d.conv2d_grad_input(xp, dy, w, x.shape, geometry)
    yield conv2d.conv2d_grad_weight(xp, dy, x, w.shape, geometry)


def are_rounded_once(xp, dtype, x, w, dy, geometry):
    """Whether each number is the exact one, rounded to its dtype, but for the order of a sum in float32."""
    x, w, dy = (v.astype(np.float32).astype(TYPES[dtype]) for v in (x, w, dy))
    exact = [v.astype(np.float64) for v in (x, w, dy)]
    there = [xp.asarray(v) for v in (x, w, dy)]
    found = list(three_of_kernels(xp, *there, geometry))
    assert all(a.get().tobytes() == b.tobytes() for a, b in zip(there, (x, w, dy), strict=True))
    for got, right, size in zip(found, three(*exact, geometry), three(*map(abs, exact), geometry), strict=True):
        assert (got.dtype, got.shape) == (x.dtype, right.shape)
        got, finite = got.get().astype(np.float64), np.isfinite(right)
        error = np.subtract(got, right, where=finite, out=np.zeros_like(right))
        limit = HALF_STEP[dtype] * abs(right) + 2.0**-21 * size + 2.0**-25
        if not (abs(error) <= limit)[finite].all() or not np.array_equal(np.isfinite(got), finite):
            return False
    return True


@given(case=convolutions(), dtype=st.sampled_from(list(TYPES)))
def test_any_convolution_is_the_exact_one_rounded_once(on_cupy, case, dtype):
    x, w, dy, (stride, pads, dilation, group) = case
    if x.size:
        assert are_rounded_once(on_cupy, dtype, x, w, dy, (stride, tuple(pads), dilation, group))


TABLE = {  # x, w, stride, pads, dilation, group
    "several tiles of pixels and channels": ((2, 40, 9, 11), (70, 40, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    "two channels above a tile": ((1, 7, 6, 6), (18, 7, 5, 5), (1, 1), (2, 2, 2, 2), (1, 1), 1),
    "one number": ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    "stride over one pixel": ((3, 16, 9, 9), (32, 16, 1, 1), (2, 2), (0, 0, 0, 0), (1, 1), 1),
    "slices of pixels": ((8, 3, 17, 16), (16, 3, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    "more padding than kernel": ((2, 3, 4, 4), (2, 3, 2, 2), (3, 2), (4, 0, 3, 5), (2, 1), 1),
    "strides beyond x": ((2, 3, 5, 4), (4, 3, 2, 3), (7, 9), (1, 0, 0, 0), (2, 1), 1),
    "strides and dilations with common factors": ((1, 2, 23, 25), (3, 2, 4, 3), (4, 6), (3, 2, 1, 1), (6, 4), 1),
    "depthwise": ((2, 12, 7, 8), (24, 1, 3, 3), (2, 1), (1, 1, 1, 1), (1, 1), 12),
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("case", TABLE)
def test_a_convolution_at_the_tiles_edges_is_the_exact_one_rounded_once(on_cupy, case, dtype):
    x_shape, w_shape, *geometry = TABLE[case]
    random = np.random.default_rng(2)
    x, w = random.standard_normal(x_shape), random.standard_normal(w_shape)
    dy = random.standard_normal(conv2d_reference(x, w, *geometry).shape)
    assert are_rounded_once(on_cupy, dtype, x, w, dy, tuple(geometry))


SIMPLE = (1, 1), (1, 1, 1, 1), (1, 1), 1  # a stride of 1, same padding
EDGES = {  # what x holds: at three pixels one below the other, for a kernel of ones
    "the largest": ((65504, 0, 0), (65504, 65504, 0)),
    "beyond the largest": ((65504, 65504, 0), (np.inf, np.inf, 65504)),
    "back from beyond": ((65504, 65504, -65504), (np.inf, 65504, 0)),
    "a tie above the largest": ((65504, 15, 0), (65504, 65504, 15)),
    "subnormals": ((2**-24, 2**-24, 2**-23), (2**-23, 2**-22, 3 * 2**-24)),
    "infinity": ((np.inf, 1, 1), (np.inf, np.inf, 2)),
    "infinities of both signs": ((np.inf, -np.inf, 1), (np.nan, np.nan, -np.inf)),
    "nan": ((1, 1, np.nan), (2, np.nan, np.nan)),
}


@pytest.mark.parametrize("edge", EDGES)
def test_the_edges_of_float16_are_rounded_as_numbers_are(on_cupy, edge):
    given, sums = (np.array(v, np.float16).reshape(1, 1, 3, 1) for v in EDGES[edge])
    kernel = np.zeros((1, 1, 3, 3), np.float16)
    kernel[..., 1] = 1
    x, w = (
        on_cupy.asarray(np.pad(given, ((0, 0), (0, 15), (0, 0), (0, 0)))),
        on_cupy.asarray(np.pad(kernel, ((0, 0), (0, 15), (0, 0), (0, 0)))),
    )
    np.testing.assert_array_equal(conv2d.conv2d(on_cupy, x, w, (1, 1, 3, 1), SIMPLE).get(), sums)
    dx = conv2d.conv2d_grad_input(on_cupy, on_cupy.asarray(given), w, x.shape, SIMPLE).get()
    np.testing.assert_array_equal(dx[:, :1], sums)
    dw = conv2d.conv2d_grad_weight(
        on_cupy,
        on_cupy.asarray(given),
        on_cupy.ones((1, 1, 3, 1), np.float16),
        (1, 1, 1, 1),
        ((1, 1), (0,) * 4, (1, 1), 1),
    )
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(dw.get().ravel(), given.astype(np.float32).sum().astype(np.float16))


@pytest.mark.parametrize("dtype", TYPES)
def test_a_convolution_gives_the_same_bits_again(on_cupy, dtype):
    x_shape, w_shape, *geometry = TABLE["slices of pixels"]
    shapes = x_shape, w_shape, (8, 16, 17, 16)
    drawn = [np.random.default_rng(0).standard_normal(s).astype(np.float32).astype(TYPES[dtype]) for s in shapes]
    there = [on_cupy.asarray(v) for v in drawn]
    runs = [[v.get().tobytes() for v in three_of_kernels(on_cupy, *there, tuple(geometry))] for _ in range(2)]
    assert runs[0] == runs[1]


# Planted faults

FIRST, LAST = "    __syncthreads();\n    if", "    __syncthreads();  // nobody overwrites"
FAULTS = {
    "gather, no barrier before the product": ("conv2d_gather", FIRST, "    if"),
    "gather, no barrier after the product": ("conv2d_gather", LAST, "    //"),
    "gather, no barrier before the result": ("conv2d_gather", "  __syncthreads();\n  for (int o", "  for (int o"),
    "gather, the pad's sign": ("conv2d_gather", "at.sy + at.first_y +", "at.sy - at.first_y +"),
    "gather, the last taps": ("conv2d_gather", "v < down.count && ", ""),
    "gather, the next tap": ("conv2d_gather", "      from = place_of(v, u);", "      ;"),
    "gather, the next row of taps": ("conv2d_gather", "u = 0, v++", "u = 0"),
    "gather, the taps of a class": ("conv2d_gather", "v * down.step", "v"),
    "gather, the rest of a class": ("conv2d_gather", "at.first_y + rest_y, at.dy", "at.first_y, at.dy"),
    "weight, no barrier before the product": ("conv2d_weight_grad", FIRST, "    if"),
    "weight, no barrier after the product": ("conv2d_weight_grad", LAST, "    //"),
    "weight, no barrier after the table": ("conv2d_weight_grad", "  }\n  __syncthreads();\n", "  }\n"),
    "weight, the pad's sign": ("conv2d_weight_grad", "at.dy - at.top", "at.dy + at.top"),
    "weight, a slice is left out": ("conv2d_weight_grad", "for (int s = 1; s <", "for (int s = 2; s <"),
}


def with_fault(monkeypatch, fault):
    """Plant a fault in a kernel's text."""
    file, right, wrong = FAULTS[fault]
    plain = launch.text_of
    assert plain(file).count(right) == 1
    monkeypatch.setattr(launch, "text_of", lambda f: plain(f).replace(right, wrong) if f == file else plain(f))
    monkeypatch.setattr(conv2d_implicit, "kernel", launch.kernel.__wrapped__)


def is_right(xp):
    """Whether two convolutions of odd sizes and their gradients are right, one of them with an infinity in x."""
    random, found = np.random.default_rng(4), []
    for infinity, geometry in ((1, ((1, 1), (1, 0, 2, 1), (1, 2), 1)), (np.inf, ((2, 1), (2, 2, 0, 3), (1, 1), 1))):
        x, w = random.standard_normal((4, 5, 16, 15)), random.standard_normal((7, 5, 3, 3))
        dy = random.standard_normal(conv2d_reference(x, w, *geometry).shape)
        x[2, 3, 6, 7] = infinity
        found.append(are_rounded_once(xp, "float16", x, w, dy, geometry))
    return all(found)


@pytest.fixture
def on_cpucuda(on_cupy):
    """Compute on the CPU's CUDA."""
    if not device.is_built():
        pytest.skip("a GPU may come through a missing barrier by luck")
    return on_cupy


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_shows(on_cpucuda, monkeypatch, fault):
    assert is_right(on_cpucuda)
    with_fault(monkeypatch, fault)
    assert not is_right(on_cpucuda)


def _in_random_orders():
    """Which barriers' faults show where warps come in a drawn order; the order is the driver's when it starts."""
    context.set_context(device_target="GPU")
    xp = backend.xp
    assert is_right(xp)
    for fault in FAULTS:
        if "barrier" in fault:
            with pytest.MonkeyPatch.context() as monkeypatch:
                with_fault(monkeypatch, fault)
                print(fault, is_right(xp), sep=": ")


def test_any_order_of_warps_gives_the_same_and_a_missing_barrier_does_not(on_cpucuda):
    script = (
        "import sys; sys.path[:0] = ['tests']\n"
        "from cpucuda import device; device.activate()\n"
        "from devices.cuda import test_conv2d; test_conv2d._in_random_orders()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "CPUCUDA_ORDER": "7", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [f"{fault}: False" for fault in FAULTS if "barrier" in fault]


def test_a_captured_step_may_hold_the_kernels(on_cupy):
    """They neither wait nor take memory that a first run did not, and read what the inputs hold at each launch."""
    random = np.random.default_rng(5)
    x, w, dy = (random.standard_normal(s).astype(np.float16) for s in ((8, 3, 9, 9), (4, 3, 3, 3), (8, 4, 9, 9)))
    with on_cupy.cuda.Stream(non_blocking=True) as stream:
        there = [on_cupy.asarray(v) for v in (x, w, dy)]
        expected = [v.get().tobytes() for v in three_of_kernels(on_cupy, *there, SIMPLE)]
        there[0] *= 2
        stream.begin_capture()
        found = list(three_of_kernels(on_cupy, *there, SIMPLE))
        graph = stream.end_capture()
        there[0] /= 2
        graph.launch(stream)
        assert [v.get().tobytes() for v in found] == expected
