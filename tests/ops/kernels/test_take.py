"""An index out of range: told on the host; on a GPU the nearest element is read, written and added to."""

import numpy as np
import pytest

from minispore import Parameter, Tensor, grad, ops
from minispore.ops.kernels.take import nearest


def test_arrays_of_integers_are_clipped_to_their_own_axis(device):
    mask, column = device.asarray(np.array([True, False])), device.asarray(np.array([9, -9], np.int8))
    row, last = device.asarray(np.array([2, -3, 1])), slice(None)
    for key, shape, expected in (
        ((last, row), (2, 3, 4), [2, -3, 1]),
        ((None, 0, ..., row), (2, 3, 4), [2, -3, 1]),
        ((row,), (2, 3), [1, -2, 1]),
        (row, (1,), [0, -1, 0]),
        ((mask, 1, column), (2, 3, 300), [9, -9]),
        ((mask, column), (2, 3, 300), [2, -3]),
    ):
        found = nearest(device, shape, key)
        if device is np:
            assert found is key
        else:
            assert [part.tolist() for part in found if hasattr(part, "tolist") and part is not mask][-1] == expected


def test_bounds_fit_the_dtype_of_the_indices(device):
    if device is not np:
        key = device.asarray(np.array([200, 255], np.uint8))
        assert nearest(device, (1000,), key)[0].tolist() == [200, 255] and nearest(device, (9,), key)[0].tolist() == [
            8,
            8,
        ]


X = np.arange(6.0).reshape(3, 2)
ROW, FAR = [-4, 1, 3], [[0, 1], [2, 3], [4, 5]]
READS = {
    "x[i]": lambda x, i: x[i],
    "x[:, i]": lambda x, i: x.T[:, i].T,
    "gather": lambda x, i: ops.gather(x, i, 0),
    "gather_nd": lambda x, i: ops.gather_nd(x, i.expand_dims(1)),
    "gather_d": lambda x, i: ops.gather_d(x, 0, i.expand_dims(1).tile((1, 2))),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_where_telling_would_mean_to_wait_the_nearest_is_read_and_gets_the_gradient(read, device):
    x, i = Tensor(X), Tensor(ROW)
    if device is np:
        with pytest.raises((IndexError, ValueError)):
            read(x, i)
        return
    before = getattr(device, "synchronisations", 0)
    found, slope = read(x, i), grad(lambda x: read(x, i).sum())(x)
    assert getattr(device, "synchronisations", 0) == before
    assert found.asnumpy().tolist() == FAR and slope.asnumpy().tolist() == [[1, 1], [1, 1], [1, 1]]


def _set(x, i, v):
    x[i] = v
    return x


WRITES = {
    "x[i] = v": (_set, [[1, 1], [1, 1], [1, 1]]),
    "tensor_scatter_add": (lambda x, i, v: ops.tensor_scatter_add(x, i.expand_dims(1), v), X + 1),
    "tensor_scatter_update": (lambda x, i, v: ops.tensor_scatter_update(x, i.expand_dims(1), v), np.ones((3, 2))),
    "tensor_scatter_elements": (lambda x, i, v: ops.tensor_scatter_elements(x, i.expand_dims(1), v[:, :1], 0), None),
    "scatter_add": (lambda x, i, v: ops.scatter_add(Parameter(x), i, v), X + 1),
    "index_add": (lambda x, i, v: ops.index_add(Parameter(x), i.astype(np.int32), v, 0), X + 1),
}


@pytest.mark.parametrize(("write", "expected"), WRITES.values(), ids=WRITES)
def test_where_telling_would_mean_to_wait_the_nearest_is_written(write, expected, device):
    if device is np:
        with pytest.raises((IndexError, ValueError)):
            write(Tensor(X), Tensor(ROW), Tensor(np.ones((3, 2))))
        return
    found = write(Tensor(X), Tensor(ROW), Tensor(np.ones((3, 2)))).asnumpy()
    np.testing.assert_array_equal(found, np.column_stack((np.ones(3), X[:, 1])) if expected is None else expected)
