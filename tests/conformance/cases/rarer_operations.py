"""Calls of operations that few programs use, by family; what each is fed with, and whether its gradients are compared.

A call is an expression of ``ops`` or ``nn`` and of the arrays of :func:`inputs`.
"""

# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import numpy as np
from conformance.cases.further_operations import run, used

_BESSEL = ["i0", "i0e", "i1", "i1e", "j0", "j1", "k0", "k0e", "k1", "k1e", "y0", "y1"]

# Call -> whether MindSpore's gradients are compared: not where its rule is missing or wrong
SPECIAL = {
    **{f"ops.bessel_{name}({x})": True for name in _BESSEL for x in ("p", "p64")},
    **{f"ops.bessel_{name}(p16)": False for name in _BESSEL},
    **{f"ops.Bessel{name.upper().replace('E', 'e')}()(p)": False for name in _BESSEL},
    **{f"ops.bessel_{name}(x)": True for name in ("i0", "i0e", "i1", "i1e", "j0", "j1")},
    "ops.i0(x)": True,
    "x.i0()": False,
    "ops.igamma(2.0 + ops.zeros((3, 1), ms.float32), p)": False,
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
    "ops.Mvlgamma(p=2)(p64 + 2.0)": False,
    "p.mvlgamma(1)": False,
    "ops.gcd(i, j)": False,
    "ops.lcm(i, j)": False,
    "ops.Gcd()(i, j.astype(ms.int64))": False,
    "i.lcm(j)": False,
    "ops.nextafter(p64, q64)": False,
    "ops.population_count(i)": False,
    "ops.PopulationCount()(-i.astype(ms.int16))": False,
    "ops.population_count(i.astype(ms.uint8))": False,
    "ops.isposinf(edge)": False,
    "ops.isneginf(edge)": False,
    "ops.Sinc()(x)": False,
    "ops.Sinc()(i)": False,
    "ops.Logit()(u)": False,
    "ops.Logit(0.2)(u)": False,
    "ops.CumulativeLogsumexp()(x, k0)": False,
    "ops.CumulativeLogsumexp(True, False)(x, k1)": False,
    "ops.CumulativeLogsumexp(False, True)(x.astype(ms.float16), k0)": False,
    "ops.CumulativeLogsumexp(True, True)(x.astype(ms.float64), k1)": False,
    "nn.IGamma()(p, q)": False,
    "nn.DiGamma()(p)": False,
    "nn.LGamma()(p)": False,
    "nn.LBeta()(p, q)": False,
}
_K, _WIDE = "ms.Tensor([-1, 1], ms.int32)", "ms.Tensor(4, ms.int32)"
MATRICES = {
    "ops.cholesky_inverse(low)": False,
    "ops.CholeskyInverse(True)(low.T)": False,
    "ops.cholesky_solve(m, low)": False,
    "ops.CholeskySolve(upper=True)(m, low.T)": False,
    "ops.qr(m)": False,
    "ops.qr(m, 'complete')": False,
    "ops.Qr()(m.T)": False,
    "ops.geqrf(m)": False,
    "ops.Geqrf()(b)": False,
    "ops.orgqr(*ops.geqrf(m))": False,
    "ops.Orgqr()(m, v[:2])": False,
    "ops.lstsq(m, n)": False,
    "ops.lstsq(m, v[:3])": False,
    "ops.lstsq(m.T, n[:2])": False,
    "ops.Lstsq()(b, n)": False,
    "ops.lu_solve(n, b, turns)": False,
    "ops.LuSolve()(n, b, turns)": False,
    "ops.lu_unpack(b, turns)": False,
    "ops.lu_unpack(m, turns[:2])": False,
    "ops.lu_unpack(m.T, times[:2])": False,
    "ops.matrix_power(b.expand_dims(0), 3)": True,
    "ops.matrix_power(b.expand_dims(0), 0)": False,
    "ops.matrix_power(b.expand_dims(0), -2)": False,
    "ops.MatrixPower(4)(b.expand_dims(0))": False,
    "ops.MatrixSolveLs(True)(m, n, half)": False,
    "ops.MatrixSolveLs(False)(m, n, half)": False,
    "ops.MatrixTriangularSolve(lower=True, adjoint=False)(b, m)": False,
    "ops.MatrixTriangularSolve(lower=True, adjoint=True)(b, m)": False,
    "ops.MatrixTriangularSolve(lower=False, adjoint=False)(b, m)": False,
    "ops.TridiagonalMatMul()(x[:1, :3], y[:1, :3], u[:1, :3], m)": False,
    "ops.ConjugateTranspose()(x, (1, 0))": False,
    "ops.ConjugateTranspose()(z, (1, 0))": False,
    "ops.cov(x)": True,
    "ops.cov(v)": True,
    "ops.cov(x, correction=0)": True,
    "ops.cov(x, fweights=times, aweights=p[0])": False,
    "ops.cov(i)": False,
    "v.cov()": False,
    "ops.pdist(x, 2.0)": True,
    "ops.pdist(x, 1.0)": True,
    "ops.pdist(x, 3.0)": True,
    "ops.pdist(x, 0.0)": False,
    "ops.Pdist(float('inf'))(x)": False,
    "ops.fft(z)": False,
    "ops.fft(z, 5, 0)": False,
    "ops.fft(z, 2, norm='ortho')": False,
    "ops.ifft(z, norm='forward')": False,
    "ops.fft2(z, (2, 5), (1, 0))": False,
    "ops.ifft2(z)": False,
    "ops.fftn(z, (2,))": False,
    "ops.fftn(z, dim=(0, 1))": False,
    "ops.ifftn(z, (4, 4))": False,
    "ops.stft(long, 8)": False,
    "ops.stft(long[0], 8, 3, 6, p.reshape(12)[:6], return_complex=True)": False,
    "ops.stft(long, 8, 4, center=False, normalized=True, onesided=False)": False,
    "ops.stft(long, 7, pad_mode='CONSTANT')": False,
    "ops.STFT(8, 4, 8, False, True, True)(long, q.reshape(12)[:8])": False,
    "ops.matrix_diag(x)": False,
    f"ops.matrix_diag(b, {_K}, {_WIDE})": False,
    f"ops.matrix_diag(b, {_K}, align='LEFT_RIGHT', padding_value=ms.Tensor(7.0))": False,
    f"ops.matrix_diag(b, {_K}, num_cols={_WIDE}, align='LEFT_LEFT')": False,
    "ops.matrix_diag(x, ms.Tensor(1, ms.int32))": False,
    "ops.MatrixDiagV3()(x, ms.Tensor(-1, ms.int32), ms.Tensor(5, ms.int32), ms.Tensor(4, ms.int32), half32)": False,
    f"ops.matrix_diag_part(x, {_K}, half32)": False,
    f"ops.matrix_diag_part(x, {_K}, half32, 'LEFT_LEFT')": False,
    f"ops.matrix_diag_part(x.T, {_K}, half32, 'RIGHT_RIGHT')": False,
    "ops.MatrixDiagPartV3()(x, ms.Tensor(2, ms.int32), half32)": False,
    "ops.matrix_set_diag(x, v[:3])": False,
    "ops.matrix_set_diag(x, b[:2], ms.Tensor([0, 1], ms.int32))": False,
    "ops.MatrixSetDiagV3('LEFT_RIGHT')(x, b[:2], ms.Tensor([-1, 0], ms.int32))": False,
}
CALLS = {**SPECIAL, **MATRICES}


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
