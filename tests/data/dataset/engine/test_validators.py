"""Decorators of users' methods: they check the arguments as the package's own methods do."""

import pytest

from minispore import dataset as ds
from minispore.dataset.engine.datasets import _get_training_dataset, _set_training_dataset
from minispore.dataset.engine.validators import check_batch


class Own(ds.NumpySlicesDataset):
    @check_batch
    def batch(self, batch_size, drop_remainder=False, extra=None):
        """A batch of one's own."""
        return batch_size, drop_remainder, extra


def test_a_users_batch_gets_the_arguments_that_are_right():
    assert Own([1, 2]).batch(2, extra="x") == (2, False, "x") and Own.batch.__name__ == "batch"


@pytest.mark.parametrize(("error", "arguments"), [(ValueError, (0,)), (TypeError, ("a",)), (TypeError, (1, 3))])
def test_a_users_batch_is_told_of_wrong_arguments(error, arguments):
    with pytest.raises(error, match=r"^For 'batch', the '"):
        Own([1, 2]).batch(*arguments)


def test_the_dataset_of_a_training_is_kept():
    data = Own([1])
    assert _set_training_dataset(data) is None and _get_training_dataset() is data
