"""Casts of low-bit operands by one launch each have the host's bits; the products of layers follow."""

import contextlib
import functools

import numpy as np
import pytest
from cpucuda import device as cpucuda
from support.golden import golden

import minispore as ms
from minispore import amp
from minispore.amp.lowbit import formats
from minispore.amp.lowbit.quantized import Operand, quantize
from minispore.amp.lowbit.scales import Current, Delayed, Shared, TwoLevels, Unscaled
from minispore.core import backend
from minispore.core.dtype import bfloat16
from minispore.devices.cuda import launch, low_bits

MODES, ELEMENTS = ("floor", "ceil", "even", "rceil"), ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
OPERANDS = [
    *(Operand(element, (1, 32), Shared(mode)) for element in ELEMENTS for mode in MODES),
    *(Operand(element, None, Current(power)) for element in ("e4m3", "e5m2") for power in (False, True)),
    *(Operand("e4m3", tile, Current(power)) for tile in ((1, 128), (128, 128)) for power in (False, True)),
    *(Operand("e2m1", tile, TwoLevels()) for tile in ((1, 16), (16, 16))),
    *(Operand("e2m1", (1, 16), TwoLevels(2.0**-6)), Operand("e4m3", None, Unscaled()), Operand("hifloat8")),
    *(Operand("e4m3", (1, 32), Shared(), "away"), Operand("e2m1", (32, 32), Shared())),
]
pytestmark = pytest.mark.usefixtures("on_cupy")


def matrices():
    """Matrices of many sizes of numbers: with tails, zeros, subnormal numbers, and what is not finite."""
    rng = np.random.default_rng(0)
    for shape in ((1, 1), (3, 70), (37, 16), (130, 260)):
        yield (rng.standard_normal(shape) * np.exp2(rng.integers(-20, 20, (shape[0], 1)))).astype(np.float32)
    yield np.zeros((3, 40), np.float32)
    yield np.full((3, 40), -1e-42, np.float32)
    yield (rng.standard_normal((9, 64)) * np.exp2(rng.integers(-149, 128, (9, 1)))).astype(np.float32)
    for bad in (np.inf, -np.inf, np.nan):
        x = rng.standard_normal((5, 40)).astype(np.float32)
        x[2, 3] = bad
        yield x
    yield golden("torchao_mx")["mx.blocks"]
    yield golden("te_reference")["nvfp4.special"]


def of_host(x, operand, axis, source):
    with np.errstate(all="ignore"):
        return quantize(x, operand, axis, source=source).split()


def same_bits(one, other):
    one, other = (np.asarray(x, np.float32) for x in (one, other))
    nan = np.isnan(one)
    return np.array_equal(nan, np.isnan(other)) and np.array_equal(
        one.view(np.uint32)[~nan], other.view(np.uint32)[~nan]
    )


def has_the_hosts_bits(xp, operand):
    """True if each matrix's cast is the host's, along both axes, as float32 and as bfloat16."""
    for x in matrices():
        for axis in (0, 1):
            for source in (np.dtype(np.float32), bfloat16.np):
                found, number = low_bits.cast(xp, xp.asarray(x), operand, axis, None, source)
                array, wished = of_host(x, operand, axis, source)
                if not same_bits(found.get(), array) or (number is None) != (wished is None):
                    return False
                if number is not None and not np.array_equal(np.ravel(number.get()), np.ravel(wished), equal_nan=True):
                    return False
    return True


@pytest.mark.parametrize("operand", OPERANDS, ids=str)
def test_an_operand_has_the_hosts_bits(operand):
    assert has_the_hosts_bits(backend.xp, operand)


_BARRIER = "  __syncthreads();\n"
SQUARES, ROWS, NVFP4 = Operand("e4m3", (128, 128), Current()), Operand("e4m3", (1, 32), Shared()), OPERANDS[-6]
FAULTS = {  # what is wrong -> an operand that shows it, the right text, the wrong one
    "subnormal numbers are zeros": (ROWS, "double size = double(bits & 0x7fffff)", "double size = 0 * double(bits)"),
    "subnormal results are zeros": (ROWS, "return sign | unsigned(rint(fabs(v) * 0x1p149));", "return sign;"),
    "not rounded to odd": (ROWS, "((bits & 0xffff) + 0xffff | bits) >> 16", "bits >> 16"),
    "the code of a subnormal quotient": (ROWS, "field ? 0u : 0x400000u", "0u"),
    "floor for rceil": (ROWS, "field + (mantissa >", "field + 0 * (mantissa >"),
    "an infinity's block is finite": (
        Operand("e2m1", (1, 32), Shared()),
        "code == 255 ? wide(0x7fc00000) : power_of_two(code",
        "power_of_two(code",
    ),
    "even without its rounding": (Operand("e2m1", (1, 32), Shared("even")), "rule.kind == 2 &&", "rule.kind == 9 &&"),
    "ceil as floor": (Operand("e4m3", (1, 32), Shared("ceil")), "rule.kind == 1 &&", "rule.kind == 9 &&"),
    "no bound of the activations' type": (SQUARES, "if (isinf(made)) made = rule.largest;", ""),
    "no power of two": (Operand("e4m3", None, Current(True)), "if (rule.power_of_2) made", "if (false) made"),
    "an infinity is clipped": (SQUARES, "amax > 0 && amax < 0x7f800000u ?", "amax > 0 ?"),
    "a scale of the tensor that is infinite": (NVFP4, "if (spread == 0) spread = 1;", ""),
    "a tile's scale above the largest": (NVFP4, "if (*up > most) *up = most;", ""),
    "another column": (SQUARES, "* k + column + i % broad;\n    out", "* k + column + i / broad;\n    out"),
    "half of a warp's largest": (SQUARES, "amax, s, WARP", "amax, s / 2, WARP"),
    "no barrier before the largest are read": (SQUARES, f"= amax;\n{_BARRIER}", "= amax;\n"),
    "one warp's largest": (SQUARES, "w < blockDim.x / WARP; w++) amax", "w < 1; w++) amax"),
    "the largest of some": (Operand("e4m3"), "atomicMax(most, mine)", "*most = mine"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_shows(fault, monkeypatch):
    if not cpucuda.is_built():
        pytest.skip("a GPU may come through a missing barrier by luck")
    operand, right, wrong = FAULTS[fault]
    plain = launch.text_of
    assert right in plain("low_bits")
    monkeypatch.setattr(launch, "text_of", lambda file: plain(file).replace(right, wrong))
    monkeypatch.setattr(low_bits, "kernel", functools.cache(launch.kernel.__wrapped__))
    assert not has_the_hosts_bits(backend.xp, operand)


@pytest.mark.parametrize("up", [1.0, 448.0, 3.4e38, 1e-30])
def test_an_operand_with_a_delayed_scale_has_the_hosts_bits(up):
    xp, operand, up = backend.xp, Operand("e4m3", None, Delayed()), np.float32([up])
    for x in matrices():
        found, number = low_bits.cast(xp, xp.asarray(x), operand, 1, xp.asarray(up), x.dtype)
        with np.errstate(all="ignore"):
            array, wished = quantize(x, operand, up=up).split()
        assert same_bits(found.get(), array) and same_bits(number.get(), wished)


RECIPES = [
    *(amp.DelayedFP8(history=3), amp.CurrentFP8(), amp.BlockFP8(), amp.MXFP8(), amp.MXFP4().replace(rounding="even")),
    *(amp.NVFP4(stochastic=False), amp.NVFP4(), amp.MXFP4()),
]


@pytest.mark.parametrize("level", ["O0", "O3"])
@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_a_layer_has_the_hosts_numbers(recipe, level, restored):
    rng = np.random.default_rng(0)
    x, w = (rng.standard_normal(shape).astype(np.float32) for shape in ((24, 40), (20, 40)))

    def results():
        ms.set_seed(1)
        net = ms.nn.SequentialCell(ms.nn.Dense(40, 20, weight_init=ms.Tensor(w)))
        net = amp.auto_mixed_precision(net, level, recipe=recipe.replace(keep=())).set_train()
        grad = ms.ops.GradOperation(get_all=True, get_by_list=True, sens_param=True)
        found = []
        for _ in range(2):
            given = ms.Tensor(x)
            y = net(given)
            (dx,), (dw, *_) = grad(net, ms.ParameterTuple(net.trainable_params()))(given, y)
            found += [z.asnumpy().astype(np.float64) for z in (y, dx, dw)]
        return found

    device = results()
    ms.set_context(device_target="CPU")
    try:
        host = results()
    finally:
        ms.set_context(device_target="GPU")
    for one, other in zip(device, host, strict=True):
        assert np.abs(one - other).max() <= (2e-6 if level == "O0" else 2e-2) * np.abs(other).max()


@pytest.mark.parametrize("name", formats.FORMATS)
def test_codes_and_values_have_the_hosts_bits(name):
    xp = backend.xp
    x = np.random.default_rng(0).integers(0, 2**32, 4400, np.uint32).view(np.float32)
    x = x[~np.isnan(x)][:4000]
    codes = formats.encode(xp.asarray(x), name, "ieee", xp=xp)
    assert np.array_equal(codes.get(), formats.encode(x, name, "ieee"))
    assert same_bits(formats.decode(codes, name, xp).get(), formats.decode(codes.get(), name))
    turned = xp.asarray(x.reshape(-1, 2)).T  # not laid out row by row
    assert np.array_equal(formats.encode(turned, name, xp=xp).get(), formats.encode(x.reshape(-1, 2).T, name))
    assert formats.encode(xp.zeros((0, 3), np.float32), name, xp=xp).shape == (0, 3)


@pytest.mark.parametrize("operand", OPERANDS, ids=str)
def test_an_operand_takes_one_launch_and_one_more_for_the_largest_number_of_all(operand):
    xp = backend.xp
    x = xp.asarray(next(iter(matrices())))
    low_bits.cast(xp, x, operand, 1, None, x.dtype)  # compiled, and its tables brought there
    with cpucuda.counted() if cpucuda.is_built() else contextlib.nullcontext({}) as found:
        low_bits.cast(xp, x, operand, 1, None, x.dtype)
    wished = 2 if isinstance(operand.scale, Current) and operand.tile is None else 1
    wished = 4 if isinstance(operand.scale, TwoLevels) else wished  # of one number: its type, and a division
    assert found.get("launch", wished) == wished
