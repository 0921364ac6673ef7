"""Rows of layers and losses: built with drawn arguments and weights, and called once."""

import numpy as np
from conformance.cases.operations.draw import (
    away,
    below,
    distinct,
    number,
    one_of,
    positive,
    reals,
    shares,
    size,
    whole,
    wide,
)
from conformance.cases.operations.row import Row

PAD, STRIDE, DILATION = one_of("same", "valid"), one_of(1, 2), one_of(1, 1, 2)
REDUCTION = one_of("mean", "sum", "none")
W, B = reals("o c 3 2"), reals("o")
SIZES = {"c": size("c"), "o": size("o")}

ACTIVATIONS = [
    *(
        Row(f"nn.{name}()(x)", x=domain())
        for domain, names in (
            (away, "ReLU ELU LeakyReLU CELU PReLU"),
            (wide, "Sigmoid Tanh SiLU HSwish HSigmoid Mish Softsign ReLU6"),
            (reals, "GELU FastGelu LogSigmoid HShrink SoftShrink Tanhshrink Hardtanh Identity Flatten"),
        )
        for name in names.split()
        if name != "Flatten"
    ),
    Row("nn.GELU(False)(x)", x=reals()),
    *(Row(f"nn.{name}(a)(x)", x=wide("m k n"), a=one_of(-1, 0, 1)) for name in ("Softmax", "LogSoftmax", "Softmin")),
    Row("nn.Softmax2d()(x)", x=wide("n c h w")),
    Row("nn.Threshold(a, b)(x)", x=reals(), a=number(-1, 1), b=number(-1, 1)),
    Row("nn.PReLU(c, w)(x)", x=away("n c h w"), w=reals("c"), c=size("c")),
    Row("nn.GLU(a)(x)", x=reals("4 2 6"), a=one_of(-1, 0, 1)),
    Row("nn.Flatten()(x)", x=reals("n c h w")),
    Row("nn.Dropout(p=0.5)(x)", x=reals("n c")),
    Row("nn.Dropout(p=0.5).set_train()(x)", x=reals("n c"), random=True),
    Row("nn.Dropout1d(0.5).set_train()(x)", x=reals("n c h"), random=True),
    Row("nn.Dropout2d(0.5).set_train()(x)", x=reals("n c h w"), random=True),
    Row("nn.Dropout3d(0.5).set_train()(x)", x=reals("n c 2 h w"), random=True),
]
WEIGHTED = [
    *(
        Row(f"nn.InstanceNorm{rank}d(c)(x)", x=reals(shape), c=size("c"))
        for rank, shape in ((1, "n c H"), (2, "n c H W"), (3, "n c 2 H W"))
    ),
    Row(
        "nn.Dense(c, o, w, b, True)(x) | nn.Dense(c, o, w, has_bias=False, activation='relu')(x)",
        x=reals("n c"),
        w=reals("o c"),
        b=B,
        **SIZES,
    ),
    Row(
        "nn.Conv1d(c, o, 3, s, p, 0, e, 1, True, w, b)(x)",
        x=reals("n c H"),
        w=reals("o c 3"),
        b=B,
        s=STRIDE,
        p=PAD,
        e=DILATION,
        **SIZES,
    ),
    Row(
        "nn.Conv2d(c, o, (3, 2), s, p, 0, e, 1, True, w, b)(x)",
        x=reals("n c H W"),
        w=W,
        b=B,
        s=STRIDE,
        p=PAD,
        e=DILATION,
        **SIZES,
    ),
    Row(
        "nn.Conv2d(4, 6, 3, s, 'pad', q, 1, 2, weight_init=w)(x)",
        x=reals("n 4 H W"),
        w=reals("6 2 3 3"),
        s=STRIDE,
        q=lambda d: tuple(int(n) for n in d.rng.integers(0, 3, 4)),
    ),
    Row(
        "nn.Conv3d(c, o, (2, 3, 2), s, p, has_bias=True, weight_init=w, bias_init=b)(x)",
        x=reals("n c 4 H W"),
        w=reals("o c 2 3 2"),
        b=B,
        s=STRIDE,
        p=PAD,
        **SIZES,
    ),
    Row(
        "nn.Conv1dTranspose(o, c, 3, s, p, weight_init=w)(x)",
        x=reals("n o H"),
        w=reals("o c 3"),
        s=STRIDE,
        p=PAD,
        **SIZES,
    ),
    Row("nn.Conv2dTranspose(o, c, (3, 2), s, p, weight_init=w)(x)", x=reals("n o H W"), w=W, s=STRIDE, p=PAD, **SIZES),
    Row(
        "nn.Conv3dTranspose(o, c, (2, 3, 2), s, p, weight_init=w)(x)",
        x=reals("n o 3 4 3"),
        w=reals("o c 2 3 2"),
        s=STRIDE,
        p=PAD,
        **SIZES,
    ),
    Row("nn.Embedding(5, c, False, w)(i)", i=below(5, "m n"), w=reals("5 c"), c=size("c")),
    *(
        Row(
            f"nn.BatchNorm{rank}d(c, e, 0.9, True, g, b, m, v).set_train(t)(x)",
            x=reals(shape),
            g=reals("c"),
            b=reals("c"),
            m=reals("c"),
            v=positive("c"),
            e=number(0.001, 0.1),
            t=one_of(False, True),
            c=size("c"),
        )
        for rank, shape in ((1, "7 c"), (2, "3 c H W"), (3, "2 c 2 H W"))
    ),
    Row("nn.LayerNorm((4,), -1, -1, g, b)(x)", x=reals("m n 4"), g=reals("4"), b=reals("4")),
    Row("nn.GroupNorm(2, 4, e, True, g, b)(x)", x=reals("n 4 H W"), g=reals("4"), b=reals("4"), e=number(0.001, 0.1)),
]
POOLS = [
    Row("nn.AdaptiveMaxPool3d((2, h, w))(x)", x=distinct("n c 4 H W"), h=whole(1, 5), w=whole(1, 5)),
    Row("nn.ReflectionPad3d((p, q, 1, 0, 1, 2))(x)", x=reals("n c 4 H W"), p=whole(0, 4), q=whole(0, 4)),
    Row("nn.MaxPool1d(2, s, p)(x)", x=distinct("n c H"), s=STRIDE, p=PAD),
    Row("nn.MaxPool2d((2, 3), s, p)(x)", x=distinct("n c H W"), s=STRIDE, p=PAD),
    Row("nn.AvgPool1d(2, s, p)(x)", x=reals("n c H"), s=STRIDE, p=PAD),
    Row("nn.AvgPool2d((2, 3), s, p)(x)", x=reals("n c H W"), s=STRIDE, p=PAD),
    Row("nn.AdaptiveAvgPool1d(2)(x)", x=reals("n c 6")),
    Row("nn.AdaptiveAvgPool2d((h, w))(x)", x=reals("n c H W"), h=whole(1, 5), w=whole(1, 5)),
    Row("nn.AdaptiveAvgPool3d((2, h, w))(x)", x=reals("n c 4 H W"), h=whole(1, 5), w=whole(1, 5)),
    Row("nn.AdaptiveMaxPool1d(2)(x)", x=distinct("n c 6")),
    Row("nn.AdaptiveMaxPool2d((h, w))(x)", x=distinct("n c H W"), h=whole(1, 5), w=whole(1, 5)),
    Row(
        "nn.Pad(((0, 0), (p, q)), m)(x)",
        x=reals("m K"),
        p=whole(0, 3),
        q=whole(0, 3),
        m=one_of("CONSTANT", "REFLECT", "SYMMETRIC"),
    ),
    Row("nn.ConstantPad1d(p, a)(x)", x=reals("n c H"), p=whole(0, 4), a=number(-1, 1)),
    Row("nn.ConstantPad2d((p, q, 1, 0), a)(x)", x=reals("n c H W"), p=whole(0, 4), q=whole(0, 4), a=number(-1, 1)),
    Row("nn.ZeroPad2d(p)(x)", x=reals("n c H W"), p=whole(0, 4)),
    Row("nn.ReflectionPad1d(p)(x) | nn.ReplicationPad1d(p)(x)", x=reals("n c H"), p=whole(0, 4)),
    Row(
        "nn.ReflectionPad2d((p, q, 1, 0))(x) | nn.ReplicationPad2d((p, q, 1, 0))(x)",
        x=reals("n c H W"),
        p=whole(0, 4),
        q=whole(0, 4),
    ),
    Row("nn.PixelShuffle(2)(x)", x=reals("n 4 h w")),
    Row("nn.ChannelShuffle(g)(x)", x=reals("n 6 h w"), g=one_of(1, 2, 3, 6), others=True),
    Row("nn.ChannelShuffle(2)(x)", x=reals("n 4 h")),
    Row("nn.PixelUnshuffle(2)(x)", x=reals("n c 4 2")),
    Row(
        "nn.Upsample((h, w), mode=m)(x)",
        x=reals("n c H W"),
        h=whole(2, 9),
        w=whole(2, 9),
        m=one_of("nearest", "bilinear"),
    ),
    Row("nn.Tril()(x, n) | nn.Triu()(x, n)", x=reals("m k"), n=whole(-2, 3)),
    Row("nn.OneHot(-1, 5)(i)", i=below(5, "m")),
    Row("nn.ClipByNorm()(x, y)", x=away("m k"), y=lambda d: np.asarray(d.rng.uniform(0.5, 3))),
    Row("nn.Norm(a)(x)", x=away("m k"), a=one_of(0, 1)),
]
LOSSES = [
    *(Row(f"nn.{name}(r)(x, y)", x=reals("m k"), y=reals("m k"), r=REDUCTION) for name in ("MSELoss", "L1Loss")),
    Row("nn.SmoothL1Loss(b, r)(x, y)", x=reals("m k"), y=reals("m k"), b=number(0.3, 2), r=REDUCTION),
    Row("nn.HuberLoss(r, b)(x, y)", x=reals("m k"), y=reals("m k"), b=number(0.3, 2), r=REDUCTION),
    Row("nn.BCELoss(w, r)(x, y)", x=reals("m k", 0.05, 0.95), y=reals("m k", 0, 1), w=positive("m k"), r=REDUCTION),
    Row(
        "nn.BCEWithLogitsLoss(r, w, v)(x, y)",
        x=reals("m k"),
        y=reals("m k", 0, 1),
        w=positive("m k"),
        v=positive("k"),
        r=REDUCTION,
    ),
    Row(
        "nn.CrossEntropyLoss(w, -100, r, a)(x, y)",
        x=reals("m 4"),
        y=below(4, "m"),
        w=positive("4"),
        r=REDUCTION,
        a=one_of(0.0, 0.25),
    ),
    Row("nn.NLLLoss(w, -100, r)(x, y)", x=reals("m 4"), y=below(4, "m"), w=positive("4"), r=REDUCTION),
    Row("nn.SoftmaxCrossEntropyWithLogits(True, r)(x, y)", x=reals("m 4"), y=below(4, "m"), r=REDUCTION),
    Row("nn.SoftmaxCrossEntropyWithLogits(False, r)(x, y)", x=reals("m 4"), y=shares("m 4"), r=REDUCTION),
    Row(
        "nn.CosineEmbeddingLoss(a, r)(x, y, z)",
        x=reals("m 3"),
        y=reals("m 3"),
        z=lambda d: d.rng.choice([-1, 1], d.length("m")).astype(np.int32),
        a=number(0, 0.5),
        r=REDUCTION,
    ),
]


ROWS = [*ACTIVATIONS, *WEIGHTED, *POOLS, *LOSSES]
