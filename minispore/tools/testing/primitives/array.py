"""Lines for the operations on the form of Tensors: scattering, order, running totals, cutting, masks, grids, blocks."""

import numpy as np

from minispore import ops
from minispore.ops.operations.array import tensor_info
from minispore.tools.testing.primitives.case import below, bools, distinct, line, nonzero, number, old, positive, reals

_DATA = "the shape depends on data, so that the host must look"
_PLACES = "the other output holds places, in whole numbers"
_ROWS = np.array([[1, 0], [0, 2], [1, 0], [2, 2]])  # one element of (3, 3) twice
_TWICE = np.array([2, 0, 2])


def _constant(array):
    return lambda rng: np.array(array)


def _at(ufunc, key):
    """The oracle of a combination with a copy, one value after another."""

    def oracle(x, indices, updates):
        out = np.array(x)
        ufunc.at(out, key(indices), updates)
        return out

    return oracle


def _rows(indices):
    return tuple(np.moveaxis(indices, -1, 0))


def _update(x, indices, updates, key=_rows):
    out = np.array(x)
    out[key(indices)] = updates
    return out


def _of_rows(indices):
    return (indices,)


def _added(indices, updates, shape):
    out = np.zeros(shape)
    np.add.at(out, _rows(indices), updates)
    return out


def _put_along(x, indices, updates, axis=0, add=False):
    out = np.array(x)
    key = list(np.ogrid[tuple(slice(n) for n in indices.shape)])
    key[axis] = indices
    if add:
        np.add.at(out, tuple(key), updates)
    else:
        out[tuple(key)] = updates
    return out


def _segments(reduce, empty):
    def oracle(x, ids, count):
        out = np.full((count, *x.shape[ids.ndim :]), float(empty))
        for i in range(count):
            if (ids == i).any():
                out[i] = reduce(x[ids == i], 0)
        return out

    return oracle


def _sorted(axis, descending):
    def oracle(x):
        order = np.argsort(-x if descending else x, axis, kind="stable")
        return np.take_along_axis(x, order, axis), order

    return oracle


def _top(x, k):
    return tuple(y[..., :k] for y in _sorted(-1, True)(x))


def _running(function, exclusive, reverse):
    def oracle(x, axis):
        x = np.flip(x, axis) if reverse else x
        out = function(x, axis)
        if exclusive:
            first = np.full_like(np.take(out, [0], axis), function is np.cumprod)
            out = np.concatenate([first, np.delete(out, -1, axis)], axis)
        return np.flip(out, axis) if reverse else out

    return oracle


def _extremes(ufunc, axis):
    def oracle(x):
        values, count = ufunc.accumulate(x, axis), x.shape[axis]
        numbers = np.arange(count).reshape([-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])
        return values, np.maximum.accumulate(np.where(x == values, numbers, 0), axis)

    return oracle


def _reversed(x, lengths):
    out = np.array(x)
    for i, n in enumerate(lengths):
        out[i, :n] = x[i, :n][::-1]
    return out


def _unique(x):
    values = list(dict.fromkeys(x.ravel().tolist()))
    return np.array(values), np.vectorize(values.index)(x)


def _to_depth(x):
    return np.concatenate([x[:, :, i::2, j::2] for i in range(2) for j in range(2)], 1)


def _to_space(x):
    out = np.zeros((x.shape[0], x.shape[1] // 4, 2 * x.shape[2], 2 * x.shape[3]))
    for i in range(4):
        depth = x.shape[1] // 4
        out[:, :, i // 2 :: 2, i % 2 :: 2] = x[:, i * depth : (i + 1) * depth]
    return out


def _to_batch(x):
    x = np.pad(x, ((0, 0), (0, 0), (1, 0), (0, 2)))
    return np.concatenate([x[:, :, i::2, j::3] for i in range(2) for j in range(3)])


def _from_batch(x):
    n = len(x) // 6
    out = np.zeros((n, x.shape[1], 2 * x.shape[2], 3 * x.shape[3]))
    for i in range(6):
        out[:, :, i // 3 :: 2, i % 3 :: 3] = x[i * n : (i + 1) * n]
    return out[:, :, 1:, :-1]


def _bands(x1, x2, k):
    return np.array([(row > row[c]).sum() < k for row, c in zip(x1, x2, strict=True)])


# fmt: off
def _of_each(x, i, axis):
    return np.stack([np.take(a, b, axis - 1) for a, b in zip(x, i, strict=True)])


SCATTER = [
    line(ops.GatherNd(), reals(3, 4, 2), below(3, 5, 2), oracle=lambda x, i: x[_rows(i)]),
    line(ops.GatherNd(), reals(3, 4), below(3, 1), oracle=lambda x, i: x[_rows(i)]),
    line(ops.ScatterNd(), _constant(_ROWS), reals(4, 2), (3, 4, 2), oracle=_added),
    line(ops.GatherD(), reals(3, 4), 1, below(4, 2, 6), oracle=lambda x, dim, i: np.take_along_axis(x[:2], i, dim)),
    line(ops.GatherD(), reals(3, 4), -2, below(3, 5, 4), oracle=lambda x, dim, i: np.take_along_axis(x, i, dim)),
    line(ops.TensorScatterUpdate(), reals(3, 3), _constant(_ROWS), reals(4), oracle=_update),
    line(ops.TensorScatterUpdate(), reals(3, 2), below(3, 4, 1), reals(4, 2), oracle=_update),
    line(ops.TensorScatterAdd(), reals(3, 3), _constant(_ROWS), reals(4), oracle=_at(np.add, _rows), slack=2e-3),
    line(ops.TensorScatterSub(), reals(3, 3), _constant(_ROWS), reals(4), oracle=_at(np.subtract, _rows), slack=2e-3),
    line(ops.TensorScatterMax(), distinct(3, 3), _constant(_ROWS), distinct(4),
         oracle=_at(np.maximum, _rows)),
    line(ops.TensorScatterMin(), distinct(3, 3), _constant(_ROWS), distinct(4),
         oracle=_at(np.minimum, _rows)),
    line(ops.TensorScatterMul(), reals(3, 3), _constant(_ROWS), nonzero(4), oracle=_at(np.multiply, _rows)),
    line(ops.TensorScatterDiv(), reals(3, 3), _constant(_ROWS), nonzero(4), oracle=_at(np.divide, _rows)),
    line(ops.TensorScatterElements(1), reals(3, 4), below(4, 2, 5), reals(2, 5),
         oracle=lambda x, i, u: _put_along(x, i, u, 1)),
    line(ops.TensorScatterElements(-2, "add"), reals(3, 4), below(3, 5, 4), reals(5, 4), slack=4e-3,
         oracle=lambda x, i, u: _put_along(x, i, u, 0, add=True)),
]
UPDATES = [
    line(ops.ScatterUpdate(), reals(3, 2), _constant(_TWICE), reals(3, 2), oracle=lambda *a: _update(*a, _of_rows)),
    line(ops.ScatterAdd(), reals(3, 2), _constant(_TWICE), reals(3, 2), oracle=_at(np.add, _of_rows), slack=4e-3),
    line(ops.ScatterSub(), reals(3, 2), _constant(_TWICE), reals(3, 2), oracle=_at(np.subtract, _of_rows), slack=4e-3),
    line(ops.ScatterMul(), reals(3, 2), _constant(_TWICE), nonzero(3, 2), oracle=_at(np.multiply, _of_rows)),
    line(ops.ScatterDiv(), reals(3, 2), _constant(_TWICE), nonzero(3, 2), oracle=_at(np.divide, _of_rows)),
    line(ops.ScatterMax(), reals(3, 2), below(3, 2, 2), reals(2, 2, 2), oracle=_at(np.maximum, _of_rows)),
    line(ops.ScatterMin(), reals(3, 2), below(3, 2, 2), reals(2, 2, 2), oracle=_at(np.minimum, _of_rows)),
    line(ops.ScatterNdUpdate(), reals(3, 3), _constant(_ROWS), reals(4), oracle=_update),
    line(ops.ScatterNdAdd(), reals(3, 3), _constant(_ROWS), reals(4), oracle=_at(np.add, _rows), slack=4e-3),
    line(ops.ScatterNdSub(), reals(3, 3), _constant(_ROWS), reals(4), oracle=_at(np.subtract, _rows), slack=4e-3),
    line(ops.ScatterNdMul(), reals(3, 3), _constant(_ROWS), nonzero(4), oracle=_at(np.multiply, _rows), slack=4e-3),
    line(ops.ScatterNdDiv(), reals(3, 3), _constant(_ROWS), nonzero(4), oracle=_at(np.divide, _rows), slack=4e-3),
    line(ops.ScatterNdMax(), reals(3, 3), _constant(_ROWS), reals(4), oracle=_at(np.maximum, _rows)),
    line(ops.ScatterNdMin(), reals(3, 3), _constant(_ROWS), reals(4), oracle=_at(np.minimum, _rows)),
    line(ops.IndexAdd(1), reals(2, 3), _constant(_TWICE), reals(2, 3), slack=4e-3,
         oracle=_at(np.add, lambda i: (slice(None), i))),
]
SEGMENTS = [
    line(ops.UnsortedSegmentSum(), reals(5, 2), lambda rng: rng.integers(-1, 4, 5), 4, oracle=_segments(np.sum, 0),
         slack=4e-3),
    line(ops.UnsortedSegmentSum(), reals(2, 3), below(4, 2, 3), 4, oracle=_segments(np.sum, 0), slack=4e-3),
    line(ops.UnsortedSegmentMax(), distinct(5, 2), _constant([0, -1, 1, 0, 1]), 2, oracle=_segments(np.max, 0)),
    line(ops.UnsortedSegmentMin(), distinct(5, 2), below(1, 5), 1, oracle=_segments(np.min, 0)),
    line(ops.UnsortedSegmentProd(), nonzero(5, 2), lambda rng: rng.integers(-1, 4, 5), 4, oracle=_segments(np.prod, 1)),
]
ORDER = [
    line(ops.Sort(), distinct(2, 5), oracle=_sorted(-1, False), through=(0,), reason=_PLACES),
    line(ops.Sort(0, True), distinct(4, 3), oracle=_sorted(0, True), through=(0,), reason=_PLACES),
    line(ops.TopK(), distinct(2, 5), 3, oracle=_top, through=(0,), reason=_PLACES),
    line(ops.InTopK(2), reals(4, 3), below(3, 4), oracle=lambda x, c: _bands(x, c, 2)),
    line(ops.SearchSorted(), lambda rng: np.sort(rng.normal(size=5)), reals(2, 3), oracle=np.searchsorted),
    line(ops.SearchSorted(np.int32, right=True), lambda rng: np.sort(rng.integers(0, 4, (2, 5))), below(4, 2, 3),
         oracle=lambda s, v: np.stack([np.searchsorted(*rows, "right") for rows in zip(s, v, strict=True)])),
    line(ops.Unique(), below(4, 2, 4), oracle=_unique, waits=True, reason=_DATA),
]
RUNNING = [
    line(ops.CumSum(), reals(3, 4), -1, oracle=_running(np.cumsum, False, False), slack=4e-3),
    line(ops.CumSum(True, True), reals(3, 4), 0, oracle=_running(np.cumsum, True, True), slack=4e-3),
    line(ops.CumProd(), nonzero(3, 4), 1, oracle=_running(np.cumprod, False, False)),
    line(ops.CumProd(True, True), nonzero(3, 4), 0, oracle=_running(np.cumprod, True, True)),
    line(ops.CumProd(False, True), nonzero(2, 3), 1, oracle=_running(np.cumprod, False, True)),
    line(ops.CumProd(True), nonzero(2, 3), -1, oracle=_running(np.cumprod, True, False)),
    line(ops.Cummax(-1), distinct(3, 5), oracle=_extremes(np.maximum, -1), through=(0,), reason=_PLACES),
    line(ops.Cummin(0), distinct(5, 2), oracle=_extremes(np.minimum, 0), through=(0,), reason=_PLACES),
]
CUTTING = [
    line(ops.StridedSlice(), reals(3, 4), (2, -1), (0, -9), (-1, -2), oracle=lambda x, *_: x[2:0:-1, -1:-9:-2]),
    line(ops.StridedSlice(begin_mask=1, end_mask=8, ellipsis_mask=2, shrink_axis_mask=4), reals(3, 4, 2, 3),
         (1, 0, 1, 1), (2, 0, 9, 2), (1, 1, 1, 1), oracle=lambda x, *_: x[:2, ..., 1, 1:]),
    line(ops.StridedSlice(new_axis_mask=1), reals(3, 4), (0, 1), (0, 3), (1, 1), oracle=lambda x, *_: x[None, 1:3]),
    line(ops.Slice(), reals(3, 4), (1, 0), (-1, 2), oracle=lambda x, *_: x[1:, :2]),
    line(ops.ReverseV2((0, -1)), reals(3, 2, 4), oracle=lambda x: x[::-1, :, ::-1]),
    line(ops.Roll((1, -2), (0, 1)), reals(3, 4), oracle=lambda x: np.roll(x, (1, -2), (0, 1))),
    line(ops.Unstack(1), reals(2, 3), oracle=lambda x: tuple(x.T)),
    line(ops.ReverseSequence(1), reals(3, 4), below(5, 3), oracle=_reversed),
]
MASKS = [
    line(ops.MaskedSelect(), reals(2, 3), bools(3), oracle=lambda x, m: x[:, m].ravel(), waits=True, reason=_DATA),
    line(ops.MaskedSelect(), reals(3), lambda rng: np.array([[True], [False]]), oracle=lambda x, m: x, waits=True,
         reason=_DATA),
    line(ops.MaskedFill(), reals(2, 3), bools(3), reals(), oracle=lambda x, m, v: np.where(m, v, x)),
    line(ops.MaskedFill(), reals(3), bools(2, 1), number(2.0), oracle=lambda x, m, v: np.where(m, v, x)),
    line(ops.NonZero(), below(2, 3, 4), oracle=np.argwhere, waits=True, reason=_DATA),
]
GRIDS = [
    line(ops.Range(), number(1), number(9), number(3), oracle=np.arange, waits=True, reason=_DATA),
    line(ops.Range(), number(1.0), number(6.0), number(1.5), oracle=np.arange, waits=True, reason=_DATA),
    line(ops.LinSpace(), reals(), positive(), 5, oracle=np.linspace),
    line(ops.LinSpace(), reals(2), reals(2), 1, oracle=lambda a, b, n: a[:, None]),
    line(ops.Meshgrid(), reals(2), reals(3), reals(4), oracle=lambda *xs: tuple(np.meshgrid(*xs))),
    line(ops.Meshgrid("ij"), reals(2), reals(3), oracle=lambda *xs: tuple(np.meshgrid(*xs, indexing="ij"))),
    line(ops.Tril(-1), reals(2, 3, 4), oracle=lambda x: np.tril(x, -1)),
    line(ops.Triu(1), reals(3, 4), oracle=lambda x: np.triu(x, 1)),
    line(ops.Diag(), reals(2, 3), oracle=lambda x: np.diag(x.ravel()).reshape(2, 3, 2, 3)),
    line(ops.DiagPart(), reals(2, 3, 2, 3), oracle=lambda x: np.diag(x.reshape(6, 6)).reshape(2, 3)),
]
BLOCKS = [
    line(ops.SpaceToDepth(2), reals(2, 3, 4, 6), oracle=_to_depth),
    line(ops.DepthToSpace(2), reals(2, 8, 2, 3), oracle=_to_space),
    line(ops.SpaceToBatchND([2, 3], [[1, 0], [0, 2]]), reals(2, 2, 3, 4), oracle=_to_batch),
    line(ops.BatchToSpaceND([2, 3], [[1, 0], [0, 1]]), reals(12, 2, 2, 2), oracle=_from_batch),
    line(ops.SpaceToBatch(2, [[1, 0], [0, 1]]), reals(2, 1, 3, 5),
         oracle=lambda x: np.concatenate([np.pad(x, ((0, 0), (0, 0), (1, 0), (0, 1)))[:, :, i::2, j::2]
                                          for i in range(2) for j in range(2)])),
    line(ops.BatchToSpace(2, [[0, 0], [0, 0]]), reals(4, 2, 2, 2),
         oracle=lambda x: x.reshape(2, 2, 2, 2, 2).transpose(2, 3, 0, 4, 1).reshape(1, 2, 4, 4)),
]
# fmt: on
OLD_NAMES = [
    line(old(ops.TensorAdd), reals(2, 3), reals(3), oracle=np.add),
    line(old(ops.GatherV2), reals(4, 3), below(4, 2, 2), 0, oracle=np.take),
    line(ops.SparseGatherV2(), reals(4, 3), below(4, 2, 2), 0, oracle=np.take),
    line(old(ops.Pack, 1), reals(2, 3), reals(2, 3), oracle=lambda *xs: np.stack(xs, 1)),
    line(old(ops.Unpack, 1), reals(2, 3), oracle=lambda x: tuple(x.T)),
    line(
        ops.Gather(1),
        reals(2, 3, 4, 2),
        below(4, 2, 5),
        2,
        oracle=_of_each,
    ),
    line(ops.Gather(2), reals(2, 3, 4), below(4, 2, 3, 2), 2, oracle=lambda x, i, axis: np.take_along_axis(x, i, 2)),
    line(ops.Flatten(), reals(2, 3, 4), oracle=lambda x: x.reshape(2, 12)),
]


def _in_place(combine):
    """Rows 2 and 0 of a copy combined with others, as MindSpore 2.0.0 does it."""

    def oracle(x, v):
        out = np.array(x)
        out[[2, 0]] = combine(out[[2, 0]], v)
        return out

    return oracle


ROW_UPDATES = [
    line(
        ops.InplaceAdd((2, 0)),
        reals(3, 2),
        reals(2, 2),
        oracle=_in_place(np.add),
        wrong=[
            (TypeError, "the 'indices'", lambda: ops.InplaceAdd([0, 2])),
            (TypeError, "the 'indices'", lambda: ops.InplaceAdd((0, 1.5))),
            (ValueError, "the 'indices'", lambda: ops.inplace_add(ops.ones((3, 2)), ops.ones((2, 2)), (0, 5))),
            (ValueError, "the 'indices'", lambda: ops.inplace_update(ops.ones((3, 2)), ops.ones((2, 2)), (-1, 0))),
        ],
    ),
    line(ops.InplaceAdd((1, 1)), reals(3, 2), reals(2, 2), oracle=lambda x, v: x + np.outer([0, 1, 0], v.sum(0))),
    line(ops.InplaceSub((2, 0)), reals(3, 2), reals(2, 2), oracle=_in_place(np.subtract)),
    line(ops.InplaceUpdate(1), reals(3, 2), reals(1, 2), oracle=lambda x, v: np.stack([x[0], v[0], x[2]])),
]
LINES = [*ROW_UPDATES, *OLD_NAMES, *SCATTER, *UPDATES, *SEGMENTS, *ORDER, *RUNNING, *CUTTING, *MASKS, *GRIDS, *BLOCKS]

_FACTS = "it takes or gives what is no Tensor: tests/ops/operations/test_array.py"
_SHOWN = "it returns None: tests/ops/operations/test_output.py"
HELD = dict.fromkeys(tensor_info.__all__, _FACTS) | dict.fromkeys(("Print",), _SHOWN)
