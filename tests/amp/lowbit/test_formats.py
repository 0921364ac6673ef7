"""Formats exhaustively: every code both ways, every float16, millions of float32, against ml_dtypes and PyTorch."""

import ml_dtypes
import numpy as np
import pytest

from minispore.amp.lowbit.formats import FORMATS, OVERFLOWS, decode, encode, format_of, values_of

MINIFLOATS = [name for name in FORMATS if name not in ("hifloat8", "float8_e8m0fnu")]
HALVES = np.arange(65536, dtype=np.uint16).view(np.float16)
MILLIONS = 10


def numbers(count, seed):
    """Random bits as float32, and numbers near the formats' ranges."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2**32, count // 2, dtype=np.uint32).view(np.float32)
    near = rng.standard_normal(count - count // 2, np.float32)
    return np.concatenate([bits, np.ldexp(near, rng.integers(-20, 20, near.size, dtype=np.int32))])


def by_ml_dtypes(x, name):
    with np.errstate(all="ignore"):
        return x.astype(getattr(ml_dtypes, name)).view(np.uint8)


def same_values(codes, theirs, name):
    """True if codes are of the same numbers; which nan it is may differ."""
    a, b = decode(codes, name), decode(theirs, name)
    return np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a[a == 0]), np.signbit(b[b == 0]))


@pytest.mark.parametrize("overflow", OVERFLOWS)
@pytest.mark.parametrize("name", FORMATS)
def test_each_code_comes_back(name, overflow):
    values = values_of(name)
    codes = encode(values, name, overflow)
    back = decode(codes, name)
    assert np.array_equal(back, values, equal_nan=True)
    number = ~np.isnan(values)
    assert np.array_equal(codes[number], np.arange(len(values))[number])


@pytest.mark.parametrize("name", MINIFLOATS)
def test_each_float16_has_the_code_that_ml_dtypes_gives(name):
    use = HALVES[~np.isnan(HALVES)] if format_of(name).nan is None else HALVES
    assert same_values(encode(use, name, "ieee"), by_ml_dtypes(use, name), name)


@pytest.mark.parametrize("name", MINIFLOATS)
def test_millions_of_float32_have_the_codes_that_ml_dtypes_gives(name):
    for seed in range(MILLIONS):
        x = numbers(1_000_000, seed)
        x = x[~np.isnan(x)] if format_of(name).nan is None else x
        assert same_values(encode(x, name, "ieee"), by_ml_dtypes(x, name), name)


@pytest.mark.parametrize("name", [name for name in MINIFLOATS if name.startswith("float8")])
def test_millions_of_float32_have_the_codes_that_pytorch_gives(name):
    torch = pytest.importorskip("torch")
    saturates = float(torch.tensor([1000.0]).to(torch.float8_e4m3fn).float()[0]) == 448.0  # its later releases
    mode = "saturate" if saturates and name == "float8_e4m3fn" else "ieee"
    for seed in range(MILLIONS):
        x = numbers(1_000_000, seed)
        x = x[np.isfinite(x)]
        theirs = torch.from_numpy(x).to(getattr(torch, name)).view(torch.uint8).numpy()
        assert same_values(encode(x, name, mode), theirs, name)


@pytest.mark.parametrize("name", MINIFLOATS)
def test_saturation_changes_nothing_but_overflows(name):
    x = numbers(1_000_000, 1)
    x, top = x[np.isfinite(x)], np.float32(format_of(name).top)
    codes = encode(x, name)
    assert same_values(codes, encode(np.clip(x, -top, top), name), name)
    below = np.abs(x) <= top
    assert np.array_equal(codes[below], encode(x[below], name, "ieee"))


@pytest.mark.parametrize("name", [*MINIFLOATS, "hifloat8"])
def test_encoding_is_monotone_odd_and_nearest(name):
    x = np.sort(numbers(200_000, 2))
    x = x[np.isfinite(x)]
    value = decode(encode(x, name), name).astype(np.float64)
    assert (np.diff(value) >= 0).all()
    assert np.array_equal(decode(encode(-x, name), name), -value)
    grid = np.unique(values_of(name)[np.isfinite(values_of(name))].astype(np.float64))
    clipped = np.clip(x.astype(np.float64), grid[0], grid[-1])
    place = np.clip(np.searchsorted(grid, clipped), 1, len(grid) - 1)
    nearest = np.minimum(np.abs(grid[place] - clipped), np.abs(grid[place - 1] - clipped))
    assert np.array_equal(np.abs(value - clipped), nearest)


@pytest.mark.parametrize("name", FORMATS)
def test_float64_is_rounded_once(name):
    format = format_of(name)
    values = values_of(name)
    values = np.unique(np.abs(values[np.isfinite(values)].astype(np.float64)))
    ties = (values[1:] + values[:-1]) / 2
    above, below = ties * (1 + 2.0**-50), ties * (1 - 2.0**-50)  # by way of float32 both were ties
    assert np.array_equal(decode(encode(above, name), name), values[1:])
    assert np.array_equal(decode(encode(below, name), name), values[:-1])
    assert encode(np.array([1e300]), name)[0] == encode(np.array([format.top]), name)[0]


SPECIAL = {  # name -> mode -> the values of inf, -inf, nan, and of a number that is too large
    "float8_e4m3fn": {"saturate": (np.nan, np.nan, np.nan, 448), "ieee": (np.nan, np.nan, np.nan, np.nan)},
    "float8_e5m2": {"saturate": (np.inf, -np.inf, np.nan, 57344), "ieee": (np.inf, -np.inf, np.nan, np.inf)},
    "float8_e4m3fnuz": {"saturate": (np.nan, np.nan, np.nan, 240), "ieee": (np.nan, np.nan, np.nan, np.nan)},
    "hifloat8": {"saturate": (np.inf, -np.inf, np.nan, 32768), "ieee": (np.inf, -np.inf, np.nan, np.inf)},
}


@pytest.mark.parametrize("mode", OVERFLOWS)
@pytest.mark.parametrize("name", SPECIAL)
def test_numbers_that_are_not_finite_or_too_large(name, mode):
    x = np.float32([np.inf, -np.inf, np.nan, 1e30])
    assert np.array_equal(decode(encode(x, name, mode), name), np.float32(SPECIAL[name][mode]), equal_nan=True)


@pytest.mark.parametrize("name", ["float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"])
def test_a_format_without_nan_refuses_one_and_clips_infinity(name):
    top = format_of(name).top
    assert np.array_equal(decode(encode(np.float32([np.inf, -np.inf]), name, "ieee"), name), [top, -top])
    with pytest.raises(ValueError, match="must hold no nan"):
        encode(np.float32([1, np.nan]), name)


THRESHOLDS = [  # format, number, its value in "ieee"
    *[("e4m3", 464, 448), ("e4m3", np.nextafter(np.float32(464), np.float32(500)), np.nan)],
    *[("e5m2", 61439.996, 57344), ("e5m2", 61440, np.inf), ("e4m3fnuz", 247.99998, 240), ("e4m3fnuz", 248, np.nan)],
    *[("e5m2fnuz", 61440, np.nan), ("hifloat8", 40959.996, 32768), ("hifloat8", 40960, np.inf)],
    *[("e2m1", x, y) for x, y in ((2.5, 2), (5, 4), (0.25, 0), (0.75, 1), (1.25, 1), (1.75, 2), (3.5, 4))],
]


@pytest.mark.parametrize(("name", "x", "value"), THRESHOLDS)
def test_overflow_is_judged_after_rounding(name, x, value):
    assert np.array_equal(decode(encode(np.float32([x]), name, "ieee"), name), np.float32([value]), equal_nan=True)


def test_scales_have_no_zero_no_sign_and_the_nearest_power():
    x = np.float32([0, -0.0, -1, np.nan, 1, 3, 2.0**127, 1e-45])
    assert encode(x, "float8_e8m0fnu").tolist() == [255, 255, 255, 255, 127, 129, 254, 0]


@pytest.mark.parametrize("bad", [np.array([1j]), np.array(["1"]), np.array([None])])
def test_what_holds_no_real_numbers_is_refused(bad):
    with pytest.raises(TypeError, match="must be an array of real numbers"):
        encode(bad, "e4m3")


def test_names_that_are_unknown_are_refused():
    for arguments in (("e4m4",), ("e4m3", "wrap"), ("e4m3", "ieee", "up")):
        with pytest.raises(ValueError, match="must be one of"):
            encode(np.float32([1]), *arguments)
