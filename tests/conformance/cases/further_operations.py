"""Calls of operations that came late, on complex numbers, singular values, sequences; what each is fed with."""

# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import functools

import numpy as np

_ONE = "Acosh ACos Angle Asin Asinh Atan Atanh Conj Cos Cosh Exp Expm1 Imag Real Inv Log Log1p Neg OnesLike ZerosLike"
_ONE += " Reciprocal Rsqrt Sigmoid Sign Sin Sinh Sqrt Square Tan Tanh ComplexAbs Abs Identity Flatten ReduceSum"
_ONE += " ReduceMean ReduceProd Diag"
_TWO = "Add Sub Mul Div RealDiv DivNoNan MulNoNan Pow Equal NotEqual Xdivy Xlogy SquaredDifference Cross"
# Gradients in which MindSpore's own rules hold the complex conjugate, or need none
_CONJUGATED = "Angle Conj Imag Real Neg Reciprocal Rsqrt Sigmoid Sinh Sqrt ComplexAbs ReduceSum Asinh ACos Asin Acosh"

# What is called -> whether its gradients are compared; z, w, q are complex, x, y, m, v real
CALLS = {f"ops.{name}()(z)": name in _CONJUGATED.split() for name in _ONE.split()}
CALLS |= {f"ops.{name}()(z, w)": name in ("Add", "Sub", "Div") for name in _TWO.split()}
CALLS |= dict.fromkeys(
    (
        "ops.MatMul()(z, q)",
        "ops.Complex()(x, y)",
        "ops.polar(x.abs(), y)",
        "ops.view_as_real(z)",
        "ops.adjoint(q)",
        "ops.AddN()((z, w))",
        "ops.CumSum()(z, 1)",
        "ops.CumProd()(z, 0)",
        "ops.MatrixInverse()(q)",
        "ops.MatrixDeterminant()(q)",
        "ops.DiagPart()(q)",
        "ops.concat((z, w))",
        "ops.stack((z, w), 1)",
        "ops.tile(z, (2, 1))",
        "ops.isreal(z)",
        "z.reshape(3, 2)",
        "z.transpose(1, 0)",
        "z[:, 1:]",
        "z.H",
        "z.real()",
        "z.imag()",
        "z.conj()",
        "z.sum(0)",
        "z.mean()",
        "z.astype(ms.complex64)",
        "ops.Eps()(x)",
        "ops.Eps()(x.astype(ms.float16))",
        "ops.t(x)",
        "ops.t(x[0])",
    ),
    False,
)
_CONVOLUTION = "ops.deformable_conv2d(p, k, d, (2, 3), (1, 1, 2, 1), (1, 0, 1, 1), dilations=(1, 1, 1, 2)"
CALLS |= dict.fromkeys(
    (
        "ops.LSTM(3, 2, 1, True, False, 0.0)(s, h[:1], h[2:3], a[:48])[:3]",
        "ops.LSTM(3, 2, 1, False, True, 0.0)(s, h[:2], h[2:], a[:80])[:3]",
        "ops.LSTM(4, 4, 2, False, False, 0.0)(s4, h4[:2], h4[2:], a[:256])[:3]",
        f"{_CONVOLUTION})",
        f"{_CONVOLUTION}, bias=k[0, :2, 0, 0], groups=2, deformable_groups=2)".replace("k, d", "k2, d2"),
        "ops.svd(m, compute_uv=False)",
        "ops.pinv(m)",
        "ops.pinv(m, rtol=0.9)",
        "ops.pinv(m, atol=2.0)",
        "ops.pinv(ops.matmul(m, m.swapaxes(0, 1)) + ops.eye(4, 4, ms.float32), hermitian=True)",
        "ops.batch_dot(x, y)",
        "ops.batch_dot(v, v, 1)",
        "ops.batch_dot(v, x)",
        "ops.batch_dot(v, v, (2, 1))",
        "ops.logdet(ops.matmul(m.swapaxes(0, 1), m))",
        *(f"ops.norm(m, {order!r})" for order in ("nuc", 2, -2)),
        *(f"ops.norm(v, {order!r}, (1, 2))" for order in ("nuc", 2, -2)),
        *(f"ops.norm(v, {order!r}, (0, 2), True)" for order in ("nuc", 2, -2)),
        "ops.lp_pool1d(v, 2, 2)",
        "ops.lp_pool1d(v[0].abs(), 3, 2, 1, True)",
        "ops.lp_pool1d(p[0], 1, 3, 2)",
        "ops.lp_pool2d(p, 2, 3)",
        "ops.lp_pool2d(p, 2, (3, 2), (2, 3), True)",
        "ops.lp_pool2d(p.abs(), 2.5, 4, 2)",
        "ops.lp_pool2d(p, -1, 2)",
    ),
    True,
)
_KINDS = ("float16", "int32", "float64")
CALLS |= dict.fromkeys(
    (
        "ops.lp_pool1d((v * 3).astype(ms.int32), 2, 2)",
        "ops.fractional_max_pool2d(p, 2, (3, 4), return_indices=True, _random_samples=u2)",
        "ops.fractional_max_pool2d(p, (3, 1), output_ratio=(0.5, 0.7), return_indices=True, _random_samples=u2)",
        "ops.fractional_max_pool2d(p[0], 2, 1, 0.5, _random_samples=u2[:1])",
        *(f"ops.fractional_max_pool2d((p * 9).abs().astype(ms.{k}), 2, 3, None, True, u2)" for k in _KINDS),
        "nn.FractionalMaxPool2d(2, (5, 6), return_indices=True, _random_samples=u2)(p)",
        "ops.fractional_max_pool3d(o, 2, (3, 4, 4), return_indices=True, _random_samples=u3)",
        "ops.fractional_max_pool3d(o[0], (1, 2, 3), output_ratio=0.6, return_indices=True, _random_samples=u3[:1])",
        "nn.FractionalMaxPool3d(2, (1, 3, 2), _random_samples=u3)(o)",
    ),
    False,
)
CALLS["ops.fractional_max_pool3d(o, (1, 2, 3), output_ratio=0.5, _random_samples=ops.stop_gradient(u3))"] = True


def inputs():
    """The arrays by their names."""
    rng = np.random.default_rng(11)

    def reals(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    found = {name: (reals(2, 3) + 1j * reals(2, 3)).astype(np.complex64) for name in "zw"}
    found["q"] = (reals(3, 3) + 1j * reals(3, 3) + 2 * np.eye(3)).astype(np.complex64)
    found |= {"x": reals(2, 3), "y": reals(2, 3), "m": reals(4, 3), "v": reals(2, 3, 3)}
    found |= {
        "s": reals(5, 2, 3),
        "h": reals(4, 2, 2),
        "s4": reals(5, 2, 4),
        "h4": reals(4, 2, 4),
        "a": reals(256, 1, 1),
    }
    found |= {"p": reals(2, 4, 6, 7), "k": reals(2, 4, 2, 3), "k2": reals(2, 2, 2, 3)}
    found["a"] = reals(256, 1, 1)
    found |= {"d": reals(2, 18, 3, 5), "d2": reals(2, 36, 3, 5)}
    found |= {"o": reals(2, 3, 5, 7, 9), "u2": rng.random((2, 4, 2), np.float32)}
    return {**found, "u3": rng.random((2, 3, 3), np.float32)}


def used(call, given):
    """The names of the inputs that a call reads, in order."""
    return [name for name in given if name in compile(call, "", "eval").co_names]


def run(ms, call, given):
    """What a call returns, as a tuple of Tensors."""
    out = eval(call, {"__name__": __name__, "ms": ms, "nn": ms.nn, "ops": ms.ops, **given})
    return tuple(out) if isinstance(out, (tuple, list)) else (out,)


def observed(ms, call, with_gradient):
    """A call's outputs, and the gradients of the first output's sum, as arrays by number."""
    arrays = inputs()
    names = used(call, arrays)
    tensors = {name: ms.Tensor(arrays[name]) for name in names}
    found = {f"out{i}": np.array(y.asnumpy()) for i, y in enumerate(run(ms, call, tensors))}
    if with_gradient:

        def total(*values):
            return run(ms, call, dict(zip(names, values)))[0].sum()

        grads = ms.grad(total, tuple(range(len(names))))(*tensors.values())
        grads = grads if isinstance(grads, tuple) else (grads,)
        found.update({f"grad{i}": np.array(g.asnumpy()) for i, g in enumerate(grads)})
    return found


@functools.cache
def recorded(path):
    """The arrays of each call in a file of vectors, by their kind and number."""
    found = {}
    with np.load(path) as file:
        for name in file.files:
            call, _, key = name.rpartition("|")
            found.setdefault(call, {})[key] = file[name]
    return found
