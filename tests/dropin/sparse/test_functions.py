"""``ops.coo_*`` and ``ops.csr_*``: functions of the stored values, and the methods by MindSpore's other names."""

import numpy as np
import pytest

from minispore import COOTensor, CSRTensor, Tensor, ops

VALUES = Tensor([0.25, 0.5])
COO = COOTensor(Tensor([[0, 1], [1, 0]]), VALUES, (2, 2))
CSR = CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), VALUES, (2, 2))
NAMES = ("abs", "acos", "exp", "floor", "inv", "isnan", "log1p", "neg", "relu6", "round", "sigmoid", "softsign", "tanh")


@pytest.mark.parametrize("name", NAMES)
def test_a_function_of_the_values_keeps_the_places(name):
    expected = getattr(ops, name)(VALUES).asnumpy()
    for prefix, x in (("coo", COO), ("csr", CSR)):
        got = getattr(ops, f"{prefix}_{name}")(x)
        assert got.indices is x.indices
        np.testing.assert_array_equal(got.values.asnumpy(), expected)


def test_the_methods_have_names_in_ops():
    two, column = Tensor(2.0), Tensor([[1.0], [2.0]])
    assert ops.coo_add(COO, COO, Tensor(0.0)).values.tolist() == [0.5, 1.0]
    assert ops.csr_add(CSR, CSR, two, two).values.tolist() == [1.0, 2.0]
    assert ops.csr_mm(CSR, column).tolist() == ops.csr_mv(CSR, column).tolist() == [[0.5], [0.5]]
    assert ops.csr_reduce_sum(CSR, 1).tolist() == [[0.25], [0.5]]
    assert ops.csr_to_coo(CSR).indices.tolist() == [[0, 1], [1, 0]]
    assert ops.csr_to_dense(CSR).tolist() == [[0.0, 0.25], [0.5, 0.0]]
    assert ops.coo_tensor_get_indices(COO) is COO.indices
    assert ops.coo_tensor_get_values(COO) is ops.csr_tensor_get_values(CSR) is VALUES
    assert ops.coo_tensor_get_dense_shape(COO) == ops.csr_tensor_get_dense_shape(CSR) == (2, 2)
    assert (ops.csr_tensor_get_indptr(CSR), ops.csr_tensor_get_indices(CSR)) == (CSR.indptr, CSR.indices)


def test_a_tensor_of_the_other_kind_is_refused():
    with pytest.raises(TypeError, match="For 'coo_sin', the 'x' must be a COOTensor, but got CSRTensor"):
        ops.coo_sin(CSR)
    with pytest.raises(TypeError, match="For 'csr_mm', the 'a' must be a CSRTensor, but got Tensor"):
        ops.csr_mm(VALUES, VALUES)


def test_matrices_stand_side_by_side_with_sorted_places():
    first = COOTensor(Tensor([[1, 2], [0, 1]]), Tensor([1.0, 2.0]), (3, 4))
    second = COOTensor(Tensor([[0, 0], [1, 1]]), Tensor([3.0, 4.0]), (3, 4))
    below = ops.coo_concat((first, second))
    assert (below.indices.tolist(), below.shape) == ([[0, 1], [1, 2], [3, 0], [4, 1]], (6, 4))
    assert below.values.tolist() == [2.0, 1.0, 3.0, 4.0]
    beside = ops.coo_concat([first, second, second], -1)
    dense = [x.to_dense().asnumpy() for x in (first, second, second)]
    np.testing.assert_array_equal(beside.to_dense().asnumpy(), np.concatenate(dense, 1))
    assert beside.indices.tolist() == sorted(beside.indices.tolist())


SHORT = COOTensor(Tensor([[0, 0]]), Tensor([3.0]), (1, 3))
WRONG = [
    (lambda: ops.coo_concat((COO, SHORT)), ValueError, "must have the length 2 along axis 1, but got shape"),
    (lambda: ops.coo_concat((COO,)), ValueError, "must have at least 2 COOTensors, but got 1"),
    (lambda: ops.coo_concat((COO, COO), 2), ValueError, "the 'concat_dim' must be in"),
    (lambda: ops.coo_concat((COO, COO), 1.0), TypeError, "the 'concat_dim' must be an int, but got 1.0"),
    (lambda: ops.coo_concat(COO), TypeError, "must be a list or tuple of COOTensors, but got COOTensor"),
    (lambda: ops.coo_concat((COO, CSR)), TypeError, "the 'sp_input' must be a COOTensor, but got CSRTensor"),
    (lambda: ops.coo_concat((COO, COO.astype("float64"))), TypeError, "must all be of Float32, but got Float64"),
]


@pytest.mark.parametrize(("call", "kind", "sentence"), WRONG)
def test_matrices_that_do_not_fit_are_refused(call, kind, sentence):
    with pytest.raises(kind, match=f"^For 'coo_concat', .*{sentence}"):
        call()
