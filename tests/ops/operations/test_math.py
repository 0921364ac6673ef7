"""What the faces of mathematics, reductions and linear algebra compute, and what they refuse."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, ops

RNG = np.random.default_rng(0)
A, B, C = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 4)), RNG.normal(size=(2, 3, 4))
SQUARE, VECTOR = RNG.normal(size=(3, 3)), RNG.normal(size=3)


def t(x):
    return Tensor(np.asarray(x))


EQUATIONS = [
    ("ij,jk->ik", A, B),
    ("ij,jk", A, B),
    ("ij->ji", A),
    ("ij->", A),
    ("ij->j", A),
    ("ba", A),
    ("ii", SQUARE),
    ("ii->i", SQUARE),
    ("ij,ij->ij", A, A),
    ("ij,ij", A, A),
    ("i,j->ij", VECTOR, VECTOR),
    ("i,i->", VECTOR, VECTOR),
    ("bij,bjk->bik", C.swapaxes(1, 2), C),
    ("...ij,...jk->...ik", C.swapaxes(1, 2), C),
    ("...j,jk->...k", C.swapaxes(1, 2), B),
    ("...ij->...ji", C),
    ("i...->...", C),
    ("ij,jk,kl->il", A, B, B.T),
    ("ij,j,jk->k", A, VECTOR, B),
    ("ijk,ik->j", C, RNG.normal(size=(2, 4))),
    ("ijk,l->kl", C, VECTOR),
    ("ij,kj->ik", A, A),
    ("aij,ij->a", RNG.normal(size=(4, 2, 3)), A),
    ("...,...->...", A, VECTOR),
    ("iji->j", RNG.normal(size=(3, 2, 3))),
]


@pytest.mark.parametrize("equation, operands", [(e, x) for e, *x in EQUATIONS], ids=[e for e, *_ in EQUATIONS])
def test_einsum_is_numpys(equation, operands, device):
    found = ops.einsum(equation, *map(t, operands)).asnumpy()
    np.testing.assert_allclose(found, np.einsum(equation, *operands), rtol=1e-12, atol=1e-12)


def test_einsum_has_the_gradient_of_the_products_it_sums():
    da, db = ms.grad(lambda a, b: ops.einsum("ij,jk->ik", a, b), (0, 1))(t(A), t(B))
    np.testing.assert_allclose(da.asnumpy(), np.ones((2, 4)) @ B.T)
    np.testing.assert_allclose(db.asnumpy(), A.T @ np.ones((2, 4)))
    np.testing.assert_allclose(ms.grad(lambda a: ops.einsum("ii", a))(t(SQUARE)).asnumpy(), np.eye(3))


@given(st.lists(st.sampled_from([0.0, -0.0, 1.0, -2.0, 3.0]), min_size=1, max_size=9))
def test_the_gradient_of_a_product_is_the_product_of_the_others_zeros_or_not(values):
    x = np.array(values)
    others = [math.prod(values[:i] + values[i + 1 :]) for i in range(len(values))]
    np.testing.assert_allclose(ms.grad(ops.prod)(t(x)).asnumpy(), others)
    pairs = [[math.prod(np.delete(x, [i, j])) * (i != j) for j in range(len(x))] for i in range(len(x))]
    rows = [ms.grad(lambda x, i=i: ms.grad(ops.prod)(x)[i])(t(x)).asnumpy() for i in range(len(x))]
    np.testing.assert_allclose(rows, pairs)


def test_a_product_of_halves_has_a_gradient_rounded_once():
    x = np.full(12, 8, np.float16)
    x[0] = 2.0**-14  # on the way the product of the others passes 65504
    x[1:6] = 2.0**-6
    found = ms.grad(ops.prod)(t(x)).asnumpy()
    exact = [math.prod(np.delete(x.astype(float), i)) for i in range(12)]
    np.testing.assert_array_equal(found, np.array(exact, np.float16))


AXES = [None, 0, -1, (0, 1), ()]


@pytest.mark.parametrize("axis, keepdims", list(itertools.product(AXES, [False, True])))
def test_statistics_are_numpys(axis, keepdims):
    along = axis if axis != () else None
    for ddof in (0, 1):
        for x, name in itertools.product((C, A), ("var", "std")):
            found = getattr(ops, name)(t(x), axis, ddof, keepdims).asnumpy()
            np.testing.assert_allclose(found, getattr(np, name)(x, axis=along, ddof=ddof, keepdims=keepdims))
            both = getattr(ops, f"{name}_mean")(t(x), axis, ddof, keepdims)
            np.testing.assert_allclose(both[1].asnumpy(), x.mean(along, keepdims=keepdims))
    found = ops.logsumexp(t(C), () if axis is None else axis, keepdims).asnumpy()
    np.testing.assert_allclose(found, np.log(np.exp(C).sum(along, keepdims=keepdims)))


def test_statistics_of_halves_are_computed_in_float32():
    x = Tensor(np.array([600.0, 604.0] * 40, np.float16))
    assert (ops.var(x).item(), ops.std(x).item(), ops.norm(x).dtype) == (4.0, 2.0, ms.float16)
    assert ops.norm(Tensor(np.array([300.0, 400.0], np.float16))).item() == 500.0


def test_logsumexp_keeps_infinities():
    x = t([[1000.0, 1000.0], [-np.inf, -np.inf], [np.inf, 1.0]])
    np.testing.assert_allclose(ops.logsumexp(x, 1).asnumpy(), [1000 + math.log(2), -np.inf, np.inf])


ORDERS = [None, 0, 1, 2, 3, -1, 0.5, math.inf, -math.inf]


@pytest.mark.parametrize("order, keepdim", list(itertools.product(ORDERS, [False, True])))
def test_a_vectors_norm_is_numpys(order, keepdim):
    expected = np.linalg.norm(C, order, 1, keepdim)
    np.testing.assert_allclose(ops.norm(t(C), order, 1, keepdim).asnumpy(), expected)


@pytest.mark.parametrize("axes", [(0, 1), (2, 0)])
@pytest.mark.parametrize("order", [None, "fro", 1, -1, math.inf, -math.inf])
def test_a_matrixs_norm_is_numpys(order, axes):
    np.testing.assert_allclose(ops.norm(t(C), order, axes).asnumpy(), np.linalg.norm(C, order, axes))


def test_a_vector_of_zeros_has_a_norm_whose_gradient_is_zero():
    np.testing.assert_array_equal(ms.grad(ops.norm)(t([0.0, 0.0])).asnumpy(), [0, 0])
    np.testing.assert_array_equal(ms.grad(ops.cdist)(t([[1.0, 2.0]]), t([[1.0, 2.0]])).asnumpy(), [[0, 0]])


@pytest.mark.parametrize("axes", [0, 1, ((1,), (0,)), ((0, 1), (1, 0)), (1, 0), (-1, -2)])
def test_tensor_dot_is_numpys(axes):
    y = RNG.normal(size=(3, 2))
    np.testing.assert_allclose(ops.tensor_dot(t(A), t(y), axes).asnumpy(), np.tensordot(A, y, axes), atol=1e-15)


@pytest.mark.parametrize("x, y", [(A, B), (VECTOR, A), (C, VECTOR), (VECTOR, VECTOR), (np.array(2.0), A)])
def test_kron_is_numpys(x, y):
    np.testing.assert_allclose(ops.kron(t(x), t(y)).asnumpy(), np.kron(x, y))


def test_products_added_to_a_tensor_are_the_formula():
    x, y = t(C), t(C.swapaxes(1, 2))
    b, c = C @ C.swapaxes(1, 2), RNG.normal(size=(3, 3))
    found = [
        ops.addmm(t(c), t(SQUARE), t(SQUARE), beta=0.5, alpha=2),
        ops.addmv(t(VECTOR), t(SQUARE), t(VECTOR), beta=0.5, alpha=2),
        ops.addr(t(c), t(VECTOR), t(VECTOR), beta=0.5, alpha=2),
        ops.addbmm(t(c), x, y, beta=0.5, alpha=2),
        ops.baddbmm(t(c), x, y, 0.5, 2),
    ]
    plain = [SQUARE @ SQUARE, SQUARE @ VECTOR, np.outer(VECTOR, VECTOR), b.sum(0), b]
    for out, product, base in zip(found, plain, (c, VECTOR, c, c, c), strict=True):
        np.testing.assert_allclose(out.asnumpy(), 0.5 * base + 2 * product)


def test_the_trace_of_whole_numbers_is_a_whole_number():
    x = t(np.arange(12, dtype=np.int32).reshape(3, 4))
    assert (ops.trace(x).item(), ops.trace(x).dtype, x.trace(1).item()) == (15, ms.int32, 18)
    np.testing.assert_allclose(t(C).trace(-1, 1, 2).asnumpy(), C.trace(-1, 1, 2))


def test_tensors_methods_take_mindspores_arguments():
    x = t([[1.0, 5.0], [7.0, 2.0]])
    assert x.argmax(axis=1, keepdims=True).tolist() == [[1], [0]]
    assert x.max(axis=0, return_indices=True)[1].tolist() == [1, 0]
    assert x.max(axis=0, initial=6.0).tolist() == [7, 6] and x.min((0, 1)).item() == 1
    assert x.sum(axis=1, keepdims=True, initial=1.0).tolist() == [[7], [10]]
    assert t([True, False]).all().item() is False
    assert x.logsumexp(1, keepdims=True).shape == (2, 1)
    assert x.astype(ms.int32).std(axis=1).dtype == ms.float32
    with pytest.raises(TypeError, match="bools"):
        x.any()


def test_the_largest_along_an_axis_hands_its_gradient_to_the_first():
    x = t([[5.0, 5.0, 4.0]])
    assert ms.grad(lambda x: x.max(1))(x).tolist() == [[1, 0, 0]]
    assert ms.grad(lambda x: ops.max(x, 1)[0])(x).tolist() == [[1, 0, 0]]
    assert ms.grad(lambda x: x.max())(x).tolist() == ms.grad(lambda x: ops.amax(x, 1))(x).tolist() == [[0.5, 0.5, 0]]


# What stands at the edges of the faces

NAN, INF = np.nan, np.inf
EDGES = {
    "div_no_nan": (lambda: ops.DivNoNan()(t([1.0, NAN, INF, 2.0]), t([0.0, 0.0, 0.0, NAN])), [0, 0, 0, NAN]),
    "mul_no_nan": (lambda: ops.MulNoNan()(t([INF, NAN, 0.0, 2.0]), t([0.0, 0.0, NAN, NAN])), [0, 0, NAN, NAN]),
    "xdivy": (lambda: ops.xdivy(t([0.0, 0.0, 1.0]), t([0.0, NAN, 0.0])), [0, 0, INF]),
    "xlogy": (lambda: ops.xlogy(t([0.0, 0.0, 1.0]), t([0.0, NAN, 0.0])), [0, 0, -INF]),
    "heaviside": (lambda: ops.heaviside(t([-1.0, -0.0, NAN, 2.0]), t(5.0)), [0, 5, 0, 1]),
    "fmax": (lambda: ops.fmax(t([1.0, NAN, NAN, 2.0, INF]), t([2.0, 1.0, NAN, NAN, NAN])), [2, 1, NAN, 2, INF]),
    "fmin": (lambda: t([1.0, NAN, NAN, 2.0, INF]).fmin(t([2.0, 1.0, NAN, NAN, NAN])), [1, 1, NAN, 2, INF]),
    "fmax's slope": (
        lambda: ms.grad(ops.fmax, (0, 1))(t([1.0, NAN, NAN, 2, 3]), t([2.0, 1, NAN, NAN, 3]))[0],
        [0, 0, 1, 1, 1],
    ),
    "nan_to_num": (lambda: ops.nan_to_num(t(np.array([NAN, INF, -INF], np.float16))), [0, 65504, -65504]),
    "signbit": (lambda: ops.signbit(t([-1.0, -0.0, NAN])), [True, False, False]),
    "median": (lambda: ops.median(t([[4.0, 1.0, 3.0, 2.0], [9.0, NAN, 7.0, 8.0]]))[0], [2, NAN]),
    "median_at": (lambda: ops.median(t([[4.0, 1.0, 3.0, 2.0], [9.0, NAN, 7.0, 8.0]]))[1], [3, 1]),
    "sigmoid below -88.8": (lambda: ops.sigmoid(t([-89.0, -100.0]).astype(ms.float32)), [0, 0]),
    "copysign": (lambda: ops.copysign(t([1.0, -2.0, 3.0]), t([-1.0, 1.0, -0.0])), [-1, 2, 3]),
    "hypot": (
        lambda: ops.hypot(t(np.float32([3e38, INF])), t(np.float32([1e38, NAN]))),
        np.float32([3.1622777e38, INF]),
    ),
    "clip": (lambda: ops.clamp(t([1, 2, 3]), 1.5, 2.5), [1, 2, 2]),
    "inv": (lambda: ops.inv(t([1, -1, 2, 0])), [1, -1, 0, 0]),
    "nansum_of_integers": (lambda: ops.nansum(t([NAN, 1.5, 2.6]), dtype=ms.int32), 4),
    "nansum_of_bytes": (lambda: ops.nansum(Tensor([100, 100], ms.int8), dtype=ms.int32), 200),
    "nansum_of_bools": (lambda: t([True, True]).nansum(dtype=ms.float32), 2),
    "truncate_div": (lambda: ops.truncate_div(t([-7, 7, 1]), t([2, 2, 0])), [-3, 3, 0]),
    "isclose": (lambda: ops.isclose(t([NAN, INF, 1.0]), t([NAN, INF, 1.000001])), [False, True, True]),
    "argmax": (lambda: ops.argmax(t([[1.0, 5.0], [5.0, 2.0]])), 1),
    "argmin": (lambda: ops.argmin(t([[1.0, 5.0], [0.0, 2.0]]), 1, True), [[0], [0]]),
    "max": (lambda: ops.max(t([1.0, 5.0]))[1], 0),
    "aminmax": (lambda: ops.aminmax(t([[1.0, 5.0], [0.0, 2.0]]))[1], [1, 5]),
    "amax": (lambda: ops.amax(t([1.0, 5.0]), initial=2.0, where=t([True, False])), 2),
    "nansum": (lambda: ops.nansum(t([1.0, NAN])), 1),
    "all": (lambda: ops.all(t([2.0, NAN, 0.0])), False),
    "any": (lambda: ops.any(t([0, 0])), False),
    "count_nonzero": (lambda: ops.count_nonzero(t([[1.0, NAN, 0.0]]), 1), [2]),
    "empty prod": (lambda: ops.prod(t([])), 1),
    "empty all": (lambda: ops.all(t([])), True),
    "lerp": (lambda: ops.lerp(t([1.0, 3.0]), t([3.0, 3.0]), 0.5), [2, 3]),
    "sinc": (lambda: ops.sinc(t([0.0, 0.5])), [1, 2 / math.pi]),
    "sinc of complex numbers": (lambda: ops.sinc(t([0.5j])), [np.sinc(0.5j)]),
    "reciprocal of complex numbers": (lambda: ops.reciprocal(t([1 + 1j, 2])), [0.5 - 0.5j, 0.5]),
    "logical": (lambda: ops.logical_and(t([2.0, 0.0, NAN]), t([1, 1, 1])), [True, False, True]),
    "ldexp": (lambda: ops.ldexp(t([1.0, 3.0]), t([3, -1])), [8, 1.5]),
    "addcdiv": (lambda: ops.addcdiv(t([1.0, 2.0]), t([3.0, 4.0]), t([2.0, 0.0]), 0.5), [1.75, INF]),
}


@pytest.mark.parametrize("name", EDGES)
def test_at_its_edges_a_face_gives(name, device):
    compute, expected = EDGES[name]
    np.testing.assert_allclose(compute().asnumpy(), expected, rtol=1e-7)


ONES, WHOLE = t(np.ones((2, 3))), t([1, 2, 3])
REFUSED = [
    (lambda: ops.div(ONES, ONES, rounding_mode="up"), ValueError, "'rounding_mode'"),
    (lambda: ops.sin(WHOLE), TypeError, "'x'"),
    (lambda: ops.invert(ONES), TypeError, "'x'"),
    (lambda: ops.bitwise_left_shift(ONES, ONES), TypeError, "'x'"),
    (lambda: ops.addn(ONES), TypeError, "'x'"),
    (lambda: ops.addn([]), ValueError, "at least one"),
    (lambda: ops.addn([ONES, t(np.ones(3))]), ValueError, "shape"),
    (lambda: ops.addn([ONES, t(np.ones((2, 3), np.float32))]), TypeError, "same as"),
    (lambda: ops.lerp(ONES, ONES, 1), TypeError, "'weight'"),
    (lambda: ops.addcmul(ONES, t(np.ones((2, 3), np.int32)), ONES), TypeError, "same as"),
    (lambda: ops.heaviside(ONES, 1.0), TypeError, "'values'"),
    (lambda: ops.nan_to_num(ONES, 1), TypeError, "'nan'"),
    (lambda: ops.cross(ONES, ONES, 0), ValueError, "length 3"),
    (lambda: ops.cross(t(np.ones((2, 2))), t(np.ones((2, 2)))), ValueError, "length 3"),
    (lambda: ops.isclose(ONES, ONES, rtol=-1.0), ValueError, "'rtol'"),
    (lambda: ops.isclose(ONES, t(np.ones((2, 3), np.float32))), TypeError, "same as"),
    (lambda: ops.approximate_equal(ONES, t(1.0)), RuntimeError, "same shape"),
    (lambda: ops.polygamma(-1, ONES), ValueError, "'a'"),
    (lambda: ops.exp2(t([1j])), TypeError, "real numbers"),
    (lambda: ops.median(ONES, (0, 1)), TypeError, "'axis'"),
    (lambda: ops.median(ONES, 2), ValueError, "'axis'"),
    (lambda: ops.median(t(np.ones((0, 3))), 0), ValueError, "elements"),
    (lambda: ops.max(ONES, (0, 1)), TypeError, "'axis'"),
    (lambda: ops.max(ONES, 2), ValueError, "'axis'"),
    (lambda: ops.max(t([])), ValueError, "elements"),
    (lambda: ops.amax(ONES, where=t([[True]])), ValueError, "'initial'"),
    (lambda: ops.var(WHOLE), TypeError, "'input'"),
    (lambda: ops.var(ONES, ddof="1"), TypeError, "'ddof'"),
    (lambda: ops.norm(WHOLE), TypeError, "'A'"),
    (lambda: ops.norm(t(VECTOR), "fro"), TypeError, "'ord'"),
    (lambda: ops.norm(ONES, 3), ValueError, "'ord'"),
    (lambda: ops.norm(t(C), 1), ValueError, "'dim'"),
    (lambda: ops.LpNorm(0, -1), ValueError, "'p'"),
    (lambda: ops.LpNorm(2)(ONES), ValueError, "'axis'"),
    (lambda: ops.L2Normalize([0, 1]), TypeError, "'axis'"),
    (lambda: ops.ReduceStd(0, 1), TypeError, "'unbiased'"),
    (lambda: ops.cdist(ONES, ONES, -1.0), ValueError, "'p'"),
    (lambda: ops.cdist(ONES, t(np.ones((2, 2)))), ValueError, "same length"),
    (lambda: ops.inverse(ONES), ValueError, "square"),
    (lambda: ops.inverse(t(np.ones((2, 2)))), ValueError, "invertible"),
    (lambda: ops.det(t(np.ones(2))), ValueError, "square"),
    (lambda: ops.matrix_solve(t(np.ones((2, 2))), ONES), ValueError, "invertible"),
    (lambda: ops.matrix_solve(t(np.eye(2)), t(np.ones(2))), ValueError, "'rhs'"),
    (lambda: ops.cholesky(t(-np.eye(2))), RuntimeError, "positive definite"),
    (lambda: ops.trace(t(C)), ValueError, "2 axes"),
    (lambda: ops.matrix_band_part(ONES, 1.0, 0), TypeError, "'lower'"),
    (lambda: ops.dot(t(VECTOR), t(VECTOR)), ValueError, "2 axes"),
    (lambda: ops.inner(ONES, t(np.ones(2))), ValueError, "same length"),
    (lambda: ops.outer(ONES, ONES), ValueError, "one axis"),
    (lambda: ops.tensor_dot(ONES, ONES, 3), ValueError, "'axes'"),
    (lambda: ops.tensor_dot(ONES, ONES, 1), ValueError, "equal"),
    (lambda: ops.tensor_dot(ONES, ONES, "a"), TypeError, "'axes'"),
    (lambda: ops.mm(t(C), t(C)), ValueError, "2 axes"),
    (lambda: ops.mv(ONES, t(np.ones(2))), ValueError, "rows"),
    (lambda: ops.addmm(ONES, ONES, t(np.eye(3)), beta="x"), TypeError, "'beta'"),
    (lambda: ops.addbmm(ONES, ONES, ONES), ValueError, "3 axes"),
    (lambda: ops.einsum("ij,jk", ONES), ValueError, "operands"),
    (lambda: ops.einsum("ijk", ONES), ValueError, "axis"),
    (lambda: ops.einsum("i", ONES), ValueError, "axis"),
    (lambda: ops.einsum("ij->k", ONES), ValueError, "letters"),
    (lambda: ops.einsum("ij,ij", ONES, t(np.ones((3, 2)))), ValueError, "one length"),
    (lambda: ops.einsum("ii", ONES), ValueError, "one length"),
    (lambda: ops.einsum(1, ONES), TypeError, "'equation'"),
]


@pytest.mark.parametrize("action, kind, told", REFUSED, ids=[str(i) for i in range(len(REFUSED))])
def test_what_does_not_fit_is_refused_by_name(action, kind, told):
    with pytest.raises(kind, match=told) as caught:
        action()
    assert str(caught.value).startswith("For '")


@pytest.mark.parametrize("name", [f"Reduce{name}" for name in ("Sum", "Mean", "Prod", "Max", "Min", "All", "Any")])
def test_a_reduction_takes_its_inputs_by_name(name):
    x = Tensor(np.array([[3, 0, 1], [2, 5, 4]]) > 0 if name in ("ReduceAll", "ReduceAny") else [[3.0, 0, 1], [2, 5, 4]])
    reduction = getattr(ops, name)()
    expected = reduction(x, (0,)).tolist()
    assert reduction(x, axis=0).tolist() == reduction(axis=[0], x=x).tolist() == expected
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
        reduction(x, axes=0)


def test_a_gradient_goes_through_a_reduction_by_name():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert ms.grad(lambda x: ops.ReduceMean()(x * x, axis=1).sum())(x).tolist() == x.tolist()
