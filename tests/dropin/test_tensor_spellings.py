"""What tells that a Tensor has its values."""

import pytest

import minispore as ms
from minispore import Tensor


def test_a_tensor_has_its_values_from_the_beginning():
    x = Tensor([1.0])
    assert x.init_data() is x and x.has_init is False
    assert ms.Parameter([1.0], name="w").has_init is False


def test_marks_of_late_sliced_and_constant_values_are_false():
    x = ms.Tensor([1.0, 2.0])
    assert not (x.const_arg or x.init_flag or x.is_init() or x.is_persistent_data()) and x.init_finished
    assert x.set_init_flag(True) is x.set_cast_dtype(ms.float16) is x.param_info is None
    assert x.assign_value_cpp(ms.Tensor([3.0, 4.0])).asnumpy().tolist() == x.asnumpy().tolist() == [3.0, 4.0]
    assert x.fills(5).asnumpy().tolist() == x.fills(ms.Tensor(5.0)).asnumpy().tolist() == [5.0, 5.0]


def test_a_matrix_becomes_a_sparse_one():
    x = ms.Tensor([[0.0, 2.0], [3.0, 0.0]])
    for sparse in (x.to_coo(), x.to_csr()):
        assert sparse.values.asnumpy().tolist() == [2.0, 3.0] and (sparse.to_dense().asnumpy() == x.asnumpy()).all()
    with pytest.raises(ValueError, match="For 'to_coo', the Tensor must have two axes"):
        ms.Tensor([1.0]).to_coo()
