"""MindSpore's inner helpers of training."""

import pytest

import minispore as ms
from minispore.training.train import _utils


def test_a_folder_is_made_once(tmp_path):
    path = str(tmp_path / "a" / "b")
    assert _utils._make_directory(path) == _utils._make_directory(path) == path


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: _utils._make_directory(3), TypeError),
        (lambda: _utils._make_directory(" "), ValueError),
        (lambda: _utils.check_value_type("a", True, [int]), TypeError),
        (lambda: _utils.check_value_type("a", 1, str), TypeError),
        (lambda: _utils._construct_tensor_list([ms.float32], [(2,), (3,)]), ValueError),
    ],
)
def test_wrong_arguments_are_refused(call, kind):
    with pytest.raises(kind, match=r"^For '"):
        call()


def test_one_of_several_types_is_taken():
    assert _utils.check_value_type("a", 1, [str, int]) is None


def test_tensors_like_a_data_sets_columns():
    found = _utils._construct_tensor_list((ms.float32, ms.bool_, ms.int8), ((), [2, 3], (4,)), 3)
    assert [(x.shape, x.dtype) for x in found] == [((), ms.float32), ((6, 3), ms.bool_), ((12,), ms.int8)]
    assert not any(x.asnumpy().any() for x in found)
