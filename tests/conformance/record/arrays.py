"""Record operations on the form of Tensors, and keys of Tensors, of the real MindSpore into ``vectors/arrays.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.arrays [--out FILE]``. A row is an expression in
Python; the reader evaluates the same one. Of a call the file has the values of all Tensors that it gives, of a key
those of ``x[key]`` and of x after ``x[key] = value``; where MindSpore refuses, ``meta`` has the name of the exception.
"""

import argparse
import json
import pathlib

import numpy as np

CALLS = """
ops.gather_nd(x, i([0, 1], [2, 3]))
ops.gather_nd(x, i([2], [0]))
ops.gather_nd(x, f([0.0]))
ops.gather_d(x, 0, i([0, 1, 0, 1]))
ops.gather_elements(x, 1, i([0, 3], [1, 1], [2, 0]))
ops.gather_elements(x, 5, i([0]))
ops.gather_elements(x, 0, i(0))
ops.scatter_nd(i([1], [3], [1]), f(1.0, 2.0, 3.0), (5,))
ops.scatter_nd(i([1], [3]), f(1.0, 2.0, 3.0), (5,))
ops.tensor_scatter_add(x, i([0, 1], [0, 1]), f(1.0, 2.0))
ops.tensor_scatter_sub(x, i([0, 1], [0, 1]), f(1.0, 2.0))
ops.tensor_scatter_mul(x, i([0, 1], [0, 1]), f(3.0, 2.0))
ops.tensor_scatter_div(x, i([0, 1], [0, 1]), f(2.0, 4.0))
ops.tensor_scatter_max(x, i([0, 1], [0, 1]), f(2.0, 4.0))
ops.tensor_scatter_min(x, i([1, 1], [1, 1]), f(2.0, 4.0))
ops.TensorScatterUpdate()(x, i([0, 1], [2, 1]), f(1.0, 2.0))
ops.tensor_scatter_add(x, i([0], [0]), f(1.0, 2.0))
ops.tensor_scatter_elements(x, i([0, 1], [2, 1]), f([1.0, 2.0], [3.0, 4.0]), axis=1)
ops.tensor_scatter_elements(x, i([0, -1], [2, 1]), f([1.0, 2.0], [3.0, 4.0]), axis=0, reduction="add")
ops.tensor_scatter_elements(x, i([0, 1], [2, 1]), f([1.0, 2.0], [3.0, 4.0]), axis=0, reduction="mul")
ops.scatter_update(w(), i(0, 1), f([1.0] * 4, [2.0] * 4))
ops.scatter_add(w(), i(0, 0), f([1.0] * 4, [2.0] * 4))
ops.scatter_mul(w(), i(0, 0), f([1.0] * 4, [2.0] * 4))
ops.scatter_div(w(), i(0, 0), f([1.0] * 4, [2.0] * 4))
ops.scatter_max(w(), i(0, 1), f([1.0] * 4, [20.0] * 4))
ops.scatter_min(w(), i(0, 1), f([1.0] * 4, [20.0] * 4))
ops.ScatterSub()(w(), i(0, 0), f([1.0] * 4, [2.0] * 4))
ops.scatter_nd_update(w(), i([0, 1], [1, 1]), f(1.0, 2.0))
ops.scatter_nd_add(w(), i([0, 1], [0, 1]), f(1.0, 2.0))
ops.scatter_nd_sub(w(), i([0, 1], [0, 1]), f(1.0, 2.0))
ops.index_add(w(), i(0, 2), f([1.0] * 4, [2.0] * 4), 0)
w().index_add(1, i(0, 2), f([1.0] * 2, [2.0] * 2, [3.0] * 2), alpha=2)
ops.unsorted_segment_sum(x, i(0, 2, 0), 4)
ops.unsorted_segment_sum(x, i(0, -1, 0), 2)
ops.unsorted_segment_sum(x, i([0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 2]), 4)
ops.unsorted_segment_sum(x, i(0, 1), 4)
ops.unsorted_segment_sum(x, i(0, 1, 2), 0)
ops.unsorted_segment_max(x, i(0, 2, 0), 4)
ops.unsorted_segment_min(x, i(0, 2, 0), 4)
ops.unsorted_segment_prod(x, i(0, 2, 0), 4)
ops.unsorted_segment_max(i(1, 2, 3), i(0, 2, 0), 4)
ops.sort(y)
ops.sort(y, descending=True)
ops.sort(x, axis=0, descending=True)
ops.sort(i(3, 1, 2))
ops.sort(x, 5)
ops.sort(x, 0.0)
ops.topk(y, 2)
ops.topk(y, 2, largest=False)
ops.topk(y, 9)
ops.topk(y, 0)
ops.topk(y, 1.0)
ops.topk(x, 2, dim=0)
ops.topk(i(3, 1, 2), 2)
ops.top_k(x, 2)
ops.argsort(y)
ops.argsort(y, descending=True)
ops.unique(y)
ops.unique(i([3, 1], [3, 2]))
ops.intopk(f([0.1, 0.5, 0.4], [0.3, 0.3, 0.4]), i(2, 5), 2)
ops.searchsorted(i(1, 3, 5), i(2, 3, 9))
ops.searchsorted(f(1.0, 3.0, 5.0), f(2.0, 3.0, 9.0), right=True, out_int32=True)
ops.searchsorted(f([1.0, 3.0, 5.0], [2.0, 4.0, 6.0]), f([2.0, 3.0, 9.0], [2.0, 4.0, 1.0]))
x[0].searchsorted(f(2.0, 3.0, 9.0))
x[0].searchsorted(2, side="right")
x[0].searchsorted(3, side="up")
ops.masked_select(x, x > 5)
ops.masked_select(x, Tensor([True, False, True, False]))
ops.masked_select(x, i(1, 0, 1, 0))
ops.masked_select(x, Tensor([True, False]))
ops.masked_fill(x, x > 5, 1.0)
ops.masked_fill(x, x > 5, Tensor(1.0))
ops.MaskedFill()(i(1, 2), Tensor([True, False]), Tensor(5, ms.int32))
ops.MaskedFill()(x, x, 1.0)
ops.nonzero(x > 9)
ops.nonzero(Tensor(1.0))
ops.where(x > 5, x, -x)
ops.where(x > 5, 1.0, x)
ops.where(x > 5, 1, 0)
ops.range(Tensor(0, ms.int32), Tensor(10, ms.int32), Tensor(3, ms.int32))
ops.range(Tensor(0.0), Tensor(1.0), Tensor(0.3))
ops.range(Tensor(5), Tensor(0), Tensor(-2))
ops.range(Tensor(0), Tensor(10), Tensor(0))
ops.range(Tensor(0), Tensor(10), Tensor(-1))
ops.range(Tensor(0), Tensor(10.0), Tensor(1))
ops.linspace(0, 1, 5)
ops.linspace(Tensor(-1.0), Tensor(2.0), 7)
ops.linspace(0.0, 1.0, 1)
ops.linspace(0, 1, 0)
ops.linspace(0.0, 1.0, 2.0)
ops.tril(x)
ops.tril(x, 1)
ops.triu(x, -1)
ops.tril(y)
ops.tril(x, 1.0)
ops.tril(Tensor([[True, True], [True, True]]))
ops.meshgrid(i(1, 2), i(3, 4, 5))
ops.meshgrid(i(1, 2), i(3, 4, 5), indexing="ij")
ops.meshgrid(i(1, 2), f(3.0, 4.0))
ops.meshgrid(i(1, 2))
ops.meshgrid(i(1, 2), i(3, 4, 5), indexing="zz")
ops.ReverseV2([0])(x)
ops.reverse(x, [0, 1])
ops.reverse(x, [0, -2])
ops.flip(x, (0,))
ops.flip(x, 0)
ops.flip(x, (0, 3))
ops.fliplr(x)
ops.flipud(x)
ops.rot90(x, 1, (0, 1))
ops.rot90(x, 3, (1, 0))
ops.repeat_interleave(x, 2, 0)
ops.repeat_interleave(x, 2)
ops.repeat_interleave(x, -1, 0)
ops.repeat_interleave(x, 2, 5)
ops.repeat_elements(x, 2, 1)
ops.repeat_elements(x, 0, 0)
x.repeat(2)
x.repeat([1, 2, 0], 0)
x.repeat([2, 3])
x.repeat(1.0)
ops.unstack(x)
ops.unstack(x, 1)
ops.unstack(x, 5)
ops.unbind(x, 1)
ops.Unstack(axis=0, num=2)(x)
ops.strided_slice(x, (0, 1), (3, 4), (2, 2))
ops.strided_slice(x, (2, 3), (0, 0), (-1, -2))
ops.strided_slice(x, (0, 1), (3, 4), (1, 1), shrink_axis_mask=1)
ops.strided_slice(x, (0, 1), (3, 4), (1, 1), begin_mask=2, end_mask=1)
ops.strided_slice(x, (0, 1), (3, 4), (1, 1), ellipsis_mask=1)
ops.strided_slice(x, (1,), (9,), (1,))
ops.strided_slice(x, (5, 1), (9, 3), (1, 1))
ops.strided_slice(x, (1, 1), (3, 3), (0, 1))
ops.strided_slice(x, (1, 1), (3,), (1, 1))
ops.strided_slice(x, [1, 1], [3, 3], [1, 1])
ops.slice(x, (0, 1), (2, 2))
ops.slice(x, [0, 1], [2, -1])
ops.slice(x, (0, 1), (2, 9))
ops.slice(x, (0,), (2,))
ops.SpaceToDepth(2)(x.reshape(1, 1, 2, 6))
ops.DepthToSpace(2)(x.reshape(1, 12, 1, 1))
ops.SpaceToDepth(3)(x.reshape(1, 1, 2, 6))
ops.SpaceToDepth(1)
ops.SpaceToDepth(2.0)
ops.SpaceToDepth(2)(x)
ops.batch_to_space_nd(x.reshape(4, 1, 1, 3), [2, 2], [[0, 1], [1, 0]])
ops.space_to_batch_nd(x.reshape(1, 1, 3, 4), [2, 2], [[1, 0], [0, 2]])
ops.reverse_sequence(x, i(1, 2, 4), 1)
ops.reverse_sequence(x, i(1, 2), 1)
ops.reverse_sequence(x, i(1, 2, 3), 0)
ops.chunk(x, 2)
ops.chunk(x, 9, 1)
ops.chunk(x, 0, 1)
ops.chunk(x, 1.5)
ops.split(x, 3, 1)
ops.split(x, [1, 3], 1)
ops.split(x, [1, 2], 1)
ops.split(x, [1, -1], 1)
ops.split(x, 0)
ops.tensor_split(x, 3, 1)
ops.tensor_split(x, [1, 3], 1)
ops.tensor_split(x, [1, 9], 1)
ops.hsplit(x, 2)
ops.vsplit(x, 3)
ops.swapaxes(x, 0, 1)
ops.swapaxes(x, 0, 2)
ops.swapdims(x, 0, -1)
ops.moveaxis(x.reshape(2, 3, 2), 0, 2)
ops.movedim(x.reshape(2, 3, 2), (0, 1), (2, 0))
ops.movedim(x, (0, 1), (1,))
ops.moveaxis(x, 0, 5)
ops.diag(y)
ops.diag(x)
ops.diag(Tensor(1.0))
ops.DiagPart()(f([1.0, 2.0], [3.0, 4.0]))
ops.diagonal(x)
ops.diagonal(x, 1)
ops.diagonal(x, -9)
ops.sequence_mask(i(1, 3, 0))
ops.sequence_mask(i([1, 3], [0, 2]), 4)
ops.sequence_mask(i(1, 3, 0), 2)
ops.sequence_mask([1, 2])
ops.sequence_mask(i(1, 2), -1)
ops.sequence_mask(i(1, 2), 2.0)
ops.cumsum(x, 0)
ops.cumsum(x, -1)
ops.cumsum(i(1, 2, 3), 0)
ops.cumsum(Tensor([True, True]), 0)
ops.cumsum(x, 0, ms.float16)
ops.cumsum(x, 3)
ops.cumsum(x, 0.5)
x.cumsum()
x.cumsum(1)
Tensor([True, True]).cumsum()
ops.CumSum(exclusive=True)(y, 0)
ops.CumSum(reverse=True)(y, 0)
ops.CumSum(True, True)(y, 0)
ops.cumprod(y, 0)
ops.cumprod(y, 0, ms.int32)
ops.CumProd(True, True)(y, 0)
ops.cumprod(x, 5)
ops.cummax(y, 0)
ops.cummin(y, 0)
ops.cummax(i(3, 1, 3, 2), 0)
ops.cummax(x, axis=4)
ops.bincount(i(1, 1, 3))
ops.bincount(i(1, 1, 3), minlength=6)
ops.bincount(i(1, 1, 3), weights=f(0.5, 1.0, 2.0))
ops.bincount(x)
ops.histc(y, 4, 0.0, 4.0)
ops.histc(y, 4)
ops.atleast_1d(Tensor(1.0))
ops.atleast_2d([Tensor(1.0), y])
ops.atleast_3d([Tensor(1.0), y, x])
ops.atleast_1d((x, 1))
ops.hstack([x, x])
ops.hstack([y, y])
ops.hstack((Tensor(1.0), Tensor(2.0)))
ops.hstack(x)
ops.vstack([y, y])
ops.vstack([])
ops.dstack([y, y])
ops.dstack([x, x])
ops.column_stack([y, y])
ops.cat([x, x], -1)
ops.permute(x, (1, 0))
ops.ravel(x)
ops.dyn_shape(x)
ops.tuple_to_array((1, 2, 3))
ops.tuple_to_array((1.0, 2.0))
ops.scalar_to_tensor(1)
ops.scalar_to_tensor(1, ms.int32)
ops.full_like(x, 2)
ops.full_like(i(1, 2), 2.5)
ops.full((2,), 2)
ops.full((2,), True)
ops.full((2,), 2.5)
ops.full(2, 2)
ops.ones_like(x, dtype=ms.int32)
ops.zeros_like(x, dtype=ms.float16)
ops.tril_indices(3, 3)
ops.triu_indices(3, 4, 1)
ops.index_select(x, 1, i(2, 0))
ops.index_select(x, 0, i([2, 0]))
ops.index_fill(x, 1, i(0, 2), 1.5)
x.index_fill(0, i(0), 1.5)
x.fill(2.0)
x.diagonal(offset=1, axis1=0, axis2=1)
x.repeat_interleave(2, dim=1)
ops.arange(0, 6, 2)
ops.gather(x, i([0, 1], [2, 3], [0, 0]), 1, 1)
ops.narrow(x, 1, 1, 2)
x.take(i(2, 0))
x.take(i(-1, 99))
x.take(i(-1, 99), mode="wrap")
x.take(i([-1, 9]), 0)
x.expand_as(ops.zeros((2, 3, 4)))
x.view_as(ops.zeros((2, 6)))
x.flatten(start_dim=1)
x.scatter_add(i([0], [1]), f([1.0] * 4, [2.0] * 4))
x.scatter_mul(i([0], [1]), f([1.0] * 4, [2.0] * 4))
ms.grad(lambda a, u: ops.tensor_scatter_max(a, i([0, 0], [0, 0]), u).sum(), (0, 1))(x, f(5.0, 9.0))
ms.grad(lambda a, u: ops.tensor_scatter_max(a, i([0, 0], [0, 1]), u).sum(), (0, 1))(x, f(0.0, 1.0))
ms.grad(lambda a, u: ops.TensorScatterUpdate()(a, i([0, 0], [0, 1]), u).sum(), (0, 1))(x, f(3.0, 4.0))
ms.grad(lambda a: ops.unsorted_segment_max(a, i(0, 0, 1, 1, 1), 2).sum())(y)
ms.grad(lambda a: ops.unsorted_segment_prod(a, i(0, 0, 1, 1, 1), 2).sum())(y)
ms.grad(lambda a: ops.unsorted_segment_sum(a, i(0, -1, 1, 1, 1), 2).sum())(y)
ms.grad(lambda a: ops.topk(a, 2)[0].sum())(y)
ms.grad(lambda a: ops.cumprod(a, 0).sum())(y)
ms.grad(lambda a: ops.masked_select(a, a > 1.5).sum())(y)
ms.grad(lambda a: ops.gather_elements(a, 0, i([0, 0, 0, 0], [0, 1, 1, 1])).sum())(x)
"""
KEYS = """
0
-1
-4
True
None
...
:
1:
:-1
::2
5:
2:1
::-1
2:0:-1
::0
1:2, 1:3
1, 2
1, -1
1, 1, 1
1, 1, 1, 1
..., 1
1, ...
..., 1, ...
None, 1
1, None
:, None
..., None
1:, 1
[0, 2]
[0, -1]
[0, 5]
[True, False, True]
[[0, 1], [2, 0]]
[[0, 1]]
[0, None]
[slice(0, 1)]
(0, 1), [1, 2]
[0, 1], :, [1, 0]
:, [0, 1], [1, 0]
[0, 1], 1
1, [0, 1]
[0, 1], None
..., [0, 1]
1:, [0, 1]
[[0], [1]], [0, 1]
[0, 1], [1, 2, 0]
:, [[0, 1], [2, 0]]
T(0)
T(-1)
T([0, -1])
T([[0, 1], [2, 0]])
T([0, 1]), :, T([1, 0])
:, T([0, 1])
1, T([0, 1])
T([0, 1]), None
T([0, 1]), 1:
T(1), T(2)
[0, 1], T([1, 2])
T([1.0])
T([True, False, True])
T([True, False])
T([False, False, False])
T([[True, False, True, False]] * 3)
T([True, False, True]), 1
T([True, False, True]), T([0, 1])
:, T([True, False, True, True])
T([True, False, True]), T([True, True, False, False])
x > 5
x > 99
True, 1
1.0
"a"
range(2)
slice(T(0), T(2))
(0,)
()
((0, 1),)
-1:-3:-1
:, ::-1
-9:9
T([0, 2], "int64")
np.array([0, 2])
"""
VALUES = """
0 = [[1, 2], [3, 4], [5, 6], [7, 8]]
0 = (1, 2)
0 = [1, 2, 3]
0, 0 = [9, 8]
0:2 = T([1.0, 2.0])
0 = T([[[1.0, 2.0]]])
0 = T([1, 2])
0 = True
0 = None
0 = "a"
T([0, 0]), 0, 0 = T([1.0, 2.0])
T([0, 2]) = T([[1.0, 2.0]])
x > 20 = T([1.0, 2.0, 3.0])
x > 20 = T([1.0, 2.0])
x > 20 = 5
T([True, False, True]), 0 = T([[1.0, 2.0], [3.0, 4.0]])
..., 1 = T([1.0, 2.0, 3.0, 4.0])
None = T([1.0, 2.0])
1:, 1:3 = [1, 2]
[0, 1] = 7.5
"""


def names(ms):
    """What the expressions speak of."""

    def tensor(kind):
        return lambda *values: ms.Tensor(np.array(values, kind))

    def key(values, dtype=None):
        array = np.array(values, dtype)
        narrow = {"i": np.int32, "f": np.float32}.get(array.dtype.kind, array.dtype)
        return ms.Tensor(array if dtype else array.astype(narrow))

    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    return {
        "__name__": __name__,  # MindSpore asks a function for its module
        "ms": ms,
        "np": np,
        "ops": ms.ops,
        "Tensor": ms.Tensor,
        "i": tensor(np.int32),
        "f": tensor(np.float32),
        "T": key,
        "x": ms.Tensor(x),
        "y": ms.Tensor(np.array([3.0, 1.0, 2.0, 3.0, 1.0], np.float32)),
        "w": lambda: ms.Parameter(ms.Tensor(x.copy()), name="w"),
    }


def called(ms, row):
    """The arrays of all Tensors that an expression gives."""
    out = eval(row, names(ms))
    return [np.array(t.asnumpy()) for t in (out if isinstance(out, (tuple, list)) else (out,))]


def indexed(ms, row):
    """What stands at a key, or, for a row with a value, what becomes of x by assignment."""
    scope = {**names(ms), "x": ms.Tensor(np.arange(24, dtype=np.float32).reshape(3, 4, 2))}
    if " = " not in row:
        return [np.array(eval(f"x[{row}]", scope).asnumpy())]
    key, value = row.split(" = ")
    exec(f"x[{key}] = {value}", scope)
    return [np.array(scope["x"].asnumpy())]


def rows():
    """``(how it is run, the expressions)``, kind by kind."""
    keys = KEYS.strip().split("\n")
    return {
        "call": (called, CALLS.strip().split("\n")),
        "get": (indexed, keys),
        "set": (indexed, [f"{key} = -1.0" for key in keys] + VALUES.strip().split("\n")),
    }


def main():
    """The command line."""
    import mindspore as ms

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors" / "arrays.npz"
    )
    path, out, refused = parser.parse_args().out, {}, {}
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    for kind, (run, expressions) in rows().items():
        for row in expressions:
            try:
                found = run(ms, row)
            except Exception as error:
                refused[f"{kind}: {row}"] = type(error).__name__
                continue
            out.update({f"{kind}: {row}|{j}": array for j, array in enumerate(found)})
    out["meta"] = np.array(json.dumps({"mindspore": ms.__version__, "refused": refused}))
    np.savez_compressed(path, **out)
    print(f"{path.name}: {path.stat().st_size / 1e3:.0f} KB, {len(out)} arrays, {len(refused)} refusals")


if __name__ == "__main__":
    main()
