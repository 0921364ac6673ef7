"""Rows of array manipulation, indexing and scatter, and of what makes arrays."""

import numpy as np
from conformance.cases.operations.draw import (
    axis_of,
    below,
    bools,
    distinct,
    number,
    one_of,
    order_of_axes,
    reals,
    size,
    told,
    whole,
    wholes,
    written,
)
from conformance.cases.operations.row import Kind, Row

ANY = {"edges": True, "others": True}
OTHERS = {"others": True}


def _reshaped(d):
    """Another shape of the same size."""
    count = d["x"].size
    return (1, count) if d.rng.random() < 0.5 else (count, 1, 1)


def _grown(d):
    """A shape that x broadcasts to."""
    return (2, *(d.length("c") if n == 1 else n for n in d["x"].shape))


def _repeats(d):
    return tuple(int(n) for n in d.rng.integers(1, 4, d["x"].ndim))


def _span(d):
    """A start and a length along axis 1 of x."""
    start = int(d.rng.integers(0, d["x"].shape[1]))
    return start, int(d.rng.integers(1, d["x"].shape[1] - start + 1))


def _one_axis(d):
    """An axis of length 1, which x is given."""
    axis = int(d.rng.integers(0, 3))
    d["x"] = d.rng.uniform(-2, 2, (*d.shape("m k")[:axis], 1, *d.shape("m k")[axis:]))
    return axis


SHAPES = [
    Row(
        "ops.reshape(x, s) | ops.Reshape()(x, s) | x.reshape(s) | x.view(s) | x.reshape(-1)",
        x=reals(),
        s=told(_reshaped),
        **ANY,
    ),
    Row(
        "ops.transpose(x, p) | ops.Transpose()(x, p) | ops.permute(x, p) | x.transpose(p) | x.permute(*p)",
        x=reals("*"),
        p=order_of_axes("x"),
        **ANY,
    ),
    Row("x.T | x.transpose()", x=reals("m k n"), **ANY),
    Row(
        "ops.expand_dims(x, a) | ops.ExpandDims()(x, a) | x.expand_dims(a) | ops.unsqueeze(x, a) | x.unsqueeze(a)",
        x=reals("*"),
        a=axis_of("x"),
        **ANY,
    ),
    Row("ops.squeeze(x) | ops.Squeeze()(x) | x.squeeze()", x=reals("m 1 k"), **ANY),
    Row("ops.squeeze(x, a) | ops.Squeeze(a)(x) | x.squeeze(a)", a=told(_one_axis), x=lambda d: d["x"], **ANY),
    Row(
        "ops.flatten(x) | x.flatten() | ops.flatten(x, start_dim=1, end_dim=2) | ops.ravel(x) | x.ravel()",
        x=reals("b m k n"),
        **ANY,
    ),
    Row("ops.broadcast_to(x, s) | ops.BroadcastTo(s)(x) | x.broadcast_to(s)", x=reals("m 1 k"), s=told(_grown), **ANY),
    Row("ops.expand(x, s) | x.expand(s)", x=reals("m 1 k"), s=lambda d: np.array(_grown(d), np.int32)),
    Row("x.expand_as(y)", x=reals("1 k"), y=reals("m k")),
    Row("x.view_as(y)", x=reals("m k"), y=reals("k m")),
    Row("ops.tile(x, s) | ops.Tile()(x, s) | x.tile(s)", x=reals("m k"), s=told(_repeats), **ANY),
    Row(
        "ops.swapaxes(x, a, b) | x.swapaxes(a, b) | ops.swapdims(x, a, b) | x.swapdims(a, b)",
        x=reals("m k n"),
        a=axis_of("x"),
        b=axis_of("x"),
    ),
    Row(
        "ops.moveaxis(x, a, b) | x.moveaxis(a, b) | ops.movedim(x, a, b) | x.movedim(a, b)",
        x=reals("m k n"),
        a=axis_of("x"),
        b=axis_of("x"),
    ),
    Row("ops.atleast_1d(x)", x=reals("")),
    Row("ops.atleast_2d(x)", x=reals("m")),
    Row("ops.atleast_3d(x)", x=reals("m k")),
]
JOINED = [
    Row(
        "ops.concat((x, y), a) | ops.Concat(a)((x, y)) | ops.cat((x, y), a)",
        x=reals("m k n"),
        y=reals("m k n"),
        a=axis_of("x"),
        **ANY,
    ),
    Row("ops.stack((x, y), a) | ops.Stack(a)((x, y))", x=reals("m k n"), y=reals("m k n"), a=axis_of("x"), **ANY),
    Row("ops.unstack(x, a) | ops.Unstack(a)(x) | ops.unbind(x, a) | x.unbind(a)", x=reals("m k n"), a=axis_of("x")),
    Row("ops.hstack((x, y)) | ops.dstack((x, y))", x=reals("m k"), y=reals("m k")),
    Row("ops.vstack((x, y)) | ops.column_stack((x, y))", x=reals("m k"), y=reals("m k")),
    Row(
        "ops.split(x, 2, 1) | ops.Split(1, 2)(x) | x.split(2, 1) | ops.chunk(x, 2, 1) | x.chunk(2, 1)", x=reals("m 4 n")
    ),
    Row("ops.split(x, [1, 3], 1) | ops.tensor_split(x, (1, 3), 1) | x.tensor_split(2, 1)", x=reals("m 4 n")),
    Row("ops.hsplit(x, 2) | x.hsplit(2)", x=reals("m 4 2")),
    Row("ops.vsplit(x, 2) | x.vsplit(2)", x=reals("4 k 2")),
    Row("ops.dsplit(x, 2) | x.dsplit(2)", x=reals("m k 4")),
    Row("ops.meshgrid(x, y) | ops.Meshgrid()((x, y)) | ops.meshgrid(x, y, indexing='ij')", x=reals("m"), y=reals("k")),
]
TURNED = [
    Row(
        "ops.flip(x, a) | x.flip(a) | ops.reverse(x, a) | ops.ReverseV2(a)(x)",
        x=reals("m k n"),
        a=lambda d: (axis_of("x")(d),),
        **ANY,
    ),
    Row("ops.fliplr(x) | x.fliplr() | ops.flipud(x) | x.flipud()", x=reals("m k")),
    Row("ops.rot90(x, n, (0, 1)) | x.rot90(n, (0, 1))", x=reals("m k"), n=whole(-3, 4)),
    Row("ops.roll(x, n, 1) | ops.Roll(n, 1)(x) | x.roll(n, 1)", x=reals("m k n"), n=whole(-5, 6)),
    Row(
        "ops.repeat_interleave(x, n, a) | x.repeat_interleave(n, a) | ops.repeat_elements(x, n, 0)",
        x=reals("m k"),
        n=whole(1, 4),
        a=axis_of("x"),
    ),
    Row("x.repeat(n, a)", x=reals("m k"), n=whole(1, 4), a=axis_of("x")),
    Row(
        "ops.reverse_sequence(x, n, 1) | ops.ReverseSequence(1)(x, n) | x.reverse_sequence(n, 1)",
        x=reals("m K"),
        n=lambda d: d.rng.integers(1, d.length("K") + 1, d.length("m")).astype(np.int32),
    ),
    Row("ops.SpaceToDepth(2)(x)", x=reals("n c 4 2")),
    Row("ops.DepthToSpace(2)(x)", x=reals("n 8 h w")),
    Row(
        "ops.space_to_batch_nd(x, [2, 2], [[0, 2], [2, 0]]) | ops.SpaceToBatchND([2, 2], [[0, 2], [2, 0]])(x)",
        x=reals("n c 4 2"),
    ),
    Row(
        "ops.batch_to_space_nd(x, [2, 2], [[0, 1], [1, 0]]) | ops.BatchToSpaceND([2, 2], [[0, 1], [1, 0]])(x)",
        x=reals("4 c 3 2"),
    ),
    Row("ops.pixel_shuffle(x, 2)", x=reals("n 8 h w")),
    Row("ops.pixel_unshuffle(x, 2)", x=reals("n c 4 2")),
    Row(
        "ops.pad(x, p) | ops.pad(x, p, 'constant', 1.5)",
        x=reals("m k n"),
        p=lambda d: [int(n) for n in d.rng.integers(0, 3, 4)],
    ),
    Row(
        "ops.pad(x, p, m)",
        x=reals("n 3 4 5"),
        p=lambda d: [int(n) for n in d.rng.integers(0, 3, 4)],
        m=one_of("reflect", "replicate"),
    ),
    Row("ops.Pad(((1, 0), (2, 1)))(x)", x=reals("m k")),
    Row(
        "ops.MirrorPad(m)(x, p)",
        x=reals("3 4"),
        p=lambda d: d.rng.integers(0, 3, (2, 2)).astype(np.int32),
        m=one_of("REFLECT", "SYMMETRIC"),
    ),
]
PARTS = [
    Row("ops.slice(x, (0, n), (1, 2)) | ops.Slice()(x, (0, n), (1, 2))", x=reals("m K"), n=whole(0, 3)),
    Row(
        "ops.strided_slice(x, (0, 3), (1, 0), (1, -1)) | ops.StridedSlice()(x, (0, 3), (1, 0), (1, -1))", x=reals("m K")
    ),
    Row("ops.strided_slice(x, (0, 1), (1, 4), (1, 2))", x=reals("m K")),
    Row("ops.narrow(x, 1, *s) | x.narrow(1, *s)", x=reals("m K"), s=told(_span)),
    Row("x[0] | x[:, -1] | x[..., 1:] | x[::2] | x[None, 0] | x[:, [0, 1]]", x=reals("m K n"), others=True),
    Row("x[i] | x[:, i] | x[i, 0] | x[i, i]", x=reals("K K"), i=below(4, "m"), others=True),
    Row("x[c]", x=reals("m k"), c=lambda d: np.array(d.rng.random(d.shape("m k")) < 0.7), grad=False),
    Row(
        "ops.gather(x, i, a) | ops.Gather()(x, i, a) | x.gather(i, a)",
        x=reals("4 4 4"),
        i=below(4, "m n"),
        a=axis_of("x"),
        **ANY,
    ),
    Row("ops.gather(x, i, 1, 1)", x=reals("m 4 k"), i=below(4, "m n")),
    Row(
        "ops.gather_d(x, 1, i) | ops.GatherD()(x, 1, i) | ops.gather_elements(x, 1, i) | x.gather_elements(1, i)",
        x=reals("m 4"),
        i=below(4, "m n"),
    ),
    Row("ops.gather_nd(x, i) | ops.GatherNd()(x, i) | x.gather_nd(i)", x=reals("4 4 k"), i=below(4, "m 2")),
    Row("ops.index_select(x, 1, i) | x.index_select(1, i)", x=reals("m 4 k"), i=below(4, "n")),
    Row("x.take(i, 1) | x.take(i)", x=reals("m 4"), i=below(4, "n")),
    Row("ops.masked_select(x, c) | ops.MaskedSelect()(x, c) | x.masked_select(c)", x=reals("K K"), c=bools("K K")),
]


def scatters():
    """Scatter into a copy and into a Parameter, by every rule."""
    x, u, i = reals("4 k"), reals("m k"), below(4, "m 1")
    for name in ["update", "add", "sub"]:
        yield Row(
            f"ops.tensor_scatter_{name}(x, i, u) | ops.TensorScatter{name.title()}()(x, i, u)",
            x=x,
            i=order_rows if name == "update" else i,
            u=u,
        )
    for name in ["max", "min", "mul", "div"]:
        method = f" | x.scatter_{name}(i, u)"
        yield Row(
            f"ops.tensor_scatter_{name}(x, i, u) | ops.TensorScatter{name.title()}()(x, i, u){method}",
            x=distinct("4 k"),
            i=order_rows,
            u=lambda d: distinct("m k")(d) + 0.11,
            grad=name in ("max", "min"),
        )
    yield Row("x.scatter_add(i, u) | x.scatter_sub(i, u)", x=x, i=i, u=u)
    for name in ["update", "add", "mul", "div", "max", "min"]:
        yield Row(
            f"ops.scatter_{name}(w, i, u) | ops.Scatter{name.title()}()(w, i, u)",
            w=written(x),
            i=lambda d: order_rows(d)[:, 0],
            u=reals("m k", 0.5, 2),
            grad=False,
        )
    yield Row("ops.ScatterSub()(w, i, u)", w=written(x), i=below(4, "m"), u=u, grad=False)
    for name in ["update", "add", "sub"]:
        yield Row(
            f"ops.scatter_nd_{name}(w, i, u) | ops.ScatterNd{name.title()}()(w, i, u)",
            w=written(x),
            i=order_rows,
            u=u,
            grad=False,
        )


def order_rows(d):
    """Different rows of four, as a column; the letter m says how many."""
    return d.rng.permutation(4)[: d.length("m")].astype(np.int32)[:, None]


SCATTERED = [
    *scatters(),
    Row("ops.scatter_nd(i, u, (4, 5)) | ops.ScatterNd()(i, u, (4, 5))", i=below(4, "m 1"), u=reals("m 5")),
    Row(
        "ops.tensor_scatter_elements(x, i, u, 1, r) | ops.TensorScatterElements(1, r)(x, i, u)",
        x=reals("m 4"),
        i=lambda d: np.stack([d.rng.permutation(4)[:3] for _ in range(d.length("m"))]).astype(np.int32),
        u=reals("m 3"),
        r=one_of("none", "add"),
    ),
    Row(
        "ops.scatter(x, 1, i, u) | x.scatter(1, i, u)",
        x=reals("m 4"),
        i=lambda d: np.stack([d.rng.permutation(4) for _ in range(d.length("m"))]).astype(np.int32),
        u=reals("m 4"),
    ),
    Row(
        "ops.index_add(w, i, u, 0) | ops.IndexAdd(0)(w, i, u)",
        w=written(reals("4 k")),
        i=below(4, "m"),
        u=reals("m k"),
        grad=False,
    ),
    Row("x.index_add(0, i, u, alpha=2)", x=reals("4 k"), i=below(4, "m"), u=reals("m k"), grad=False),
    Row(
        "ops.unsorted_segment_sum(x, i, 4) | ops.UnsortedSegmentSum()(x, i, 4)",
        x=reals("m k"),
        i=below(4, "m"),
        others=True,
    ),
    *(
        Row(
            f"ops.unsorted_segment_{n}(x, i, 4) | ops.UnsortedSegment{n.title()}()(x, i, 4) | "
            f"x.unsorted_segment_{n}(i, 4)",
            x=distinct("5 k"),
            i=lambda d: np.append(d.rng.permutation(4), 2).astype(np.int32),
        )
        for n in ("max", "min", "prod")
    ),
    Row("ops.assign(w, x) | ops.Assign()(w, x)", w=written(reals("m k")), x=reals("m k"), grad=False),
    Row("ops.assign_add(w, x) | ops.AssignAdd()(w, x)", w=written(reals("m k")), x=reals("m k"), grad=False),
    Row("ops.assign_sub(w, x) | ops.AssignSub()(w, x)", w=written(reals("m k")), x=reals("m k"), grad=False),
]
MADE = [
    Row(
        "ops.zeros(s, t) | ops.Zeros()(s, t) | ops.ones(s, t) | ops.Ones()(s, t)",
        s=lambda d: d.shape("m k"),
        t=lambda d: _kind(d),
    ),
    Row(
        "ops.full(s, a, dtype=t) | ops.fill(t, s, a) | ops.Fill()(t, s, a)",
        s=lambda d: d.shape("m k"),
        a=whole(-2, 3),
        t=lambda d: _kind(d),
    ),
    Row("ops.eye(m, k, t) | ops.Eye()(m, k, t)", m=size("m"), k=size("k"), t=lambda d: _kind(d)),
    Row("ops.arange(a, b, k) | ops.arange(n)", a=whole(-3, 3), b=whole(4, 9), k=whole(1, 3), n=whole(1, 9)),
    Row("ops.range(x, y, z) | ops.Range()(x, y, z)", x=below(3, ""), y=wholes(5, 9, ""), z=wholes(1, 3, "")),
    Row(
        "ops.linspace(x, y, n) | ops.LinSpace()(x, y, n)",
        x=reals("", -3, 0),
        y=reals("", 1, 3),
        n=whole(1, 7),
        grad=False,
    ),
    Row(
        "ops.one_hot(i, 5, x, y) | ops.OneHot()(i, 5, x, y) | ops.OneHot(0)(i, 5, x, y)",
        i=below(5, "m"),
        x=reals(""),
        y=reals(""),
        grad=False,
    ),
    Row("ops.sequence_mask(i, 5) | ops.sequence_mask(i)", i=wholes(1, 5, "m")),
    Row("ops.tril_indices(m, k, n) | ops.triu_indices(m, k, n)", m=size("K"), k=size("H"), n=whole(-1, 2)),
    Row("ops.tuple_to_array((1, 2, n)) | ops.TupleToArray()((1, 2, n))", n=whole(-3, 4)),
    Row("ops.scalar_to_tensor(n) | ops.ScalarToTensor()(n, ms.float32)", n=number(-2, 2)),
]


def _kind(d):
    return Kind(["float16", "float32", "int32", "int64"][d.rng.integers(4)])


ROWS = [*SHAPES, *JOINED, *TURNED, *PARTS, *SCATTERED, *MADE]
