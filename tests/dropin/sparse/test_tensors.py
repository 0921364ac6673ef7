"""COOTensor, CSRTensor, RowTensor, SparseTensor; numbers and texts without a formula are those of MindSpore 2.0.0."""

import numpy as np
import pytest

import minispore as ms
from minispore import COOTensor, CSRTensor, RowTensor, Tensor, ops
from minispore.common.sparse_tensor import RowTensorInner

INDICES = Tensor([[0, 1], [1, 2]], dtype=ms.int32)
VALUES = Tensor([1, 2], dtype=ms.float32)
INDPTR, COLUMNS = Tensor([0, 1, 2, 2], dtype=ms.int32), Tensor([1, 2], dtype=ms.int32)
DENSE = Tensor(np.arange(1, 13).reshape(3, 4), ms.float32)
FULL = np.array([[0, 1, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]], np.float32)


def coo(values=VALUES):
    return COOTensor(INDICES, values, (3, 4))


def csr(values=VALUES):
    return CSRTensor(INDPTR, COLUMNS, values, (3, 4))


def places(*rows):
    return Tensor(list(rows), ms.int64)


def parts(x):
    return [part.asnumpy().tolist() for part in x.to_tuple()[:-1]]


def test_a_sparse_tensor_prints_as_mindspore_prints_it():
    assert repr(coo()) == (
        "COOTensor(shape=[3, 4], dtype=Float32, indices=Tensor(shape=[2, 2], dtype=Int32, value=\n[[0 1]\n [1 2]]), "
        "values=Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00]))"
    )
    assert repr(csr()) == (
        "CSRTensor(shape=[3, 4], dtype=Float32, indptr=Tensor(shape=[4], dtype=Int32, value=[0 1 2 2]), "
        "indices=Tensor(shape=[2], dtype=Int32, value=[1 2]), "
        "values=Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00]))"
    )
    rows = RowTensor(Tensor([0]), Tensor([[1, 2]], dtype=ms.float32), (3, 2))
    assert repr(rows) == (
        "RowTensor(shape=[3, 2], dtype=Float32, indices=Tensor(shape=[1], dtype=Int64, value=[0]), "
        "values=Tensor(shape=[1, 2], dtype=Float32, value=\n[[ 1.00000000e+00  2.00000000e+00]]))"
    )


@pytest.mark.parametrize("make", [coo, csr])
def test_a_sparse_matrix_tells_its_parts_and_sizes(make):
    x = make()
    assert (x.shape, x.dtype, x.ndim, x.size, x.itemsize) == ((3, 4), ms.float32, 2, 2, 4)
    assert x.values is VALUES
    assert x.to_tuple()[-2:] == (VALUES, (3, 4))
    np.testing.assert_array_equal(x.to_dense().asnumpy(), FULL)
    assert x == x
    assert x != make()


def test_a_row_tensor_holds_rows_and_can_be_copied():
    rows = RowTensor(Tensor([0]), Tensor([[1.0, 2.0]]), (3, 2))
    again = RowTensor(row_tensor=rows)
    assert isinstance(rows, RowTensorInner)
    assert (again.indices, again.values, again.dense_shape) == (rows.indices, rows.values, (3, 2))


def test_a_function_can_be_registered_for_sparse_tensors():
    kind_of = ops.MultitypeFuncGraph("kind_of")
    for kind in ("Tensor", "RowTensor", "COOTensor", "CSRTensor"):
        kind_of.register(kind)(lambda x, kind=kind: kind)
    rows = RowTensor(Tensor([0]), Tensor([[1.0, 2.0]]), (3, 2))
    assert [kind_of(x) for x in (VALUES, rows, coo(), csr())] == ["Tensor", "RowTensor", "COOTensor", "CSRTensor"]


@pytest.mark.parametrize("make", [coo, csr])
def test_a_sparse_tensor_can_be_copied_by_its_constructor(make):
    name = "coo_tensor" if make is coo else "csr_tensor"
    x = make()
    assert type(x)(**{name: x}).to_tuple() == x.to_tuple()
    with pytest.raises(TypeError, match=f"the '{name}' must be a"):
        type(x)(**{name: VALUES})
    with pytest.raises(TypeError, match=f"beside the '{name}'"):
        type(x)(INDICES, **{name: x})


@pytest.mark.parametrize("make", [coo, csr])
def test_what_is_computed_value_by_value_keeps_the_places(make):
    x = make(-VALUES)
    for got, values in (
        (-x, [1, 2]),
        (x.abs(), [1, 2]),
        (x.astype(ms.int32), [-1, -2]),
        (x * DENSE, [-2, -14]),
        (x / DENSE, [-0.5, -2 / 7]),
        (x * 2, [-2, -4]),
        (x / 2, [-0.5, -1]),
        (x * Tensor([[2.0], [3.0], [4.0]]), [-2, -6]),
    ):
        assert type(got) is type(x)
        assert parts(got)[:-1] == parts(x)[:-1]
        np.testing.assert_allclose(got.values.asnumpy(), values)
    assert x.astype(ms.float16).dtype == ms.float16


def test_a_dense_tensor_can_be_added_to_a_coo_tensor():
    np.testing.assert_array_equal((coo() + DENSE).asnumpy(), FULL + DENSE.asnumpy())
    np.testing.assert_array_equal((coo() - DENSE).asnumpy(), FULL - DENSE.asnumpy())


def test_values_at_one_place_are_added():
    x = COOTensor(places([2, 3], [0, 1], [0, 0], [2, 3]), Tensor([1.0, 2.0, 3.0, 5.0]), (3, 4))
    assert parts(x.coalesce()) == [[[0, 0], [0, 1], [2, 3]], [3.0, 2.0, 6.0]]
    np.testing.assert_array_equal(x.to_dense().asnumpy(), [[3, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 6]])


def test_a_sum_of_coo_tensors_leaves_out_what_is_below_the_threshold():
    x = COOTensor(places([0, 1], [2, 3]), Tensor([1.0, 2.0]), (3, 4))
    y = COOTensor(places([0, 1], [2, 3]), Tensor([1.0, 5.0]), (3, 4))
    assert parts(x + y) == [[[0, 1], [2, 3]], [2.0, 7.0]]
    assert parts(x - x) == [[[0, 1], [2, 3]], [0.0, 0.0]]
    assert parts(x.add(y, Tensor(4.0))) == [[[2, 3]], [7.0]]
    assert parts(x.add(x, Tensor(4.0))) == [[[2, 3]], [4.0]]


def test_a_sum_of_coo_tensors_has_sorted_places_of_any_int_type():
    for kind in (ms.int16, ms.int32, ms.int64):
        x = COOTensor(places([2, 3], [0, 1]).astype(kind), Tensor([1.0, 2.0]), (3, 4))
        y = COOTensor(places([2, 3], [0, 0]).astype(kind), Tensor([1.0, 2.0]), (3, 4))
        assert parts(x + y) == [[[0, 0], [0, 1], [2, 3]], [2.0, 2.0, 2.0]]
        assert (x + y).indices.dtype == kind


def test_a_dense_tensor_stands_on_the_right_of_a_sparse_one():
    with pytest.raises(TypeError, match="the inputs must be Tensors or numbers, but got COOTensor"):
        DENSE + coo()


def test_a_matrix_goes_by_rows_and_back():
    x = COOTensor(places([2, 3], [0, 1], [0, 0]), Tensor([1.0, 2.0, 3.0]), (3, 4))
    by_rows = x.to_csr()
    assert parts(by_rows) == [[0, 2, 2, 3], [1, 0, 3], [2.0, 3.0, 1.0]]
    np.testing.assert_array_equal(by_rows.to_dense().asnumpy(), x.to_dense().asnumpy())
    assert parts(by_rows.to_coo()) == [[[0, 1], [0, 0], [2, 3]], [2.0, 3.0, 1.0]]


def test_sums_of_csr_tensors():
    assert parts(csr() + csr()) == [[0, 1, 2, 2], [1, 2], [2.0, 4.0]]
    assert parts(csr() - csr()) == [[0, 1, 2, 2], [1, 2], [0.0, 0.0]]
    assert parts(csr().add(csr(), Tensor(1.0), Tensor(2.0))) == [[0, 1, 2, 2], [1, 2], [3.0, 6.0]]


def random_matrix(shape, seed):
    rng = np.random.default_rng(seed)
    dense = (rng.normal(size=shape) * (rng.random(shape) < 0.4)).astype(np.float32)
    where = np.argwhere(dense)
    return dense, COOTensor(Tensor(where), Tensor(dense[tuple(where.T)]), shape).to_csr()


@pytest.mark.parametrize("seed", range(4))
def test_products_and_sums_are_those_of_the_dense_matrices(seed):
    (a, x), (b, y) = random_matrix((5, 4), seed), random_matrix((4, 6), seed + 10)
    c, z = random_matrix((5, 4), seed + 20)
    np.testing.assert_allclose(x.mm(Tensor(b)).asnumpy(), a @ b, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(x.mm(y).to_dense().asnumpy(), a @ b, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(x.mv(Tensor(b[:, :1])).asnumpy(), a @ b[:, :1], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(x.sum(1).asnumpy(), a.sum(1, keepdims=True), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose((x + z).to_dense().asnumpy(), a + c, rtol=1e-6)


def test_gradients_flow_to_the_values_and_to_the_dense_operand():
    dv, dd = ms.grad(lambda v, d: (coo(v) * d).values, (0, 1))(VALUES, DENSE)
    assert dv.tolist() == [2.0, 7.0]
    np.testing.assert_array_equal(dd.asnumpy(), FULL)
    for function in (lambda v: coo(v).to_dense(), lambda v: csr(v).to_dense(), lambda v: csr(v).abs().values):
        assert ms.grad(function)(VALUES).tolist() == [1.0, 1.0]
    matrix = Tensor(np.arange(8).reshape(4, 2), ms.float32)
    dv, dm = ms.grad(lambda v, m: csr(v).mm(m), (0, 1))(VALUES, matrix)
    assert dv.tolist() == [5.0, 9.0]
    np.testing.assert_array_equal(dm.asnumpy(), [[0, 0], [1, 1], [2, 2], [0, 0]])
    assert ms.grad(lambda v: csr(v).sum(1))(VALUES).tolist() == [1.0, 1.0]
    assert ms.grad(lambda v: (coo(v) + coo(v)).values)(VALUES).tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ((INDICES, [1.0], (3, 4)), TypeError, "'values' must be a Tensor"),
        ((INDICES, VALUES, [3, 4]), TypeError, "'shape' must be a tuple"),
        ((INDICES, VALUES, (3, 4.0)), TypeError, "'shape' must be a tuple of ints"),
        ((INDICES, VALUES, (3, 0)), ValueError, "'shape' must hold ints above 0"),
        ((INDICES, VALUES, (3,)), ValueError, "length 2"),
        ((INDICES, VALUES, (1, 1)), ValueError, "room for 2 values"),
        ((Tensor([[0.0, 1.0]]), Tensor([1.0]), (3, 4)), TypeError, "'indices' must hold int16"),
        ((Tensor([0, 1]), Tensor([1.0]), (3, 4)), ValueError, "'indices' must have 2 axes"),
        ((INDICES, Tensor([1.0]), (3, 4)), ValueError, "one value for each row"),
        ((Tensor([[0, 1, 2]]), Tensor([1.0]), (3, 4)), ValueError, "length 2"),
    ],
)
def test_a_coo_tensor_whose_parts_do_not_fit_is_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        COOTensor(*arguments)
    with pytest.raises(error, match=text):
        ms.SparseTensor(*arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ((None, COLUMNS, VALUES, (3, 4)), TypeError, "'indptr' must be a Tensor"),
        ((INDPTR, COLUMNS, VALUES, 3), TypeError, "'shape' must be a tuple"),
        ((INDPTR, COLUMNS, VALUES, (2, 4)), ValueError, "'indptr' must have 3 elements"),
        ((INDPTR, COLUMNS, VALUES, (3,)), ValueError, "at least 2 axes"),
        ((INDPTR, COLUMNS, Tensor([1.0]), (3, 4)), ValueError, "one for each value"),
        ((INDPTR, COLUMNS, Tensor([[1.0], [2.0]]), (3, 4, 2)), ValueError, "must be the last"),
    ],
)
def test_a_csr_tensor_whose_parts_do_not_fit_is_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        CSRTensor(*arguments)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: coo() + 1, TypeError),
        (lambda: coo() * coo(), TypeError),
        (lambda: coo() * Tensor([1.0, 2.0]), ValueError),
        (lambda: coo() + Tensor([1.0]), ValueError),
        (lambda: coo() + COOTensor(INDICES, VALUES, (3, 5)), ValueError),
        (lambda: coo().add(coo(), 0), TypeError),
        (lambda: csr() + DENSE, TypeError),
        (lambda: csr().add(csr(), 1, 2), TypeError),
        (lambda: csr().mv(Tensor([1.0, 2.0, 3.0, 4.0])), ValueError),
        (lambda: csr().mm([1]), TypeError),
        (lambda: csr().mm(Tensor(np.ones((3, 2), np.float32))), ValueError),
        (lambda: csr().sum(0), ValueError),
        (lambda: csr().sum(1.0), TypeError),
        (lambda: COOTensor(places([0, 9]), Tensor([1.0]), (3, 4)).to_csr(), ValueError),
        (lambda: COOTensor(places([0, 9]), Tensor([1.0]), (3, 4)).to_dense(), IndexError),
        (lambda: CSRTensor(Tensor([0, 2, 1, 2]), COLUMNS, VALUES, (3, 4)).to_dense(), ValueError),
        (
            lambda: CSRTensor(INDPTR, Tensor([7, 2]), VALUES, (3, 4)).mm(
                CSRTensor(Tensor([0, 1, 2, 2, 2]), COLUMNS, VALUES, (4, 4))
            ),
            ValueError,
        ),
        (lambda: RowTensor(Tensor([0]), [[1, 2]], (3, 2)), TypeError),
        (lambda: RowTensor(Tensor([0]), Tensor([[1, 2]]), [3, 2]), TypeError),
        (lambda: RowTensor(), TypeError),
    ],
)
def test_what_a_sparse_tensor_cannot_do_ends_in_a_sentence(call, error):
    with pytest.raises(error, match=r"^For '.*must .*"):
        call()
