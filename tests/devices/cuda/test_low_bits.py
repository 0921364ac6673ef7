"""Casts of low-bit operands by one launch each have the host's bits; the products of layers follow."""

import contextlib
import functools

import numpy as np
import pytest
from cpucuda import device as cpucuda
from support.golden import golden

import minispore as ms
from minispore import amp
from minispore.amp.lowbit import formats, products
from minispore.amp.lowbit.delayed import Advance, Largest
from minispore.amp.lowbit.hadamard import matrix, transformed
from minispore.amp.lowbit.quantized import Operand, quantize
from minispore.amp.lowbit.scales import Current, Delayed, Shared, TwoLevels, Unscaled
from minispore.core import backend, process, seeds
from minispore.core.dtype import bfloat16
from minispore.devices.cuda import launch, low_bits
from minispore.ops.kernels.float16.cast import narrow

MODES, ELEMENTS = ("floor", "ceil", "even", "rceil"), ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
OPERANDS = [
    *(Operand(element, (1, 32), Shared(mode)) for element in ELEMENTS for mode in MODES),
    *(Operand(element, None, Current(power)) for element in ("e4m3", "e5m2") for power in (False, True)),
    *(Operand("e4m3", tile, Current(power)) for tile in ((1, 128), (128, 128)) for power in (False, True)),
    *(Operand("e2m1", tile, TwoLevels()) for tile in ((1, 16), (16, 16))),
    *(Operand("e2m1", (1, 16), TwoLevels(2.0**-6)), Operand("e4m3", None, Unscaled()), Operand("hifloat8")),
    *(Operand("e4m3", (1, 32), Shared(), "away"), Operand("e2m1", (32, 32), Shared())),
]
BY_CHANCE = [
    *(Operand(element, (1, 32), Shared(), "stochastic") for element in ("e2m1", "e3m2", "e4m3")),
    *(Operand("e2m1", (1, 16), TwoLevels(), "stochastic"), Operand("e2m1", (16, 16), TwoLevels(), "stochastic")),
    *(Operand("e5m2", None, Current(), "stochastic"), Operand("e4m3", (1, 128), Current(True), "stochastic")),
]
pytestmark = pytest.mark.usefixtures("on_cupy", "restored")


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


def of_host(x, operand, axis, source, groups=1, turned=False):
    """The host's cast of a matrix, transformed before if ``turned``, or of an array as rows along an axis."""
    ms.set_seed(3)
    with np.errstate(all="ignore"):
        if x.ndim == 2:
            x = transformed(x.astype(np.float32), source) if turned else x
            return quantize(x, operand, axis, source=source).split()
        rows = np.moveaxis(x, axis, -1).reshape(-1, x.shape[axis] // groups)
        values, number = quantize(rows, operand, 1, source=source).split()
    return products._as_before(np, values, x, axis), number


def of_device(xp, x, operand, axis, source, groups=1, turned=False):
    ms.set_seed(3)
    return low_bits.cast(xp, xp.asarray(x), operand, axis, None, source, groups, turned)


def same_bits(one, other):
    one, other = (np.asarray(x, np.float32) for x in (one, other))
    nan = np.isnan(one)
    return np.array_equal(nan, np.isnan(other)) and np.array_equal(
        one.view(np.uint32)[~nan], other.view(np.uint32)[~nan]
    )


def same_cast(xp, *given):
    """True if the device's cast is the host's."""
    (found, number), (array, wished) = of_device(xp, *given), of_host(*given)
    if not same_bits(found.get(), array) or (number is None) != (wished is None):
        return False
    return number is None or np.array_equal(np.ravel(number.get()), np.ravel(wished), equal_nan=True)


def has_the_hosts_bits(xp, operand):
    """True if each matrix's cast is the host's, along both axes, as float32 and as bfloat16."""
    kinds = np.dtype(np.float32), bfloat16.np
    return all(same_cast(xp, x, operand, axis, kind) for x in matrices() for axis in (0, 1) for kind in kinds)


@pytest.mark.parametrize("operand", [*OPERANDS, *BY_CHANCE], ids=str)
def test_an_operand_has_the_hosts_bits(operand):
    assert has_the_hosts_bits(backend.xp, operand)


def near_numbers():
    """Matrices of numbers whose transforms are exact sums: of all sizes of float16, and beyond."""
    rng = np.random.default_rng(1)
    for shape in ((1, 1), (16, 5), (37, 20), (130, 33)):
        x = (rng.standard_normal(shape) * np.exp2(rng.integers(-6, 6, shape))).astype(np.float32)
        yield from (x, x * np.float32(2.0**-18), x * np.float32(512))
    yield (matrix()[:, :2] * 160_000).astype(np.float32)  # float16's sums are infinite, the numbers are not


def is_transformed_as_on_the_host(xp, operand):
    """True if casts of transformed matrices are the host's; their numbers are near enough for exact sums."""
    for x in near_numbers():
        for dtype in (np.dtype(np.float32), np.dtype(np.float16), bfloat16.np):
            with np.errstate(all="ignore"):
                given = x.astype(dtype)
            if not same_cast(xp, given, operand, 0, dtype, 1, True):
                return False
    return True


@pytest.mark.parametrize("operand", [OPERANDS[3], OPERANDS[-6], Operand("e4m3"), *BY_CHANCE], ids=str)
def test_a_transformed_operand_has_the_hosts_bits(operand):
    assert is_transformed_as_on_the_host(backend.xp, operand)


def has_the_hosts_planes(xp, operand):
    """True if casts of what convolutions multiply are the host's, along channels, within groups, and along samples."""
    rng = np.random.default_rng(2)
    for shape, axis, groups in (((2, 40, 3, 5), 1, 1), ((5, 6, 4, 4), 1, 2), ((36, 3, 2, 2), 0, 1), ((6, 4, 7), 0, 3)):
        x = (rng.standard_normal(shape) * np.exp2(rng.integers(-9, 9, shape))).astype(np.float32)
        if not same_cast(xp, x, operand, axis, np.dtype(np.float32), groups):
            return False
    return True


@pytest.mark.parametrize("operand", [*OPERANDS[::3], *BY_CHANCE], ids=str)
def test_an_operand_of_a_convolution_has_the_hosts_bits(operand):
    assert has_the_hosts_planes(backend.xp, operand)


@pytest.mark.parametrize("dtype", [np.dtype(np.float16), bfloat16.np], ids=str)
@pytest.mark.parametrize("operand", [*OPERANDS[::5], *BY_CHANCE[::3]], ids=str)
def test_a_narrow_operand_has_the_hosts_bits_in_one_launch_more_at_most(operand, dtype):
    xp = backend.xp
    for x in matrices():
        with np.errstate(all="ignore"):
            x = x.astype(dtype)
        assert same_cast(xp, x, operand, 1, dtype)
    assert launches(xp, x, operand, dtype) == 1 + has_one_scale(operand)


@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_process_draws_the_bits_of_its_own_part(before, monkeypatch):
    monkeypatch.setattr(process, "parts_before", lambda: before)
    x = np.random.default_rng(4).standard_normal((5, 7)).astype(np.float32)
    assert same_cast(backend.xp, x, BY_CHANCE[0], 1, x.dtype)


def test_a_format_that_chance_does_not_know_draws_nothing():
    operand = Operand("hifloat8", None, Current(), "stochastic")
    assert not low_bits.takes(operand)
    recipe = amp.CurrentFP8().replace(dy=operand)
    x, w, dy = (ms.ops.ones(shape, ms.float32) for shape in ((16, 16), (16, 16), (16, 16)))
    y = products.FProp(recipe, products.Linear())(x, w)
    assert y.shape == (16, 16)
    before = seeds.seed.draws
    with pytest.raises(ValueError, match="must be a minifloat"):
        products.DGrad(recipe, products.Linear())(dy, w, (16, 16), np.dtype(np.float32))
    assert seeds.seed.draws <= before + 1


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
    "another column": (SQUARES, "i / high : i % broad);\n    double", "i / high : i / broad);\n    double"),
    "half of a warp's largest": (SQUARES, "amax, s, WARP", "amax, s / 2, WARP"),
    "no barrier before the largest are read": (SQUARES, f"= amax;\n{_BARRIER}", "= amax;\n"),
    "one warp's largest": (SQUARES, "w < blockDim.x / WARP; w++) amax", "w < 1; w++) amax"),
    "the largest of some": (Operand("e4m3"), "atomicMax(most, mine)", "*most = mine"),
}
CHANCE = BY_CHANCE[0]
TRANSFORMED = {
    "another column of the transform": ("turn[16 * j + c % 16]", "turn[16 * (c % 16) + j]"),
    "beyond the last row": ("begin + j < m.held", "begin + j < m.columns"),
    "not rounded to the activations' type": ("return narrowed(rounded(sum), to);", "return rounded(sum);"),
    "subnormal numbers of the activations' type": ("max(ilogb(v), to.lowest)", "ilogb(v)"),
    "no infinity of the activations' type": ("fabs(near) > to.top ?", "false ?"),
}
ROUNDED_BY_CHANCE = {
    "the other half of a word": ("32 * (at % 2)", "32 * (1 - at % 2)"),
    "another word": ("words[at % 8 / 2]", "words[at % 4]"),
    "fewer bits": ("whole << 32 >>", "whole << 31 >>"),
    "the step of a normal number below them": ("max(exponent, rule.lowest)", "exponent"),
    "a sign is lost": ("return copysign(double(number) *", "return (double(number) *"),
    "drawn by rows": ("return by_rows ?", "return true ?"),
}
PLANES = {
    "groups that are not apart": ("+ group) * columns + c", ") * columns + c"),
    "another group": ("group = r % groups", "group = r / after % groups"),
    "drawn as memory is": ("return by_rows ?", "return false ?"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_shows(fault, monkeypatch):
    if not cpucuda.is_built():
        pytest.skip("a GPU may come through a missing barrier by luck")
    operand, right, wrong = FAULTS[fault]
    plant(right, wrong, monkeypatch)
    assert not has_the_hosts_bits(backend.xp, operand)


def plant(right, wrong, monkeypatch):
    plain = launch.text_of
    assert right in plain("low_bits")
    monkeypatch.setattr(launch, "text_of", lambda file: plain(file).replace(right, wrong))
    monkeypatch.setattr(low_bits, "kernel", functools.cache(launch.kernel.__wrapped__))


@pytest.mark.parametrize("fault", TRANSFORMED)
def test_a_fault_in_the_transform_shows(fault, monkeypatch):
    plant(*TRANSFORMED[fault], monkeypatch)
    assert not is_transformed_as_on_the_host(backend.xp, ROWS)


@pytest.mark.parametrize("fault", ROUNDED_BY_CHANCE)
def test_a_fault_in_rounding_by_chance_shows(fault, monkeypatch):
    plant(*ROUNDED_BY_CHANCE[fault], monkeypatch)
    assert not has_the_hosts_bits(backend.xp, CHANCE)


@pytest.mark.parametrize("fault", PLANES)
def test_a_fault_in_the_places_of_planes_shows(fault, monkeypatch):
    plant(*PLANES[fault], monkeypatch)
    assert not has_the_hosts_planes(backend.xp, CHANCE)


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


def has_one_scale(operand):
    """True if the largest number of all is needed before."""
    return isinstance(operand.scale, TwoLevels) or (isinstance(operand.scale, Current) and operand.tile is None)


def launches(xp, x, operand, source, *more):
    """How many launches a cast takes."""
    x, wished = xp.asarray(x), 1 + has_one_scale(operand)
    low_bits.cast(xp, x, operand, 0, None, source, *more)  # compiled, and its tables brought there
    with cpucuda.counted() if cpucuda.is_built() else contextlib.nullcontext({}) as found:
        low_bits.cast(xp, x, operand, 0, None, source, *more)
    return found.get("launch", wished)


@pytest.mark.parametrize("operand", [*OPERANDS, *BY_CHANCE], ids=str)
def test_an_operand_takes_one_launch_and_one_more_for_the_largest_number_of_all(operand):
    x = next(iter(matrices()))
    for turned in (False, True):
        assert launches(backend.xp, x, operand, x.dtype, 1, turned) == 1 + has_one_scale(operand)
    planes = np.ones((2, 6, 3, 3), np.float32)
    assert launches(backend.xp, planes, operand, x.dtype) == 1 + has_one_scale(operand)


SUMS = np.float32([0, -0.0, 1, -1.5, 1e-44, 3e38, 1e-38, np.inf, -np.inf, np.nan, 65520, 2.0**-25, 1 + 2.0**-8])
NUMBERS = [1.0, 0.3, 1e-300, 3e38, 2.0**-149, 0.0, np.inf, np.nan, 2.0**-128, 1 - 2.0**-30]


def scales_as_the_host(xp):
    """True if sums times numbers, rounded to each type, have the host's bits."""
    for one in NUMBERS:
        for numbers in ([one], [one, 1.7], [one, 1e-30], [2.0**20, one]):
            with np.errstate(all="ignore"):
                exact = products._scaled(np, SUMS, [np.float64([number]) for number in numbers])
            for dtype in (np.dtype(np.float32), np.dtype(np.float16), bfloat16.np):
                given = [xp.asarray([number], np.float64) for number in numbers]
                found = low_bits.scaled(xp, xp.asarray(SUMS), given, dtype)
                with np.errstate(all="ignore"):
                    if not same_bits(found.get(), narrow(np, exact, dtype)):
                        return False
    return True


def test_sums_are_scaled_and_rounded_with_the_hosts_bits_in_one_launch():
    assert scales_as_the_host(backend.xp)


RULES = [Delayed(history=4), Delayed(2, 4), Delayed(history=1), Delayed(history=4, algorithm="most_recent"), Delayed()]


def advances_as_the_host(xp, rule):
    """True if scale and history after a step are the host's, whatever the largest magnitude is."""
    form, rng = formats.format_of("e5m2"), np.random.default_rng(9)
    history, scale = rng.uniform(0, 9, rule.history).astype(np.float32), np.float32([1.5])
    for bad in (None, np.inf, np.nan):
        if bad is not None and rule.history > 2:
            history[2] = bad
        for amax in (0, 3, 100, 1e-40, 1e-38, np.inf, np.nan):
            given = scale, history, np.float32([amax])
            wished = rule.after(np, *given, form)
            found = low_bits.advance(xp, rule, form, *map(xp.asarray, given))
            if not all(same_bits(one.get(), other) for one, other in zip(found, wished, strict=True)):
                return False
    history[:] = 0
    return all(
        same_bits(low_bits.advance(xp, rule, form, *map(xp.asarray, (scale, history, x)))[0].get(), y)
        for x, y in ((x, rule.after(np, scale, history, x, form)[0]) for x in np.float32([[0], [1e-40], [7]]))
    )


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_a_delayed_scale_goes_on_with_the_hosts_bits(rule):
    assert advances_as_the_host(backend.xp, rule)


@pytest.mark.parametrize("dtype", [np.float16, bfloat16.np], ids=str)
def test_a_delayed_scale_takes_a_narrow_magnitude(dtype):
    scale, history, amax = ms.ops.ones(1, ms.float32), ms.ops.ones(3, ms.float32), ms.Tensor(np.array([6], dtype))
    given = [ms.Parameter(scale), ms.Parameter(history), amax]
    Advance(amp.DelayedFP8(history=3).x)(*given)
    assert given[0].asnumpy() == np.float32(448) / np.float32(6)
    assert given[1].asnumpy().tolist() == [0, 1, 6]


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), np.dtype(np.float16), bfloat16.np], ids=str)
def test_the_largest_magnitude_is_the_hosts(dtype):
    for x in matrices():
        with np.errstate(all="ignore"):
            x = x.astype(dtype)
        found = Largest()(ms.Tensor(x)).asnumpy()
        assert same_bits(found, Largest().compute(np, x))


MORE_FAULTS = {
    "the result's power of two at once": (scales_as_the_host, "exponent >> 1", "0"),
    "a mantissa of double bits": (scales_as_the_host, "mantissa = rounded(mantissa);", ""),
    "ties of bfloat16 go up": (scales_as_the_host, "0x7fff + (bits >> 16 & 1)", "0x8000"),
    "the oldest number stays": (advances_as_the_host, "history[i + 1]", "history[i]"),
    "a scale that is infinite": (advances_as_the_host, "if (isinf(made)) made = wide(0x7f7fffffu);", ""),
    "an infinity changes the scale": (advances_as_the_host, "mine > 0 && mine < 0x7f800000u ?", "mine > 0 ?"),
    "nothing seen changes the scale": (advances_as_the_host, "mine > 0 && mine <", "mine <"),
    "the next step's place counts": (advances_as_the_host, "if (i && !most_recent)", "if (!most_recent)"),
}


@pytest.mark.parametrize("fault", MORE_FAULTS)
def test_a_fault_in_scaling_or_in_a_delayed_scale_shows(fault, monkeypatch):
    check, right, wrong = MORE_FAULTS[fault]
    plant(right, wrong, monkeypatch)
    assert not check(backend.xp, *RULES[:1] * (check is advances_as_the_host))
