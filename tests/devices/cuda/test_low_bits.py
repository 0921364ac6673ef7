"""Casts of low-bit operands by one launch each have the host's bits; the products of layers follow."""

import contextlib

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
from minispore.devices.cuda import low_bits

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


@pytest.mark.parametrize("operand", OPERANDS, ids=str)
def test_an_operand_has_the_hosts_bits(operand):
    xp = backend.xp
    for x in matrices():
        for axis in (0, 1):
            for source in (np.dtype(np.float32), bfloat16.np):
                found, number = low_bits.cast(xp, xp.asarray(x), operand, axis, None, source)
                array, wished = of_host(x, operand, axis, source)
                assert same_bits(found.get(), array)
                assert (number is None) == (wished is None)
                if wished is not None:
                    assert np.array_equal(np.ravel(number.get()), np.ravel(wished), equal_nan=True)


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
