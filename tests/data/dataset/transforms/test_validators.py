"""Decorators of users' transforms."""

import pytest

from minispore.dataset.transforms.validators import check_random_transform_ops


class Own:
    @check_random_transform_ops
    def __init__(self, transforms, probability=0.5):
        self.transforms = transforms


def test_a_list_of_functions_is_taken():
    assert Own([abs], probability=1).transforms == [abs]


@pytest.mark.parametrize(("error", "transforms"), [(ValueError, []), (TypeError, 3), (TypeError, [3])])
def test_anything_else_is_refused(error, transforms):
    with pytest.raises(error, match=r"^For 'Own', "):
        Own(transforms)
