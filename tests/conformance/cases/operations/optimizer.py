"""Rows of optimizers' steps: the primitives that make them, and the optimizers themselves."""

import numpy as np
from conformance.cases.operations.draw import number, positive, reals, written
from conformance.cases.operations.row import Row

W, A, G = written(reals("m k")), written(positive("m k")), reals("m k")
RATE, SHARE, SMALL = number(0.01, 0.5), number(0.5, 0.95), number(1e-3, 1e-2)
UPDATES = [
    Row("[ops.ApplyMomentum()(w, m, r, g, s), w][1]", w=W, m=written(reals("m k")), r=RATE, g=G, s=SHARE, grad=False),
    Row("[ops.ApplyAdagrad()(w, a, r, g), w][1]", w=W, a=A, r=RATE, g=G, grad=False),
    Row("[ops.ApplyAdadelta()(w, a, b, r, s, e, g), w][1]", w=W, a=A, b=A, r=RATE, s=SHARE, e=SMALL, g=G, grad=False),
    Row(
        "[ops.ApplyAdaMax()(w, m, v, p, r, s, t, e, g), w][1]",
        w=W,
        m=written(reals("m k")),
        v=A,
        p=number(0.5, 0.9),
        r=RATE,
        s=SHARE,
        t=SHARE,
        e=SMALL,
        g=G,
        grad=False,
    ),
    Row(
        "[ops.ApplyRMSProp()(w, a, m, r, g, s, t, e), w][1]",
        w=W,
        a=A,
        m=written(reals("m k")),
        r=RATE,
        g=G,
        s=SHARE,
        t=SHARE,
        e=SMALL,
        grad=False,
    ),
    Row(
        "[ops.ApplyCenteredRMSProp()(w, c, a, m, g, r, s, t, e), w][1]",
        w=W,
        c=written(reals("m k", 0.0, 0.1)),
        a=written(reals("m k", 1, 2)),
        m=written(reals("m k")),
        r=RATE,
        g=G,
        s=SHARE,
        t=SHARE,
        e=SMALL,
        grad=False,
    ),
    Row(
        "[ops.Adam()(w, m, v, p, q, r, s, t, e, g), w][1] | "
        "[ops.Adam(use_nesterov=True)(w, m, v, p, q, r, s, t, e, g), w][1]",
        w=W,
        m=written(reals("m k")),
        v=A,
        p=number(0.5, 0.9),
        q=number(0.5, 0.9),
        r=RATE,
        s=SHARE,
        t=SHARE,
        e=SMALL,
        g=G,
        grad=False,
    ),
    Row(
        "[ops.AdamWeightDecay()(w, m, v, r, s, t, e, z, g), w][1]",
        w=W,
        m=written(reals("m k")),
        v=A,
        r=RATE,
        s=SHARE,
        t=SHARE,
        e=SMALL,
        z=number(0, 0.1),
        g=G,
        grad=False,
    ),
    Row(
        "[ops.SGD(0.0, 0.1)(w, g, r, m, s, c), w][1]",
        w=W,
        g=G,
        r=lambda d: np.asarray(d.rng.uniform(0.01, 0.5)),
        m=written(reals("m k")),
        s=lambda d: np.asarray(d.rng.uniform(0.5, 0.9)),
        c=written(reals("m k", 0.0, 0.0)),
        grad=False,
    ),
]


def optimizers():
    """A step of every optimizer, on one Parameter."""
    for arguments in (
        "SGD([w], r, s, 0.0, d)",
        "SGD([w], r, s, 0.0, d, True)",
        "Momentum([w], r, s, d, 2.0)",
        "Adam([w], r, s, t, e)",
        "Adam([w], r, s, t, e, weight_decay=d)",
        "AdaMax([w], r, s, t, e, d)",
        "AdaMax([w], r, loss_scale=4.0)",
        "AdamWeightDecay([w], r, s, t, e, d)",
        "Adagrad([w], s, r, weight_decay=d)",
        "RMSProp([w], r, s, t, e)",
        "RMSProp([w], r, s, t, e, centered=True)",
        "Adadelta([w], r, s, e)",
        "Lamb([w], r, s, t, e, d)",
        "LARS(nn.Momentum([w], r, s), e, s)",
    ):
        yield Row(
            f"[nn.{arguments}((g,)), w][1]",
            w=written(reals("m k")),
            g=reals("m k"),
            r=number(0.01, 0.5),
            s=number(0.5, 0.9),
            t=number(0.5, 0.9),
            e=number(1e-3, 1e-2),
            d=number(0, 0.1),
            grad=False,
            halves=False,
        )


ROWS = [*UPDATES, *optimizers()]
