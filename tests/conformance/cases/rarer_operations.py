"""Calls of operations that few programs use, by family; what each is fed with, and whether its gradients are compared.

A call is an expression of ``ops`` or ``nn`` and of the arrays of :func:`inputs`.
"""

# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import numpy as np
from conformance.cases.further_operations import run, used

_BESSEL = ["i0", "i0e", "i1", "i1e", "j0", "j1", "k0", "k0e", "k1", "k1e", "y0", "y1"]

# Call -> True: MindSpore's gradients are compared; None: it has no rule for them, or a wrong one, and they are held by
# difference quotients alone; False: there is none
SPECIAL = {
    **{f"ops.bessel_{name}({x})": True for name in _BESSEL for x in ("p", "p64")},
    **{f"ops.bessel_{name}(p16)": False for name in _BESSEL},
    **{f"ops.Bessel{name.upper().replace('E', 'e')}()(p)": False for name in _BESSEL},
    **{f"ops.bessel_{name}(x)": True for name in ("i0", "i0e", "i1", "i1e", "j0", "j1")},
    "ops.i0(x)": True,
    "x.i0()": None,
    "ops.igamma(2.0 + ops.zeros((3, 1), ms.float32), p)": None,
    "ops.Igammac()(p, q)": False,
    "ops.Igamma()(p64, q64)": False,
    "p.igammac(q)": False,
    "ops.igamma(edge, one)": False,
    "ops.igammac(edge, one)": False,
    "ops.zeta(p + 1.2, q)": False,
    "ops.Zeta()(p64 + 1.2, q64)": False,
    "ops.zeta(2.0, p)": True,
    "ops.zeta(p + 1.2, 3)": False,
    "ops.mvlgamma(p + 2.0, 3)": True,
    "ops.Mvlgamma(p=2)(p64 + 2.0)": None,
    "p.mvlgamma(1)": None,
    "ops.gcd(i, j)": False,
    "ops.lcm(i, j)": False,
    "ops.Gcd()(i, j.astype(ms.int64))": False,
    "i.lcm(j)": False,
    "ops.nextafter(p64, q64)": False,
    "ops.population_count(i)": False,
    "ops.PopulationCount()(-i.astype(ms.int16))": False,
    "ops.population_count(i.astype(ms.uint8))": False,
    "ops.isposinf(edge)": None,
    "ops.isneginf(edge)": None,
    "ops.Sinc()(x)": None,
    "ops.Sinc()(i)": False,
    "ops.Logit()(u)": None,
    "ops.Logit(0.2)(u)": None,
    "ops.CumulativeLogsumexp()(x, k0)": None,
    "ops.CumulativeLogsumexp(True, False)(x, k1)": False,
    "ops.CumulativeLogsumexp(True, False)(x, k1)[:, 1:]": None,
    "ops.CumulativeLogsumexp(False, True)(x, k0)": None,
    "ops.CumulativeLogsumexp(False, True)(x.astype(ms.float16), k0)": False,
    "ops.CumulativeLogsumexp(True, True)(x.astype(ms.float64), k1)": False,
    "nn.IGamma()(p, q)": False,
    "nn.DiGamma()(p)": None,
    "nn.LGamma()(p)": None,
    "nn.LBeta()(p, q)": None,
}
_K, _WIDE = "ms.Tensor([-1, 1], ms.int32)", "ms.Tensor(4, ms.int32)"
MATRICES = {
    "ops.cholesky_inverse(low)": None,
    "ops.CholeskyInverse(True)(low.T)": None,
    "ops.cholesky_solve(m, low)": None,
    "ops.CholeskySolve(upper=True)(m, low.T)": None,
    "ops.qr(m)": None,
    "ops.qr(m, 'complete')": False,
    "ops.Qr()(m.T)": False,
    "ops.geqrf(m)": False,
    "ops.Geqrf()(b)": False,
    "ops.orgqr(*ops.geqrf(m))": False,
    "ops.Orgqr()(m, v[:2])": None,
    "ops.lstsq(m, n)": None,
    "ops.lstsq(m, v[:3])": None,
    "ops.lstsq(m.T, n[:2])": None,
    "ops.Lstsq()(b, n)": None,
    "ops.lu_solve(n, b, turns)": None,
    "ops.LuSolve()(n, b, turns)": None,
    "ops.lu_unpack(b, turns)": None,
    "ops.lu_unpack(m, turns[:2])": None,
    "ops.lu_unpack(m.T, times[:2])": None,
    "ops.matrix_power(b.expand_dims(0), 3)": True,
    "ops.matrix_power(b.expand_dims(0), 0)": None,
    "ops.matrix_power(b.expand_dims(0), -2)": None,
    "ops.MatrixPower(4)(b.expand_dims(0))": None,
    "ops.MatrixSolveLs(True)(m, n, half)": False,
    "ops.MatrixSolveLs(False)(m, n, half)": None,
    "ops.MatrixTriangularSolve(lower=True, adjoint=False)(b, m)": None,
    "ops.MatrixTriangularSolve(lower=True, adjoint=True)(b, m)": None,
    "ops.MatrixTriangularSolve(lower=False, adjoint=False)(b, m)": None,
    "ops.TridiagonalMatMul()(x[:1, :3], y[:1, :3], u[:1, :3], m)": None,
    "ops.ConjugateTranspose()(x, (1, 0))": None,
    "ops.ConjugateTranspose()(z, (1, 0))": False,
    "ops.cov(x)": True,
    "ops.cov(v)": True,
    "ops.cov(x, correction=0)": True,
    "ops.cov(x, fweights=times, aweights=p[0])": None,
    "ops.cov(i)": False,
    "v.cov()": None,
    "ops.pdist(x, 2.0)": True,
    "ops.pdist(x, 1.0)": True,
    "ops.pdist(x, 3.0)": True,
    "ops.pdist(x, 0.0)": None,
    "ops.Pdist(float('inf'))(x)": None,
    "ops.fft(z)": False,
    "ops.fft(z, 5, 0)": False,
    "ops.fft(z, 2, norm='ortho')": False,
    "ops.ifft(z, norm='forward')": False,
    "ops.fft2(z, (2, 5), (1, 0))": False,
    "ops.ifft2(z)": False,
    "ops.fftn(z, (2,))": False,
    "ops.fftn(z, dim=(0, 1))": False,
    "ops.ifftn(z, (4, 4))": False,
    "ops.stft(long, 8)": None,
    "ops.stft(long[0], 8, 3, 6, p.reshape(12)[:6], return_complex=True)": None,
    "ops.stft(long, 8, 4, center=False, normalized=True, onesided=False)": None,
    "ops.stft(long, 7, pad_mode='CONSTANT')": None,
    "ops.STFT(8, 4, 8, False, True, True)(long, q.reshape(12)[:8])": None,
    "ops.matrix_diag(x)": None,
    f"ops.matrix_diag(b, {_K}, {_WIDE})": None,
    f"ops.matrix_diag(b, {_K}, align='LEFT_RIGHT', padding_value=ms.Tensor(7.0))": None,
    f"ops.matrix_diag(b, {_K}, num_cols={_WIDE}, align='LEFT_LEFT')": None,
    "ops.matrix_diag(x, ms.Tensor(1, ms.int32))": None,
    "ops.MatrixDiagV3()(x, ms.Tensor(-1, ms.int32), ms.Tensor(5, ms.int32), ms.Tensor(4, ms.int32), half32)": None,
    f"ops.matrix_diag_part(x, {_K}, half32)": None,
    f"ops.matrix_diag_part(x, {_K}, half32, 'LEFT_LEFT')": None,
    f"ops.matrix_diag_part(x.T, {_K}, half32, 'RIGHT_RIGHT')": None,
    "ops.MatrixDiagPartV3()(x, ms.Tensor(2, ms.int32), half32)": None,
    "ops.matrix_set_diag(x, v[:3])": None,
    "ops.matrix_set_diag(x, b[:2], ms.Tensor([0, 1], ms.int32))": None,
    "ops.MatrixSetDiagV3('LEFT_RIGHT')(x, b[:2], ms.Tensor([-1, 0], ms.int32))": None,
}
_AT = "ms.Tensor([[2], [0], [2]], ms.int32)"
_ROWS = "ms.Tensor([0, 0, 2], ms.int32)"
ARRAYS = {
    "ops.argwhere(i > 3)": False,
    "ops.diff(v)": True,
    "ops.diff(x, axis=0)": True,
    "ops.diff(i, prepend=j[:, :1], append=j)": False,
    "ops.trapz(x)": True,
    "ops.trapz(x, p)": True,
    "ops.trapz(x, v[:3], dim=0)": True,
    "ops.trapz(i, dx=2.0)": False,
    "ops.cartesian_prod(v, x[0])": None,
    "ops.cartesian_prod(times, turns, times)": False,
    "ops.combinations(v)": True,
    "ops.combinations(v, 3)": None,
    "ops.combinations(times, with_replacement=True)": False,
    "ops.diagflat(m, 1)": True,
    "ops.diagflat(times, -2)": False,
    "ops.channel_shuffle(image, 2)": None,
    "ops.ChannelShuffle(4)(image)": None,
    "ops.mirror_pad(x, ms.Tensor([[1, 1], [2, 1]]), 'SYMMETRIC')": None,
    "ops.msort(x)": None,
    "ops.msort(p16)": None,
    "ops.padding(m[:, :1], 4)": True,
    "ops.Padding(3)(m[:, :1])": None,
    "ops.unique_consecutive(times, True, True)": False,
    "ops.unique_consecutive(turns)": False,
    "ops.unique_consecutive(runs, True, False, 1)": False,
    "ops.unique_consecutive(runs, False, True, 0)": False,
    "ops.unique_with_pad(runs[0], 0)": False,
    "ops.UniqueWithPad()(runs[0], ms.Tensor(9, ms.int32))": False,
    "ops.UniqueConsecutive(True, True)(runs)": False,
    **{f"ops.bartlett_window(ms.Tensor({n}, ms.int32), {p})": False for n in (1, 2, 7) for p in (True, False)},
    "ops.blackman_window(ms.Tensor(6, ms.int32))": False,
    "ops.blackman_window(ms.Tensor(5, ms.int64), False, dtype=ms.float64)": False,
    "ops.BartlettWindow(periodic=False)(ms.Tensor(5, ms.int32))": False,
    "ops.BlackmanWindow(True, ms.float16)(ms.Tensor(5, ms.int32))": False,
    "ops.hamming_window(6, False)": False,
    "ops.hamming_window(5, True, 0.5, 0.4)": False,
    "ops.HammingWindow()(ms.Tensor([6], ms.int32))": False,
    **{f"ops.{name}_window(5, {p})": False for name in ("hann", "kaiser") for p in (True, False)},
    "ops.kaiser_window(6, beta=6.0)": False,
    "ops.logspace(ms.Tensor(1.0), ms.Tensor(3.5), 4)": False,
    "ops.logspace(ms.Tensor(1.0), ms.Tensor(4.0), 4, 2, dtype=ms.float64)": False,
    "ops.LogSpace(steps=3, base=5)(ms.Tensor(1.0), ms.Tensor(-2.0))": False,
    "ops.inplace_index_add(ms.Parameter(m), turns[:2] - 1, n[:2], 0)": False,
    "ops.InplaceIndexAdd(axis=1)(ms.Parameter(m), ms.Tensor([1, 1], ms.int32), n)": False,
    "ops.InplaceUpdateV2()(m, (2, 0), n[:2])": False,
    **{f"ops.scatter_nd_{how}(ms.Parameter(v), {_AT}, p[0, :3])": False for how in ("max", "min", "mul", "div")},
    **{f"ops.ScatterNd{how}()(ms.Parameter(m), {_AT}[:2], n[:2])": False for how in ("Max", "Min", "Mul", "Div")},
    f"ops.scatter_nd_div(ms.Parameter(times), {_AT}, turns)": False,
    "ops.ScatterAddWithAxis(1)(x, ms.Tensor([[0, 2], [1, 1]], ms.int32), y[:2, :2])": None,
    "ops.IndexFill()(x, 1, ms.Tensor([0, 2], ms.int32), ms.Tensor(-9.0))": None,
    "ops.IndexPut()(x, v[:2], (ms.Tensor([0, 1], ms.int32), ms.Tensor([2, 0], ms.int32)))": None,
    "ops.IndexPut(1)(x, v[:2], (ms.Tensor([0, 0], ms.int32), ms.Tensor([2, 2], ms.int32)))": None,
    "ops.IndexPut()(x, v[:1], (ms.Tensor([1], ms.int32),))": None,
    "ops.LowerBound()(ordered, i[:2])": False,
    "ops.UpperBound(ms.int64)(ordered, j[:2])": False,
    "ops.PadV3(mode='constant')(x, ms.Tensor([1, 2, 0, 3]), ms.Tensor(9.0))": None,
    "ops.PadV3(mode='constant', paddings_contiguous=False)(x, ms.Tensor([1, 2, 0, 3]), ms.Tensor(9.0))": None,
    "ops.PadV3('reflect')(long.expand_dims(0), ms.Tensor([1, 2]))": None,
    "ops.PadV3('edge')(long.expand_dims(0), ms.Tensor([1, 2]))": None,
    "ops.ParallelConcat()((x[:1], y[:1]))": None,
    "ops.ListDiff()(times, turns)": False,
    "ops.ListDiff(ms.int64)(v, v[1:3])": False,
    "ops.RaggedRange(ms.int64)(times[:3], times[:3] + turns, ms.Tensor([1, 2, 1], ms.int32))": False,
    "ops.RaggedRange(ms.int32)(v, v + 2.1, ms.Tensor([0.5, 1.5, -1.0, 0.25, 3.0]))": False,
    "ops.FillV2()(ms.Tensor([2, 3], ms.int32), ms.Tensor(1.5))": False,
    "ops.Expand()(m[:, :1], ms.Tensor([3, 4]))": None,
    "ops.Expand()(m, ms.Tensor([2, 3, -1]))": None,
    "ops.IdentityN()((x, i))": None,
    "ops.Histogram(bins=4, min=-1.0, max=1.5)(x)": None,
    "ops.Histogram(5)(i)": False,
    "ops.Bucketize([-3.0, 0.0, 12.0])(i)": False,
    "ops.Bucketize([-0.5, 0.5])(x)": None,
    "ops.Bincount()(times, ms.Tensor(3, ms.int32), x[0])": None,
    "ops.Coalesce()(places, v[:3], ms.Tensor([3, 3]))": None,
    "ops.DataFormatDimMap()(ms.Tensor([0, 1, 2, -1], ms.int32))": False,
    "ops.DataFormatDimMap('NCHW', 'NHWC')(ms.Tensor([[0, 1], [2, -3]], ms.int32))": False,
    "ops.DataFormatVecPermute()(times)": False,
    "ops.DataFormatVecPermute('NCHW', 'NHWC')(i.T[:, :2])": False,
    "ops.CompareAndBitpack()(long[:, :16], half32)": None,
    "ops.SubAndFilter()(i[0], 9, -4)": False,
    "ops.MapUniform()(times, 4, 2)": False,
    "ops.TrilIndices(4, 3, -1, ms.int64)()": False,
    "ops.TriuIndices(4, 3, -1)()": False,
    "ops.UnravelIndex()(times, ms.Tensor([2, 3], ms.int32))": False,
    "ops.UnravelIndex()(ms.Tensor(5, ms.int32), ms.Tensor([3, 3, 2], ms.int32))": False,
    **{f"ops.Segment{how}()(m, {_ROWS})": None for how in ("Sum", "Max", "Min", "Prod", "Mean")},
    f"ops.SegmentMean()(i, {_ROWS})": False,
    f"ops.sparse_segment_mean(x, ms.Tensor([2, 0, 1], ms.int32), {_ROWS})": None,
    "ops.SparseToDense()(ms.Tensor([[0, 1], [1, 2]], ms.int32), v[:2], (3, 4))": None,
    "ops.SparseTensorDenseAdd()(ms.Tensor([[0, 1], [1, 1]]), v[:2], ms.Tensor([3, 2]), m)": None,
}
_PLACES = "ms.Tensor([[[[5, 7], [13, 15]]]])"
_LABELS, _SIGNS = "ms.Tensor([1, 0, 3])", "(2 * (y > 0).astype(ms.float32) - 1)"
_GRID = "ops.affine_grid(tilt, (2, 4, 3, 4))"
NETWORKS = {
    f"ops.hinge_embedding_loss(x, {_SIGNS})": True,
    f"ops.hinge_embedding_loss(x, {_SIGNS}, 0.5, 'none')": True,
    f"ops.margin_ranking_loss(x, y, {_SIGNS}, 0.5, 'sum')": True,
    f"ops.margin_ranking_loss(x, y, {_SIGNS}, reduction='none')": True,
    f"ops.multi_margin_loss(x, {_LABELS})": True,
    f"ops.multi_margin_loss(x, {_LABELS}, 2, 1, p[0], 'none')": None,
    f"ops.MultiMarginLoss(2, 0.5, 'sum')(x, {_LABELS}, p[0])": None,
    "ops.multilabel_soft_margin_loss(x, (y > 0).astype(ms.float32))": True,
    "ops.multilabel_soft_margin_loss(x, (y > 0).astype(ms.float32), p[0], 'none')": True,
    "ops.gaussian_nll_loss(x, y, p)": True,
    "ops.gaussian_nll_loss(x, y, p, True, 0.5, 'none')": True,
    "ops.gaussian_nll_loss(x, y, p[:, :1], reduction='sum')": True,
    "ops.GLU()(x)": None,
    "ops.GLU(axis=0)(x.T)": None,
    "ops.lrn(image, 1, 2.0, 0.5, 0.75)": True,
    "ops.AdaptiveAvgPool3D((2, None, 2))(image.expand_dims(0))": None,
    "ops.AdaptiveMaxPool3D()(image.expand_dims(0), ms.Tensor([2, 2, 3], ms.int32))": None,
    "ops.MaxPoolWithArgmaxV2(2)(image[:, :1])": None,
    "ops.MaxPoolWithArgmaxV2((2, 3), (1, 2), (1, 1), (1, 1), True, ms.int32)(image[:, 1:2])": None,
    "ops.MaxPool3DWithArgmax((2, 2, 2), (1, 1, 1), (0, 0, 0))(image.expand_dims(0))": None,
    "ops.MaxPool3DWithArgmax(2, 1, 1, argmax_type=ms.int32)(image.expand_dims(0))": None,
    "ops.max_unpool1d(x, ms.Tensor([[1, 3, 5, 7]] * 3), 2)": None,
    "ops.max_unpool1d(x, ms.Tensor([[1, 3, 5, 7]] * 3), 2, output_size=(9,))": None,
    f"ops.max_unpool2d(p[:2, :2].reshape(1, 1, 2, 2), {_PLACES}, 2)": None,
    f"ops.MaxUnpool2D(2)(p[:2, :2].reshape(1, 1, 2, 2), {_PLACES})": None,
    "ops.max_unpool3d(x.reshape(1, 1, 3, 2, 2), ms.ops.arange(12).reshape(1, 1, 3, 2, 2), 1)": None,
    "ops.MaxUnpool3D(1)(x.reshape(1, 1, 3, 2, 2), ms.ops.arange(12).reshape(1, 1, 3, 2, 2))": None,
    **{f"ops.AffineGrid({corners})(tilt, (2, 4, 3, 4))": None for corners in (True, False)},
    f"ops.GridSampler2D('bilinear', 'zeros', True)(image, {_GRID})": None,
    f"ops.GridSampler2D('nearest', 'border', False)(image, {_GRID})": False,
    f"ops.GridSampler3D()(image.expand_dims(2), ops.concat(({_GRID}, {_GRID}[..., :1]), -1).expand_dims(1))": None,
    "ops.Im2Col([2, 3])(image)": None,
    "ops.Im2Col((2, 2), 2, (1, 2), 1)(image)": None,
    "ops.col2im(image.reshape(2, 2, 6, 5), ms.Tensor([3, 7], ms.int32), [2, 3], [1, 2], [0, 1], [2, 1])": None,
    "ops.Col2Im((2, 3), (1, 2), (0, 1), (2, 1))(image.reshape(2, 2, 6, 5), ms.Tensor([3, 7], ms.int32))": None,
    "ops.ctc_greedy_decoder(speech, times[:3])": False,
    "ops.ctc_greedy_decoder(speech, times[:3], False)": False,
    "ops.CTCGreedyDecoder()(speech, ms.Tensor([6, 6, 0], ms.int32))": False,
    "ops.RGBToHSV()(colours)": None,
    "ops.HSVToRGB()(colours)": None,
    "ops.AdjustHue()(colours, ms.Tensor(0.2))": None,
    "ops.AdjustSaturation()(colours, ms.Tensor(1.5))": None,
}
_NUMBERS = ", ".join(f"ms.Tensor({x})" for x in (0.9, 0.99, 0.01, 0.9, 0.99, 1e-8))
# A step, and the Parameters that it writes; MindSpore's "Fused" steps answer with other things than the new values
STEPS = {
    "ops.ApplyGradientDescent()(ms.Parameter(x), 0.1, y)": False,
    "ops.ApplyProximalGradientDescent()(ms.Parameter(x), 0.1, 0.2, 0.3, y)": False,
    "ops.ApplyProximalAdagrad()(ms.Parameter(x), ms.Parameter(p), 0.1, 0.2, 0.3, y)": False,
    "ops.ApplyFtrl()(ms.Parameter(x), ms.Parameter(p), ms.Parameter(q), y, 0.1, 0.0, 0.3, -0.6)": False,
    "ops.ApplyAdagradV2(1e-6)(ms.Parameter(x), ms.Parameter(p), 0.1, y)": False,
    "ops.ApplyAdagradV2(0.1, False)(ms.Parameter(x), ms.Parameter(p), 0.1, y)": False,
    "ops.ApplyAdagradDA()(ms.Parameter(x), ms.Parameter(u), ms.Parameter(p), y, 0.1, 0.0, 0.3, k1)": False,
    "ops.ApplyAddSign()(ms.Parameter(x), ms.Parameter(u), 0.1, 1.0, 0.99, 0.9, y)": False,
    "ops.ApplyPowerSign()(ms.Parameter(x), ms.Parameter(u), 0.1, 1.5, 0.99, 0.9, y)": False,
    "ops.SparseApplyFtrl(0.1, 0.1, 0.2, -0.5)(ms.Parameter(x), ms.Parameter(p), ms.Parameter(u), y[:2], "
    "ms.Tensor([2, 0], ms.int32))": False,
    "ops.SparseApplyAdagrad(0.1)(ms.Parameter(x), ms.Parameter(p), y[:2], ms.Tensor([2, 0], ms.int32))": False,
}
_PARAMETERS = "ms.Parameter(x, name='w'), ms.Parameter(p, name='a'), ms.Parameter(u, name='l')"
_AT_ROWS = f"(lambda w, a, l, step: (step(w, a, l), w + 0, a + 0, l + 0)[1:])({_PARAMETERS}, "
_GRADIENT = "g=y, at=ms.Tensor([2, 0, 2], ms.int32)"
STEPS.update(
    dict.fromkeys(
        (
            f"{_AT_ROWS}lambda w, a, l, op=ops.FusedSparseFtrl(0.1, 0.1, 0.2, -0.5), {_GRADIENT}: op(w, a, l, g, at))",
            f"{_AT_ROWS}lambda w, a, l, op=ops.FusedSparseProximalAdagrad(), {_GRADIENT}: "
            "op(w, a, 0.1, 0.2, 0.3, g, at))",
            f"{_AT_ROWS}lambda w, a, l, op=ops.FusedSparseAdam(), {_GRADIENT}, n=[{_NUMBERS}]: op(w, l, a, *n, g, at))",
            f"{_AT_ROWS}lambda w, a, l, op=ops.FusedSparseLazyAdam(), {_GRADIENT}, n=[{_NUMBERS}]: "
            "op(w, l, a, *n, g, at))",
        ),
        False,
    )
)
CALLS = {**SPECIAL, **MATRICES, **ARRAYS, **NETWORKS, **STEPS}


def inputs():
    """The arrays by their names."""
    rng = np.random.default_rng(17)

    def reals(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    found = {"x": reals(3, 4), "y": reals(3, 4), "v": reals(5), "u": rng.uniform(0.05, 0.95, (3, 4)).astype(np.float32)}
    found["p"], found["q"] = (np.exp(reals(3, 4)) + np.float32(0.2) for _ in "pq")
    found |= {f"{name}64": found[name].astype(np.float64) for name in "pq"} | {"p16": found["p"].astype(np.float16)}
    found |= {"m": reals(3, 2), "n": reals(3, 2), "b": reals(3, 3) + 3 * np.eye(3, dtype=np.float32)}
    found |= {"low": np.tril(found["b"]), "long": reals(2, 20), "half32": np.array(0.5, np.float32)}
    found |= {"turns": np.array([2, 3, 3], np.int32), "times": np.array([1, 2, 1, 3], np.int32)}
    found |= {"half": np.array(0.5), "z": (reals(3, 4) + 1j * reals(3, 4)).astype(np.complex64)}
    found |= {"image": reals(2, 4, 3, 5), "runs": np.array([[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 1, 1]], np.int32)}
    found |= {"ordered": np.sort(rng.integers(-30, 30, (2, 6)), 1).astype(np.int32)}
    found |= {"places": np.array([[0, 0, 1], [1, 1, 2]])}
    found |= {"tilt": reals(2, 2, 3), "colours": rng.uniform(0.05, 0.95, (1, 2, 5, 3)).astype(np.float32)}
    found |= {"speech": rng.integers(-2, 3, (6, 3, 3)).astype(np.float32) + np.float32([0, 0.1, 0.2])}
    found["edge"] = np.array([np.nan, np.inf, -np.inf, 0, -1, 1], np.float32)
    found["one"] = np.ones(6, np.float32)
    found |= {name: rng.integers(-30, 30, (3, 4)).astype(np.int32) for name in "ij"}
    return {**found, "k0": np.array(0, np.int32), "k1": np.array(1, np.int32)}


def observed(ms, call, with_gradient):
    """A call's outputs, and the gradients of the first output's sum, as arrays by number."""
    arrays = inputs()
    names = used(call, arrays)
    tensors = {name: ms.Tensor(arrays[name]) for name in names}
    found = {f"out{i}": np.array(y.asnumpy()) for i, y in enumerate(run(ms, call, tensors))}
    moving = tuple(i for i, name in enumerate(names) if arrays[name].dtype.kind == "f")
    if with_gradient:

        def total(*values):
            return run(ms, call, dict(zip(names, values)))[0].sum()

        grads = ms.grad(total, moving)(*tensors.values())
        grads = grads if isinstance(grads, tuple) else (grads,)
        found.update({f"grad{i}": np.array(g.asnumpy()) for i, g in enumerate(grads)})
    return found
