"""Products of eight-bit floats by cuBLASLt: the emulation is their law, and what is not met is left to it."""

import contextlib
import ctypes
import functools
import logging

import numpy as np
import pytest
from cpucuda import device as cpucuda

import minispore as ms
from minispore import amp
from minispore.amp.lowbit import formats
from minispore.amp.lowbit.products import DGrad, FProp, Linear, WGrad
from minispore.amp.lowbit.quantized import Operand, quantize
from minispore.amp.lowbit.scales import Current, Delayed, Shared, Unscaled
from minispore.core import backend
from minispore.core.dtype import bfloat16
from minispore.core.tensor import Tensor
from minispore.devices.cuda import cublas, cublaslt, launch, low_bits
from minispore.devices.cuda.operations import low_bits as operations

E4M3, E5M2 = "float8_e4m3fn", "float8_e5m2"
FLOAT32, FLOAT16 = np.dtype(np.float32), np.dtype(np.float16)
pytestmark = pytest.mark.usefixtures("on_cupy", "restored")


def units():
    """Skip where the device, or the driver that is built, has no such units."""
    if not cublaslt._is_right(backend.xp, 0):
        pytest.skip("there is no cuBLASLt for eight-bit floats")


def drawn(shape, format, seed):
    """Codes of finite numbers, and their values."""
    found = np.random.default_rng(seed).integers(0, 256, shape, np.uint8)
    found[~np.isfinite(formats.decode(found, format))] = 0
    return found, formats.decode(found, format).astype(np.float64)


def is_near(found, a, b, number, dtype):
    """True if a product of exact operands a b.T keeps the bound of float32 sums, and one unit of a narrow result."""
    wide, most = a @ b.T * number, np.abs(a) @ np.abs(b.T) * abs(number)
    bound = 2 * (a.shape[1] + 4) * 2.0**-24 * most
    bound += np.abs(wide) * {FLOAT32: 2.0**-22, FLOAT16: 2.0**-10, bfloat16.np: 2.0**-7}[dtype] + 2.0**-24 * (
        dtype == FLOAT16
    )
    return bool((np.abs(found.astype(np.float64) - wide) <= bound).all())


@pytest.mark.parametrize("dtype", [FLOAT32, FLOAT16, bfloat16.np], ids=str)
@pytest.mark.parametrize("pair", [(E4M3, E4M3), (E5M2, E4M3), (E4M3, E5M2)], ids="-".join)
def test_a_product_of_codes_is_that_of_the_values(pair, dtype):
    units()
    xp = backend.xp
    for seed, (m, n, k) in enumerate(((16, 16, 16), (32, 48, 80), (16, 64, 272))):
        (a, va), (b, vb) = drawn((m, k), pair[0], seed), drawn((n, k), pair[1], seed + 9)
        numbers = [np.float32(2.0**-9), np.float32(0.37) / np.abs(va).max().astype(np.float32)]
        given = [xp.asarray(z) for z in (a, b)], [xp.asarray([z]) for z in numbers]
        found = cublaslt.product(xp, pair, *given, dtype)
        assert found.shape == (m, n) and found.dtype == dtype
        assert is_near(found.get(), va, vb, float(numbers[0]) * float(numbers[1]), dtype)


def test_what_the_library_does_not_take_has_no_plan():
    units()
    takes = functools.partial(cublaslt.takes, backend.xp)
    assert takes((E4M3, E5M2), (16, 32, 48), FLOAT32)
    assert not takes((E5M2, E5M2), (16, 32, 48), FLOAT32)
    assert not takes(("hifloat8", E4M3), (16, 32, 48), FLOAT32)
    assert not takes((E4M3, E4M3), (16, 32, 48), np.dtype(np.float64))
    for sizes in ((24, 32, 48), (16, 20, 48), (16, 32, 40), (16, 0, 16)):
        assert not takes((E4M3, E4M3), sizes, FLOAT32)


CODED = [Operand("e4m3"), Operand("e5m2"), Operand("e4m3", None, Current(True)), Operand("e4m3", None, Unscaled())]


def has_the_hosts_codes(xp, operand):
    """True if codes and factors of matrices are the host's, as they stand and turned, of each type of numbers."""
    for shape in ((1, 1), (33, 70), (64, 32), (5, 257)):
        x = np.random.default_rng(5).standard_normal(shape) * np.exp2(np.arange(shape[0]) % 30 - 20)[:, None]
        for dtype in (FLOAT32, FLOAT16, bfloat16.np):
            given = x.astype(dtype)
            for turned in (False, True):
                found, number = low_bits.codes(xp, xp.asarray(given), operand, turned, None, dtype)
                wished = quantize(given, operand, source=dtype)
                same = np.array_equal(found.get(), wished.codes.T if turned else wished.codes)
                if not same or number.get() != wished.split()[1]:
                    return False
    return True


@pytest.mark.parametrize("operand", CODED, ids=str)
def test_codes_have_the_hosts_bits(operand):
    assert has_the_hosts_codes(backend.xp, operand)


def test_codes_with_a_delayed_scale_have_the_hosts_bits():
    xp, operand, up = backend.xp, Operand("e4m3", None, Delayed()), np.float32([3.5])
    x = np.random.default_rng(6).standard_normal((40, 36)).astype(np.float32)
    found, number = low_bits.codes(xp, xp.asarray(x), operand, True, xp.asarray(up), x.dtype)
    wished = quantize(x, operand, up=up)
    assert np.array_equal(found.get(), wished.codes.T) and number.get() == wished.split()[1]


FAULTS = {
    "turned numbers in their old places": ("square[lane][j] = code", "square[j][lane] = code"),
    "another row of the result": (
        "(column + j) * rows + row + lane] =",
        "(column + j) * rows + rows - 1 - row - lane] =",
    ),
    "no end of the rows": ("column + j < columns && row + lane < rows", "column + j < columns"),
    "no barrier before the square is read": ("if (!turned) return;\n  __syncthreads();", "if (!turned) return;"),
    "a factor that is not inverted": ("*down = rounded(1 / *up);", "*down = *up;"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_in_the_codes_shows(fault, monkeypatch):
    if not cpucuda.is_built():
        pytest.skip("a GPU may come through a missing barrier by luck")
    right, wrong = FAULTS[fault]
    plain = launch.text_of
    assert right in plain("low_bits")
    monkeypatch.setattr(launch, "text_of", lambda file: plain(file).replace(right, wrong))
    monkeypatch.setattr(low_bits, "kernel", functools.cache(launch.kernel.__wrapped__))
    assert not has_the_hosts_codes(backend.xp, CODED[0])


@pytest.mark.parametrize("recipe", [amp.CurrentFP8(), amp.DelayedFP8(history=3)], ids=str)
def test_all_three_products_of_a_layer_in_training_are_of_codes(recipe, monkeypatch):
    units()
    taken, plain = [], cublaslt.product
    net = ms.nn.SequentialCell(ms.nn.Dense(K, N), ms.nn.ReLU(), ms.nn.Dense(N, 16))
    net = amp.auto_mixed_precision(net, "O2", recipe=recipe.replace(keep=())).set_train()
    step = amp.build_train_network(net, ms.nn.SGD(net.trainable_params(), 0.01), ms.nn.MSELoss(), level="O0")
    monkeypatch.setattr(cublaslt, "product", lambda *given: taken.append(given[1]) or plain(*given))
    for _ in range(2):
        step(ms.ops.ones((M, K), ms.float32), ms.ops.ones((M, 16), ms.float32))
    # the first layer's input needs no gradient; of the second layer the weight's comes after the input's or before
    assert sorted(taken) == sorted([(E4M3, E4M3), (E5M2, E4M3)] * 2 + [(E4M3, E4M3), (E5M2, E4M3), (E5M2, E4M3)] * 2)


M, N, K = 32, 48, 64
RECIPES = [amp.CurrentFP8(), amp.CurrentFP8(power_of_2=True), amp.DelayedFP8(history=2)]


def three_products(recipe, dtype=FLOAT32, shapes=(M, N, K)):
    """The forward product and both gradients of drawn numbers, by the device in force."""
    m, n, k = shapes
    rng = np.random.default_rng(7)
    x, w, dy = (Tensor(rng.standard_normal(s).astype(dtype)) for s in ((m, k), (n, k), (m, n)))
    ups = [Tensor(np.float32([number])) for number in (100, 80, 9000)] if recipe.name == "delayed_fp8" else []
    form = Linear()
    return [
        FProp(recipe, form)(x, w, *ups),
        DGrad(recipe, form)(dy, w, (m, k), dtype, *ups),
        WGrad(recipe, form)(dy, x, (n, k), dtype, *ups),
    ]


def on_host(function, *given):
    ms.set_context(device_target="CPU")
    try:
        return [y.asnumpy() for y in function(*given)]
    finally:
        ms.set_context(device_target="GPU")


def are_the_emulations(recipe, dtype):
    """True if the three products are near the host's: sums in another order, rounded once more at the most."""
    found, wished = [y.asnumpy() for y in three_products(recipe, dtype)], on_host(three_products, recipe, dtype)
    unit = {FLOAT32: 2.0**-22, FLOAT16: 2.0**-10, bfloat16.np: 2.0**-7}[dtype]
    for one, other, length in zip(found, wished, (K, N, M), strict=True):
        one, other = one.astype(np.float64), other.astype(np.float64)
        room = 2 * (length + 4) * 2.0**-24 * length * np.abs(other).max() + np.abs(other) * unit
        if one.shape != other.shape or not (np.abs(one - other) <= room).all():
            return False
    return True


@pytest.mark.parametrize("dtype", [FLOAT32, FLOAT16, bfloat16.np], ids=str)
@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_the_emulation_is_the_law_of_the_three_products(recipe, dtype):
    units()
    assert are_the_emulations(recipe, dtype)


@pytest.mark.parametrize("fault", ["no scale of a", "no scale of b", "the other's format", "another operand"])
def test_a_planted_fault_in_the_products_shows(fault, monkeypatch):
    units()
    plain, product = cublaslt._set, cublaslt.product
    left_out = {"no scale of a": cublaslt._SCALE_A, "no scale of b": cublaslt._SCALE_B}.get(fault)
    if left_out:
        null = lambda f, what, name, value: plain(f, what, name, ctypes.c_void_p() if name == left_out else value)  # noqa: E731
        monkeypatch.setattr(cublaslt, "_set", null)
    elif fault == "another operand":
        monkeypatch.setattr(cublaslt, "product", lambda xp, f, codes, n, d: product(xp, f, (codes[1][:M],) * 2, n, d))
    else:
        monkeypatch.setattr(cublaslt, "product", lambda xp, f, *rest: product(xp, (E4M3, E4M3), *rest))
    with contextlib.suppress(RuntimeError, ValueError):
        assert not are_the_emulations(amp.CurrentFP8(), FLOAT32)


@pytest.mark.parametrize("recipe", RECIPES, ids=str)
def test_a_product_takes_a_launch_for_each_operand_and_one_call(recipe):
    units()
    if not cpucuda.is_built():
        pytest.skip("a GPU does not count")
    three_products(recipe)
    with cpucuda.counted() as found:
        three_products(recipe)
    each = 2 if isinstance(recipe.x.scale, Current) else 1  # the largest number of all comes before
    assert (found["launch"], found["gemm"], found["sync"]) == (6 * each, 3, 0)


@pytest.mark.parametrize("shapes", [(M, N, 40), (24, N, K), (M, 10, K)])
def test_sizes_that_are_no_multiples_of_16_are_emulated(shapes, monkeypatch):
    monkeypatch.setattr(cublaslt, "_run", lambda *given: pytest.fail("it is no product of codes"))
    monkeypatch.setattr(cublaslt, "_is_right", lambda xp, device: True)
    found = [y.asnumpy() for y in three_products(amp.CurrentFP8(), FLOAT32, shapes)]
    for one, other in zip(found, on_host(three_products, amp.CurrentFP8(), FLOAT32, shapes), strict=True):
        assert np.allclose(one, other, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(
    "recipe",
    [
        *(amp.MXFP8(), amp.BlockFP8(), amp.CurrentFP8().replace(rounding="stochastic")),
        *(amp.CurrentFP8().replace(hadamard=16), amp.CurrentFP8().replace(format="hifloat8")),
        amp.CurrentFP8().replace(w=Operand("e4m3", (1, 32), Shared())),
    ],
    ids=str,
)
def test_what_has_no_scale_of_a_tensor_or_is_no_such_format_is_emulated(recipe, monkeypatch):
    units()
    taken = []
    plain = operations.cublaslt.product
    monkeypatch.setattr(cublaslt, "product", lambda *given: taken.append(given) or plain(*given))
    three_products(recipe)
    w_alone = recipe.w.tile is not None and recipe.x.tile is None
    assert len(taken) == (2 if recipe.hadamard else 1 if w_alone else 0)


def test_an_older_device_emulates(monkeypatch):
    class Older:
        def __init__(self, number):
            self.compute_capability = "86"

    monkeypatch.setattr(backend.xp.cuda, "Device", Older)
    assert not cublaslt._is_right.__wrapped__(backend.xp, 0)


@pytest.mark.parametrize("failure", [RuntimeError, OSError, ImportError])
def test_where_the_library_is_not_found_products_are_emulated(failure, monkeypatch):
    def fail(name):
        raise failure(name)

    monkeypatch.setattr(cublaslt.importlib, "import_module", fail)
    monkeypatch.setattr(cublaslt, "_library", cublaslt._library.__wrapped__)
    assert cublaslt._library() is None
    assert not cublaslt._is_right.__wrapped__(backend.xp, 0)


def test_a_device_that_multiplies_wrongly_is_not_used_and_a_warning_says_so(monkeypatch, caplog):
    units()
    plain = cublaslt.product
    monkeypatch.setattr(cublaslt, "product", lambda *given: plain(*given) + 1)
    with caplog.at_level(logging.WARNING, logger="minispore"):
        assert not cublaslt._is_right.__wrapped__(backend.xp, 0)
    assert "is wrong on this device" in caplog.text


def test_a_plan_is_made_once_and_the_workspace_is_that_of_cublas(monkeypatch):
    units()
    xp, device = backend.xp, 0
    three_products(amp.CurrentFP8())
    made = cublaslt._made_plan.cache_info().misses
    monkeypatch.setattr(cublaslt._Plan, "search", lambda *given: pytest.fail("the library was asked again"))
    three_products(amp.CurrentFP8())
    assert cublaslt._made_plan.cache_info().misses == made
    stream = launch.current_stream(xp)
    assert cublas.workspace(xp, device, stream) is cublas.workspace(xp, device, stream)


def test_a_call_that_fails_says_which_function_failed():
    units()
    with pytest.raises(RuntimeError, match="cublasLtMatmulPreferenceSetAttribute must succeed"):
        asked = cublaslt._made(cublaslt._library().cublasLtMatmulPreferenceCreate)
        cublaslt._set(cublaslt._library().cublasLtMatmulPreferenceSetAttribute, asked, 99, ctypes.c_int(0))


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_reaches_the_result(bad):
    units()
    x = np.ones((16, 16), np.float32)
    x[3, 5] = bad
    y = FProp(amp.CurrentFP8(), Linear())(Tensor(x), ms.ops.ones((16, 16), ms.float32)).asnumpy()
    assert np.isnan(y[3]).all() and np.isfinite(np.delete(y, 3, 0)).all()


def test_a_captured_product_has_the_bits_of_an_eager_one_with_new_numbers():
    units()
    xp = backend.xp
    rng = np.random.default_rng(8)
    first, second = ([rng.standard_normal(s).astype(np.float32) for s in ((M, K), (N, K))] for _ in range(2))
    fprop = FProp(amp.CurrentFP8(), Linear())
    pool = xp.cuda.MemoryPool()
    stream = xp.cuda.Stream(non_blocking=True)
    with xp.cuda.using_allocator(pool.malloc), stream:
        given = [xp.asarray(z) for z in first]
        run = functools.partial(operations._fprop, fprop, xp, *given)
        run()
        stream.begin_capture()
        made = run()
        graph = stream.end_capture()
        for z, new in zip(given, second, strict=True):
            z[...] = xp.asarray(new)
        graph.launch(stream)
        stream.synchronize()
        assert np.array_equal(made.get(), run().get())
