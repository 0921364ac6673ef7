"""DatasetHelper and data_sink: passes over a data set."""

import numpy as np
import pytest

from minispore import dataset, nn, train


def rows(n=3):
    return dataset.NumpySlicesDataset({"x": np.arange(float(n))}, shuffle=False)


def test_each_loop_over_a_helper_is_the_next_epochs():
    helper = train.DatasetHelper(rows(), False, epoch_num=2)
    assert [[float(x) for (x,) in helper] for _ in range(2)] == [[0, 1, 2]] * 2
    assert helper.sink_size() == 3 and train.DatasetHelper(rows(), sink_size=7).sink_size() == 7
    assert helper.types_shapes() == helper.get_data_info() == ([np.dtype(float)], [[]])


def test_a_helper_refuses_wrong_arguments():
    for kind, arguments in (
        (TypeError, (1,)),
        (TypeError, (rows(), 1)),
        (ValueError, (rows(), False, 0)),
        (TypeError, (rows(), False, "a")),
        (ValueError, (rows(), False, -1, 0)),
    ):
        with pytest.raises(kind, match="For 'DatasetHelper'"):
            train.DatasetHelper(*arguments)


def test_a_network_is_connected_in_sink_mode_only():
    network = nn.ReLU()
    assert train.connect_network_with_dataset(network, train.DatasetHelper(rows())) is network
    with pytest.raises(RuntimeError, match="dataset_sink_mode=True"):
        train.connect_network_with_dataset(network, train.DatasetHelper(rows(), False))
    with pytest.raises(TypeError, match="'dataset_helper' must be a DatasetHelper"):
        train.connect_network_with_dataset(network, rows())


@pytest.mark.parametrize("size, lasts", [(1, [0, 1, 2, 0]), (2, [1, 0, 2, 1]), (5, [1, 0, 2, 1])])
def test_each_call_of_a_sink_takes_the_next_rows_and_begins_anew_at_the_end(size, lasts):
    taken = []
    step = train.data_sink(lambda x: taken.append(float(x)) or float(x), rows(), size)
    assert [step() for _ in range(4)] == lasts
    assert taken == [float(i % 3) for i in range(4 * size)]


def test_a_sink_refuses_wrong_arguments_and_empty_data():
    for kind, call in (
        (TypeError, lambda: train.data_sink(1, rows())),
        (TypeError, lambda: train.data_sink(print, 1)),
        (ValueError, lambda: train.data_sink(print, rows(), 0)),
        (ValueError, train.data_sink(print, rows(1).skip(1))),
    ):
        with pytest.raises(kind, match="For 'data_sink'"):
            call()
