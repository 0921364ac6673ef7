"""The laws of quantization and of the products, as functions of a recipe and drawn numbers; a broken law raises."""

import numpy as np

import minispore as ms
from minispore import amp
from minispore.amp.lowbit.formats import decode, encode, format_of
from minispore.amp.lowbit.hadamard import matrix, transformed
from minispore.amp.lowbit.products import DGrad, FProp, Linear, WGrad
from minispore.amp.lowbit.quantized import Operand, quantize
from minispore.amp.lowbit.scales import Current, Delayed, Shared, TwoLevels
from minispore.amp.lowbit.stochastic import random_bits, stochastic

FLOAT32 = np.dtype(np.float32)
MX = {
    f"{short} {mode}": Operand(short, (1, 32), Shared(mode))
    for short in ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
    for mode in ("floor", "ceil", "even", "rceil")
}
OPERANDS = {
    "current": Operand("e4m3"),
    "current, power of 2": Operand("e5m2", None, Current(True)),
    "rows of 128": Operand("e4m3", (1, 128), Current(True)),
    "squares of 128": Operand("e4m3", (128, 128), Current(True)),
    "rows of 128, float32": Operand("e4m3", (1, 128), Current()),
    "nvfp4": Operand("e2m1", (1, 16), TwoLevels()),
    "nvfp4, squares": Operand("e2m1", (16, 16), TwoLevels()),
    **MX,
}
RECIPES = {
    str(recipe): recipe
    for recipe in (
        amp.CurrentFP8(keep=()),
        amp.BlockFP8(keep=()),
        amp.BlockFP8(False, keep=()),
        amp.MXFP8(keep=()),
        amp.MXFP8("floor", keep=()),
        amp.MXFP8(keep=()).replace(name="mxfp6", format="e3m2"),
        amp.MXFP4(keep=()).replace(rounding="even"),
        amp.NVFP4(keep=(), stochastic=False, hadamard=False),
    )
}


def drawn(rng, shape=None, spread=6):
    """Numbers of many sizes: normal ones times powers of two by row, with outliers and zeros."""
    shape = tuple(rng.integers(1, 70, 2)) if shape is None else shape
    x = rng.standard_normal(shape) * np.exp2(rng.integers(-spread, spread + 1, (shape[0], 1)))
    x[rng.random(shape) < 0.05] = 0
    x[rng.random(shape) < 0.01] *= 64
    return x.astype(np.float32)


def product(kind, recipe, a, b, shape=()):
    """The array that one of the three products makes of two arrays."""
    more = (shape, FLOAT32) if kind is not FProp else ()
    return kind(recipe, Linear())(ms.Tensor(a), ms.Tensor(b), *more).asnumpy()


def steps_of(q):
    """Half a step of the smallest numbers, by number, in the units of the numbers themselves."""
    format = format_of(q.operand.format)
    scale = q.factors.down * (1 if q.factors.whole is None else q.factors.whole)
    rows, columns = q.tile
    spread = np.repeat(np.repeat(scale, rows, 0), columns, 1)[: q.codes.shape[0], : q.codes.shape[1]]
    return 2.0 ** (format.lowest - format.mantissa) / 2 * spread


# Formats


def ties_go_to_even(_, rng):
    """A number halfway between two neighbours goes to the one with the even code; hifloat8's goes away from zero."""
    for name in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"):
        format = format_of(name)
        count = encode(np.float32([format.top]), name)[0]
        values = decode(np.arange(count + 1), name)
        codes = encode((values[1:] + values[:-1]) / 2, name)
        assert (codes % 2 == 0).all(), name


# Quantization, by operand


def error_is_bounded(operand, rng):
    """``|x - Q(x)| <= 2 ** -(m + 1) |x| + half a smallest step``, where nothing is clipped."""
    x = drawn(rng)
    q = quantize(x, operand)
    limit = 2.0 ** -(format_of(operand.format).mantissa + 1) * np.abs(x) + steps_of(q)
    assert ((np.abs(x - q.value()) <= limit * (1 + 2.0**-18)) | q.saturated).all()


def powers_of_two_pass(operand, rng):
    """``Q(2 ** k x) = 2 ** k Q(x)``, to the bit."""
    x, k = drawn(rng), np.float32(2.0 ** rng.integers(-20, 21))
    assert np.array_equal(quantize(x * k, operand).value(), quantize(x, operand).value() * k)


def nothing_is_clipped(operand, rng):
    """ceil, rceil, current and blocks of 128 clip nothing; NVFP4 a sixteenth at most; floor and even less than 1/2."""
    x = drawn(rng)
    q, value = quantize(x, operand), quantize(x, operand).value()
    if isinstance(operand.scale, TwoLevels):
        s = np.repeat(np.repeat(decode(q.scales, "e4m3"), q.tile[0], 0), q.tile[1], 1)[: x.shape[0], : x.shape[1]]
        assert (np.abs(x - value) <= np.abs(x) * 2 / 17 + steps_of(q) * 8)[(s >= 2.0**-6) & q.saturated].all()
    elif getattr(operand.scale, "mode", "") in ("floor", "even"):
        assert (np.abs(value) >= np.abs(x) / 2)[q.saturated].all()
    else:
        assert not q.saturated.any()


def values_stay_in_range(operand, rng):
    """No value is above the format's largest times its scale, whatever the scale is."""
    x = drawn(rng)
    delayed = Operand(operand.format, None, Delayed(history=2))
    up = np.float32([2.0 ** rng.integers(-3, 12)])
    top = np.float32(format_of(operand.format).top)
    assert (np.abs(quantize(x, delayed, up=up).value()) <= top / up).all()


def a_block_is_its_own(operand, rng):
    """A number that changes changes the codes of its tile alone, where no scale is the tensor's."""
    x = drawn(rng, tuple(rng.integers(20, 300, 2)))
    i, j = (int(rng.integers(n)) for n in x.shape)
    y = x.copy()
    y[i, j] = x[i, j] * np.float32(0.5) + np.float32(0.25)
    if isinstance(operand.scale, TwoLevels) and np.abs(x).max() != np.abs(y).max():
        return
    changed = quantize(x, operand).value() != quantize(y, operand).value()
    rows, columns = operand.tile or x.shape
    changed[i // rows * rows : (i // rows + 1) * rows, j // columns * columns : (j // columns + 1) * columns] = False
    assert not changed.any()


def turned_is_the_same(operand, rng):
    """Quantizing along axis 0 is quantizing the transposed matrix along axis 1; squares commute with transposition."""
    x = drawn(rng)
    one, other = quantize(x, operand, axis=0), quantize(np.ascontiguousarray(x.T), operand)
    assert np.array_equal(one.codes, other.codes.T) and np.array_equal(one.scales, other.scales.T)
    if operand.tile is None or operand.tile[0] == operand.tile[1]:
        assert np.array_equal(quantize(x, operand).value(), one.value())


def zeros_change_nothing(operand, rng):
    """Rows and columns of zeros at the ends change no other number."""
    x = drawn(rng)
    more = np.pad(x, ((0, int(rng.integers(40))), (0, int(rng.integers(40)))))
    assert np.array_equal(quantize(more, operand).value()[: x.shape[0], : x.shape[1]], quantize(x, operand).value())


def what_is_not_finite_is_seen(operand, rng):
    """An inf and a nan give no finite value."""
    for bad in (np.inf, -np.inf, np.nan):
        x = drawn(rng)
        i, j = (int(rng.integers(n)) for n in x.shape)
        x[i, j] = bad
        assert not np.isfinite(quantize(x, operand).value()[i, j])


# The products, by recipe


def _exact(x, operand, axis):
    array, number = quantize(x, operand, axis).split()
    return array.astype(np.float64) * (1 if number is None else np.float64(number))


def products_are_sums(recipe, rng):
    """Each product is that of the operands' values, but for the rounding of a float32 sum."""
    m, k, n = rng.integers(1, 70, 3)
    x, w, dy = drawn(rng, (m, k)), drawn(rng, (n, k)), drawn(rng, (m, n))
    for kind, a, b, shape, first, second, terms in (
        (FProp, x, w, (), _exact(x, recipe.x, 1), _exact(w, recipe.w, 1).T, k),
        (DGrad, dy, w, (m, k), _exact(dy, recipe.dy, 1), _exact(w, recipe.w, 0), n),
        (WGrad, dy, x, (n, k), _exact(dy, recipe.dy, 0).T, _exact(x, recipe.x, 0), m),
    ):
        limit = 2 * (terms + 4) * 2.0**-24 * (np.abs(first) @ np.abs(second))
        assert (np.abs(product(kind, recipe, a, b, shape) - first @ second) <= limit).all(), kind.__name__


def the_other_axes_are_free(recipe, rng):
    """A permutation of an axis that a product does not sum over permutes the product: blocks run along the other."""
    m, k, n = rng.integers(34, 70, 3)
    x, w, dy = drawn(rng, (m, k)), drawn(rng, (n, k)), drawn(rng, (m, n))
    of_m, of_k, of_n = (rng.permutation(length) for length in (m, k, n))
    squares = recipe.w.tile is not None and recipe.w.tile[0] > 1
    y, dx = product(FProp, recipe, x, w), product(DGrad, recipe, dy, w, (m, k))
    dw = product(WGrad, recipe, dy, x, (n, k))
    pairs = [
        (product(FProp, recipe, x[of_m], w), y[of_m]),
        (product(DGrad, recipe, dy[of_m], w, (m, k)), dx[of_m]),
        (product(WGrad, recipe, dy[:, of_n], x, (n, k)), dw[of_n]),
        (product(WGrad, recipe, dy, x[:, of_k], (n, k)), dw[:, of_k]),
    ]
    if not squares:
        pairs += [
            (product(FProp, recipe, x, w[of_n]), y[:, of_n]),
            (product(DGrad, recipe, dy, w[:, of_k], (m, k)), dx[:, of_k]),
        ]
    for other, mine in pairs:  # the sums' order may differ
        assert np.allclose(other, mine, rtol=1e-5, atol=1e-5 * np.abs(mine).max())


def what_is_not_finite_reaches_the_product(recipe, rng):
    """An inf or a nan in an operand gives no finite number in its row of the product."""
    m, k, n = rng.integers(2, 70, 3)
    x, w = drawn(rng, (m, k)), drawn(rng, (n, k))
    w[w == 0] = 1
    i, j = int(rng.integers(m)), int(rng.integers(k))
    for bad in (np.inf, np.nan):
        x[i, j] = bad
        assert not np.isfinite(product(FProp, recipe, x, w)[i]).any()


# The Hadamard transform, stochastic rounding, delayed scaling


def the_transform_keeps_products(_, rng):
    """``R R.T = I``, and the product of two transformed operands is their product."""
    assert np.array_equal(matrix() @ matrix().T, np.eye(16))
    m, k, n = rng.integers(1, 70, 3)
    x, dy = drawn(rng, (m, k)), drawn(rng, (m, n))
    a, b = transformed(dy).astype(np.float64), transformed(x).astype(np.float64)
    limit = 16 * 2.0**-23 * (np.abs(a).T @ np.abs(b)) + 1e-30
    assert (np.abs(a.T @ b - dy.T.astype(np.float64) @ x) <= limit).all()


def chance_is_fair(_, rng):
    """Over all draws the mean is the number itself, cut to the bits that are drawn; numbers of the grid never move."""
    for name in ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1"):
        format = format_of(name)
        x = (rng.uniform(-1, 1, 40) * format.top * np.exp2(rng.integers(-6, 1, 40))).astype(np.float32)
        bits = np.broadcast_to(np.arange(256, dtype=np.uint32)[:, None], (256, 40))
        near = stochastic(np.broadcast_to(x, bits.shape).copy(), name, bits, 8)
        mean = np.abs(near.mean(0, dtype=np.float64))
        step = np.exp2(np.maximum(np.frexp(x)[1] - 1, format.lowest) - format.mantissa)
        assert (np.abs(x) - mean >= -1e-12).all() and (np.abs(x) - mean <= step / 256 + 1e-12).all()
        grid = decode(encode(x, name), name)
        assert np.array_equal(stochastic(np.broadcast_to(grid, bits.shape).copy(), name, bits, 8), grid + 0 * bits)


def no_key_is_used_twice(_, rng):
    """Two operands draw other bits, and the same state of the streams the same ones."""
    before = ms.core.seeds.seed.draws
    first, second = random_bits(np, (8, 8)), random_bits(np, (8, 8))
    assert not np.array_equal(first, second)
    ms.core.seeds.rewind(before)
    assert np.array_equal(random_bits(np, (8, 8)), first)


def a_peak_is_remembered_for_its_window(_, rng):
    """The scale of a step comes from the amaxes before it: a peak lowers it for as many steps as are remembered."""
    length = int(rng.integers(2, 6))
    rule, format = Delayed(history=length), format_of("e4m3")
    scale, history = np.ones(1, np.float32), np.zeros(length, np.float32)
    for amax in [1.0, 100.0, *[1.0] * length]:
        scale, history = rule.after(np, scale, history, np.float32(amax), format)
        seen = [*locals().get("seen", []), float(scale[0])]
    assert seen == [448.0, *[np.float32(4.48)] * length, 448.0]


LAWS_OF_OPERANDS = [
    *(error_is_bounded, powers_of_two_pass, nothing_is_clipped, values_stay_in_range, a_block_is_its_own),
    *(turned_is_the_same, zeros_change_nothing, what_is_not_finite_is_seen),
]
LAWS_OF_PRODUCTS = [products_are_sums, the_other_axes_are_free, what_is_not_finite_reaches_the_product]
OTHER_LAWS = [
    *(ties_go_to_even, the_transform_keeps_products, chance_is_fair, no_key_is_used_twice),
    a_peak_is_remembered_for_its_window,
]
