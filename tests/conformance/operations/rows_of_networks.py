"""Rows of what networks are made of: convolution, pooling, normalisation, resizing, losses, random, optimizers."""

import numpy as np

from .drawing import (
    above, away, below, bools, distinct, like, number, one_of, positive, reals, shares, size, whole, wholes, written,
)
from .rows import Row

PAD = one_of("same", "valid")
STRIDE, DILATION = one_of(1, 2), one_of(1, 1, 2)
REDUCTION = one_of("mean", "sum", "none")

CONVOLUTIONS = [
    Row("ops.conv2d(x, w, b, stride=s, pad_mode=p, dilation=e)", x=reals("n c H W"), w=reals("o c 3 2"), b=reals("o"), s=STRIDE,
        p=PAD, e=DILATION),
    Row("ops.conv2d(x, w, None, s, 'pad', a, 1, 2)", x=reals("n 4 H W"), w=reals("6 2 3 3"), s=STRIDE, a=one_of(0, 1, 2)),
    Row("ops.conv2d(x, w, None, 1, 'same', 0, 1, 3)", x=reals("n 3 H W"), w=reals("3 1 3 3")),
    Row("ops.Conv2D(o, (3, 2), pad_mode=p, stride=s, dilation=e)(x, w)", o=size("o"), x=reals("n c H W"), w=reals("o c 3 2"),
        s=STRIDE, p=PAD, e=DILATION),
    Row("ops.Conv2D(o, 2, pad_mode='pad', pad=(1, 0, 2, 1), stride=s)(x, w)", o=size("o"), x=reals("n c H W"), w=reals("o c 2 2"),
        s=STRIDE),
    Row("ops.conv1d(x, w, b, stride=s, pad_mode=p, dilation=e)", x=reals("n c H"), w=reals("o c 3"), b=reals("o"), s=STRIDE, p=PAD,
        e=DILATION),
    Row("ops.conv3d(x, w, b, stride=s, pad_mode=p)", x=reals("n c 4 H W"), w=reals("o c 2 3 2"), b=reals("o"), s=STRIDE, p=PAD),
    Row("ops.Conv3D(o, (2, 3, 2), pad_mode=p, stride=s)(x, w)", o=size("o"), x=reals("n c 4 H W"), w=reals("o c 2 3 2"), s=STRIDE,
        p=PAD),
    Row("ops.Conv2DBackpropInput(o, (3, 2), pad_mode='valid')(y, w, s)", o=size("o"), s=lambda d: d.shape("n c H W"),
        y=lambda d: d.rng.uniform(-2, 2, (*d.shape("n o"), d.length("H") - 2, d.length("W") - 1)), w=reals("o c 3 2")),
    Row("ops.Conv2DTranspose(o, (3, 2), pad_mode='valid')(y, w, s)", o=size("o"), s=lambda d: d.shape("n c H W"),
        y=lambda d: d.rng.uniform(-2, 2, (*d.shape("n o"), d.length("H") - 2, d.length("W") - 1)), w=reals("o c 3 2")),
    Row("ops.Conv3DTranspose(o, c, (2, 3, 2))(y, w)", o=size("o"), c=size("c"), y=reals("n o 2 2 3"), w=reals("o c 2 3 2")),
    Row("ops.unfold(x, 2, 1, 0, s)", x=reals("n c H W"), s=STRIDE),
]
POOLS = [
    Row("ops.MaxPool(2, s, p)(x)", x=distinct("n c H W"), s=STRIDE, p=PAD),
    Row("ops.max_pool2d(x, 2, s, a, return_indices=r)", x=distinct("n c H W"), s=STRIDE, a=one_of(0, 1), r=one_of(False, True)),
    Row("ops.max_pool3d(x, 2, s)", x=distinct("n c 4 H W"), s=STRIDE),
    Row("ops.AvgPool(2, s, p)(x)", x=reals("n c H W"), s=STRIDE, p=PAD),
    Row("ops.avg_pool1d(x, 2, s, a, count_include_pad=k)", x=reals("n c H"), s=STRIDE, a=one_of(0, 1), k=one_of(False, True)),
    Row("ops.avg_pool2d(x, 2, s, a, count_include_pad=k)", x=reals("n c H W"), s=STRIDE, a=one_of(0, 1), k=one_of(False, True)),
    Row("ops.avg_pool3d(x, 2, s, a, count_include_pad=k)", x=reals("n c 4 H W"), s=STRIDE, a=one_of(0, 1), k=one_of(False, True)),
    Row("ops.adaptive_avg_pool1d(x, 2)", x=reals("n c 6")),
    Row("ops.adaptive_avg_pool2d(x, (h, w)) | ops.AdaptiveAvgPool2D((h, w))(x)", x=reals("n c H W"), h=whole(1, 5), w=whole(1, 5)),
    Row("ops.adaptive_avg_pool3d(x, (2, h, w))", x=reals("n c 4 H W"), h=whole(1, 5), w=whole(1, 5)),
    Row("ops.adaptive_max_pool1d(x, 2)", x=distinct("n c 6")),
    Row("ops.adaptive_max_pool2d(x, (h, w)) | ops.AdaptiveMaxPool2D((h, w))(x)", x=distinct("n c H W"), h=whole(1, 5), w=whole(1, 5)),
    Row("ops.adaptive_max_pool3d(x, (2, h, w))", x=distinct("n c 4 H W"), h=whole(1, 5), w=whole(1, 5)),
]
NORMALIZATIONS = [
    Row("ops.batch_norm(x, m, v, w, b, False) | ops.BatchNorm(False)(x, w, b, m, v)", x=reals("n c H W"), m=reals("c"),
        v=positive("c"), w=reals("c"), b=reals("c")),
    Row("ops.BatchNorm(True)(x, w, b, m, v)", x=reals("3 c H W"), m=written(reals("c")), v=written(positive("c")),
        w=reals("c"), b=reals("c"), grad=False),
    Row("ops.LayerNorm(a, a, 0.01)(x, w, b)", x=reals("m 3 4"), a=one_of(2, -1), w=reals("4"), b=reals("4")),
    Row("ops.ResizeNearestNeighbor((h, w), a)(x)", x=reals("n c H W"), h=whole(2, 9), w=whole(2, 9), a=one_of(False, True)),
    Row("ops.ResizeBilinear((h, w), a)(x)", x=reals("n c H W"), h=whole(2, 9), w=whole(2, 9), a=one_of(False, True)),
    Row("ops.interpolate(x, size=(h, w), mode=m) | ops.upsample(x, (h, w), mode=m)", x=reals("n c H W"), h=whole(2, 9), w=whole(2, 9),
        m=one_of("nearest", "bilinear", "area")),
    Row("ops.interpolate(x, size=(h,), mode='linear', align_corners=a)", x=reals("n c H"), h=whole(2, 9), a=one_of(False, True)),
]
LOSSES = [
    Row("ops.l1_loss(x, y, r)", x=reals("m k"), y=reals("m k"), r=REDUCTION),
    Row("ops.mse_loss(x, y, r)", x=reals("m k"), y=reals("m k"), r=REDUCTION),
    Row("ops.smooth_l1_loss(x, y, b, r) | ops.SmoothL1Loss(b, r)(x, y)", x=reals("m k"), y=reals("m k"), b=number(0.3, 2), r=REDUCTION),
    Row("ops.huber_loss(x, y, r, b)", x=reals("m k"), y=reals("m k"), b=number(0.3, 2), r=REDUCTION),
    Row("ops.binary_cross_entropy(x, y, w, r) | ops.BinaryCrossEntropy(r)(x, y, w)", x=reals("m k", 0.05, 0.95),
        y=reals("m k", 0, 1), w=positive("m k"), r=REDUCTION),
    Row("ops.binary_cross_entropy_with_logits(x, y, w, v, r) | ops.BCEWithLogitsLoss(r)(x, y, w, v)", x=reals("m k"),
        y=reals("m k", 0, 1), w=positive("m k"), v=positive("k"), r=REDUCTION),
    Row("ops.cross_entropy(x, y, None, -100, r, a)", x=reals("m 4"), y=below(4, "m"), r=REDUCTION, a=one_of(0.0, 0.25)),
    Row("ops.cross_entropy(x, y, w, 1, r)", x=reals("5 4"), y=lambda d: np.array([0, 1, 3, 2, 0], np.int32), w=positive("4"), r=REDUCTION),
    Row("ops.cross_entropy(x, y, None, -100, r)", x=reals("m 4"), y=shares("m 4"), r=REDUCTION),
    Row("ops.nll_loss(x, y, w, -100, r)", x=reals("m 4"), y=below(4, "m"), w=positive("4"), r=REDUCTION),
    Row("ops.NLLLoss(r)(x, y, w)", x=reals("m 4"), y=below(4, "m"), w=positive("4"), r=REDUCTION),
    Row("ops.cosine_embedding_loss(x, y, z, a, r)", x=reals("m 3"), y=reals("m 3"), z=lambda d: d.rng.choice([-1, 1], d.length("m")).astype(np.int32),
        a=number(0, 0.5), r=REDUCTION),
    Row("ops.SoftmaxCrossEntropyWithLogits()(x, y)", x=reals("m 4"), y=shares("m 4")),
    Row("ops.SparseSoftmaxCrossEntropyWithLogits()(x, y)", x=reals("m 4"), y=below(4, "m")),
]
RANDOM = [
    Row("ops.dropout(x, 0.5) | ops.Dropout(0.5)(x)", x=reals("m k"), random=True),
    Row("ops.dropout1d(x, 0.5)", x=reals("n c h"), random=True),
    Row("ops.dropout2d(x, 0.5) | ops.Dropout2D(0.5)(x)", x=reals("n c h w"), random=True),
    Row("ops.dropout3d(x, 0.5) | ops.Dropout3D(0.5)(x)", x=reals("n c 2 h w"), random=True),
    Row("ops.dropout(x, 0.0) | ops.dropout(x, 0.5, False)", x=reals("m k")),
    Row("ops.rand(m, k) | ops.randn(m, k) | ops.rand_like(x) | ops.randn_like(x)", m=size("m"), k=size("k"), x=reals("m k"), random=True),
    Row("ops.randint(0, 9, (m, k)) | ops.randint_like(x, 0, 9)", m=size("m"), k=size("k"), x=reals("m k"), random=True),
    Row("ops.normal((m, k), x, y) | ops.laplace((m, k), x, y)", m=size("m"), k=size("k"), x=reals(""), y=positive(""), random=True),
    Row("ops.uniform((m, k), x, y)", m=size("m"), k=size("k"), x=reals(""), y=above(""), random=True),
    Row("ops.standard_normal((m, k)) | ops.standard_laplace((m, k)) | ops.StandardNormal()((m, k)) | ops.StandardLaplace()((m, k))",
        m=size("m"), k=size("k"), random=True),
    Row("ops.UniformReal()((m, k)) | ops.UniformInt()((m, k), i, j)", m=size("m"), k=size("k"), i=below(1, ""), j=wholes(3, 9, ""),
        random=True),
    Row("ops.bernoulli(x, 0.5) | x.bernoulli(0.5) | ops.Bernoulli()(x, 0.5)", x=reals("m k"), random=True),
    Row("ops.shuffle(x) | ops.RandomShuffle()(x)", x=reals("m k"), random=True),
    Row("ops.randperm(n) | ops.RandpermV2()(n)", n=whole(1, 9), random=True),
    Row("ops.multinomial(x, n) | x.multinomial(n) | ops.Multinomial()(x, n)", x=positive("m 4"), n=whole(1, 5), random=True),
    Row("ops.MultinomialWithReplacement(3, True)(x, 1, 2)", x=positive("m 4"), random=True),
    Row("ops.random_categorical(x, n) | ops.RandomCategorical()(x, n) | x.random_categorical(n)", x=reals("m 4"), n=whole(1, 5), random=True),
]
W, A, G = written(reals("m k")), written(positive("m k")), reals("m k")
RATE, SHARE, SMALL = number(0.01, 0.5), number(0.5, 0.95), number(1e-3, 1e-2)
OPTIMIZERS = [
    Row("ops.ApplyMomentum()(w, m, r, g, s)", w=W, m=written(reals("m k")), r=RATE, g=G, s=SHARE, grad=False),
    Row("ops.ApplyAdagrad()(w, a, r, g)", w=W, a=A, r=RATE, g=G, grad=False),
    Row("ops.ApplyAdadelta()(w, a, b, r, s, e, g)", w=W, a=A, b=A, r=RATE, s=SHARE, e=SMALL, g=G, grad=False),
    Row("ops.ApplyRMSProp()(w, a, m, r, g, s, t, e)", w=W, a=A, m=written(reals("m k")), r=RATE, g=G, s=SHARE, t=SHARE, e=SMALL,
        grad=False),
    Row("ops.ApplyCenteredRMSProp()(w, c, a, m, g, r, s, t, e)", w=W, c=written(reals("m k", 0.0, 0.1)), a=written(reals("m k", 1, 2)),
        m=written(reals("m k")), r=RATE, g=G, s=SHARE, t=SHARE, e=SMALL, grad=False),
    Row("ops.Adam()(w, m, v, p, q, r, s, t, e, g) | ops.Adam(use_nesterov=True)(w, m, v, p, q, r, s, t, e, g)", w=W,
        m=written(reals("m k")), v=A, p=number(0.5, 0.9), q=number(0.5, 0.9), r=RATE, s=SHARE, t=SHARE, e=SMALL, g=G, grad=False),
    Row("ops.AdamWeightDecay()(w, m, v, r, s, t, e, z, g)", w=W, m=written(reals("m k")), v=A, r=RATE, s=SHARE, t=SHARE, e=SMALL,
        z=number(0, 0.1), g=G, grad=False),
    Row("ops.SGD(0.0, 0.1)(w, g, r, m, s, c)", w=W, g=G, r=lambda d: np.asarray(d.rng.uniform(0.01, 0.5)), m=written(reals("m k")),
        s=lambda d: np.asarray(d.rng.uniform(0.5, 0.9)), c=written(reals("m k", 0.0, 0.0)), grad=False),
]
ROWS = [*CONVOLUTIONS, *POOLS, *NORMALIZATIONS, *LOSSES, *RANDOM, *OPTIMIZERS]
