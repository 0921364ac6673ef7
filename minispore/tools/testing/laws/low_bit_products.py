"""Laws of the products of quantized operands, of the Hadamard transform, and of delayed scales."""

import re

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.strategies.low_bits import PRODUCTS, Pair, amaxes, kind_of, pairs

__all__ = ["delayed_scale", "low_bit_axes", "low_bit_hadamard", "low_bit_infinity", "low_bit_products"]

KINDS = {"fprop": ("x", "w"), "dgrad": ("dy", "w"), "wgrad": ("dy", "x")}
AXES = {"fprop": (1, 1), "dgrad": (1, 0), "wgrad": (0, 0)}  # of each operand, the axis that the product sums over
ROUNDED = 2.0**-24


def _recipes(target, profile):
    for recipe in PRODUCTS:
        yield recipe, pairs(recipe)


def _inputs(case, kind):
    """The operands' texts and arrays of one product."""
    operands, arrays = (
        dict(zip(("x", "w", "dy"), each, strict=True)) for each in (PRODUCTS[case.recipe], case.matrices)
    )
    names = KINDS[kind]
    return [operands[name] for name in names], [arrays[name] for name in names]


def _summed(kind, a, b):
    """The matrices of an ordinary product."""
    return {"fprop": (a, b.T), "dgrad": (a, b), "wgrad": (a.T, b)}[kind]


@law("low_bit_products", "low_bit_product quantized_along", _recipes, drawn=15, refusable=True)
def low_bit_products(target, case):
    """Each product is that of its quantized operands, along the axis that it sums over, as a float32 sum rounds it."""
    for kind, axes in AXES.items():
        texts, arrays = _inputs(case, kind)
        values = [target.quantized_along(*each).astype(np.float64) for each in zip(texts, arrays, axes, strict=True)]
        a, b = _summed(kind, *values)
        found = target.low_bit_product(kind, *texts, *arrays)
        most = 2 * (a.shape[1] + 6) * ROUNDED * (np.abs(a) @ np.abs(b))
        if not (np.abs(found - a @ b) <= most).all():
            raise Broken(f"{case.label}: {kind} is off by {np.abs(found - a @ b).max():.3g}")
        if target.low_bit_product(kind, *texts, 0 * arrays[0], arrays[1]).any():
            raise Broken(f"{case.label}: {kind} of zeros is not zero")


def _wide(target, profile):
    for recipe in PRODUCTS:
        yield recipe, pairs(recipe, 34)


@law("low_bit_axes", "low_bit_product", _wide, drawn=10, refusable=True)
def low_bit_axes(target, case):
    """A permutation of an axis that a product does not sum over permutes the product."""
    for kind, axes in AXES.items():
        texts, arrays = _inputs(case, kind)
        plain = target.low_bit_product(kind, *texts, *arrays)
        for place, (text, axis) in enumerate(zip(texts, axes, strict=True)):
            if (kind_of(text).tile or (1, 1))[0] > 1:  # a square tile holds several rows
                continue
            order = case.choices.permutation(arrays[place].shape[1 - axis])
            moved = list(arrays)
            moved[place] = np.take(arrays[place], order, 1 - axis)
            wished = np.take(plain, order, place)
            found = target.low_bit_product(kind, *texts, *moved)
            if not np.allclose(found, wished, rtol=1e-5, atol=1e-5 * np.abs(wished).max()):  # sums in another order
                raise Broken(f"{case.label}: {kind} of permuted rows is not the permuted {kind}")


@law("low_bit_infinity", "low_bit_product", _recipes, drawn=10, refusable=True)
def low_bit_infinity(target, case):
    """An inf or a nan in an operand gives no finite number in its row of the product."""
    texts, (x, w) = _inputs(case, "fprop")
    w[w == 0] = 1
    at = tuple(int(case.choices.integers(n)) for n in x.shape)
    for bad in (np.inf, np.nan):
        x[at] = bad
        with np.errstate(all="ignore"):
            row = target.low_bit_product("fprop", *texts, x, w)[at[0]]
        if np.isfinite(row).any():
            raise Broken(f"{case.label}: {bad} at {at} gives finite numbers in its row of the product")


def _turned(target, profile):
    yield "hadamard", st.builds(Pair, st.just("hadamard"), *[st.integers(1, 70)] * 3, st.integers(0, 2**32 - 2))


@law("low_bit_hadamard", "hadamard", _turned, drawn=40, refusable=True)
def low_bit_hadamard(target, case):
    """The transform of the weight's gradient is orthogonal, exactly, and keeps the product of two operands."""
    turned = target.hadamard(np.eye(16, dtype=np.float32)).astype(np.float64)
    if not np.array_equal(turned @ turned.T, np.eye(16)):
        raise Broken("the matrix of the transform is not orthogonal")
    x, _, dy = case.matrices
    a, b = (target.hadamard(each).astype(np.float64) for each in (dy, x))
    off = np.abs(a.T @ b - dy.T.astype(np.float64) @ x)
    if not (off <= 16 * 2 * ROUNDED * (np.abs(a).T @ np.abs(b)) + 1e-30).all():
        raise Broken(f"{case.label}: the product of transformed operands is off by {off.max():.3g}")


def _delayed(target, profile):
    for format in ("e4m3", "e5m2"):
        for rule in ("delayed(0,4,max)", "delayed(1,3,max)", "delayed(0,3,most_recent)", "delayed(0,1,max)"):
            operand = f"{format}/tensor/{rule}/even"
            yield operand, amaxes(operand)


@law("delayed_scale", "delayed_scales", _delayed, drawn=20, refusable=True)
def delayed_scale(target, case):
    """A delayed scale fits the largest number of its window, and stays where that is zero or not finite."""
    kind = kind_of(case.operand)
    margin, length, algorithm = re.fullmatch(r"delayed\((\d+),(\d+),(\w+)\)", kind.rule).groups()
    length = int(length) if algorithm == "max" else 1
    numbers, scale = np.array(case.numbers, np.float32), np.float32(1)
    found = target.delayed_scales(case.operand, numbers)
    for i in range(len(numbers)):
        use = numbers[max(0, i + 1 - length) : i + 1].max()
        if np.isfinite(use) and use > 0:
            with np.errstate(over="ignore"):
                scale = min(np.float32(kind.top) / use / np.float32(2.0 ** int(margin)), np.finfo(np.float32).max)
        if abs(float(found[i]) - float(scale)) > float(scale) * 2.0**-23:  # some divide twice
            raise Broken(f"{case.operand}: after {numbers[: i + 1].tolist()} it is {found[i]:.9g}, not {scale:.9g}")
