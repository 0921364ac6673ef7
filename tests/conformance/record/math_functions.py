"""Record mathematics, reductions, comparisons and linear algebra of the real MindSpore into ``vectors/math.npz``.

Runs with MindSpore 2.0.0's Python: ``python -m conformance.record.math_functions [--out FILE]``. A row of the table
says what is called (``ops.atan2``, ``T.max`` for a Tensor's method, ``P.LpNorm`` for a primitive made with ``init``),
with which inputs (kind, shape, dtype) and arguments, where ``"$0"`` stands for an input. The file has the inputs,
outputs and, for rows that say so, the gradients of the sum of the first floating output; ``meta`` holds the table as
JSON.
"""

import argparse
import json
import pathlib

import mindspore as ms
import numpy as np
from mindspore import ops

EDGES = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.5, 65504.0, 0.5, -0.25, 3e38]
BOUNDS = [np.nan, np.inf, -np.inf, 0.0, 1.0, -1.5]
DRAW = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "positive": lambda rng, shape: rng.uniform(0.2, 3, shape),
    "inside": lambda rng, shape: rng.uniform(-0.9, 0.9, shape),
    "above": lambda rng, shape: rng.uniform(1.1, 4, shape),
    "int": lambda rng, shape: rng.integers(-4, 5, shape),
    "count": lambda rng, shape: rng.integers(1, 5, shape),
    "bit": lambda rng, shape: rng.integers(0, 2, shape),
    "distinct": lambda rng, shape: rng.permutation(int(np.prod(shape))).reshape(shape) * 0.5 - 2,
    "square": lambda rng, shape: rng.uniform(-0.5, 0.5, shape) + 3 * np.eye(shape[-1]),
    "definite": lambda rng, shape: (lambda a: a @ a.swapaxes(-1, -2) + np.eye(shape[-1]))(rng.normal(size=shape)),
    "edges": lambda rng, shape: np.array(EDGES),
    "row": lambda rng, shape: np.repeat(BOUNDS, len(BOUNDS)),
    "column": lambda rng, shape: np.tile(BOUNDS, len(BOUNDS)),
}
NORMAL, WHOLE = ("normal", [2, 3], "float32"), ("int", [2, 3], "int32")


def row(call, *args, inputs=(NORMAL,), init=(), grad=False, **kwargs):
    """A row of the table; without arguments the inputs are the arguments."""
    args = args or tuple(f"${i}" for i in range(len(inputs)))
    return {"call": call, "args": args, "kwargs": kwargs, "inputs": inputs, "init": init, "grad": grad}


REALS = "sin cos tan atan sinh cosh asinh erf erfc exp exp2 expm1 neg negative abs absolute square floor ceil trunc"
REALS += " sign sgn positive deg2rad rad2deg frac sinc nan_to_num signbit isreal isnan isinf isfinite round lgamma"
REALS += " digamma inv"
DOMAINS = {"inside": "asin acos atanh erfinv log1p arcsin arccos arctanh", "above": "acosh arccosh"}
DOMAINS["positive"] = "log log2 log10 sqrt rsqrt reciprocal lgamma digamma"
NO_GRADIENT = {
    "signbit",
    "isreal",
    "isnan",
    "isinf",
    "isfinite",
    "floor",
    "ceil",
    "trunc",
    "sign",
    "sgn",
    "round",
    "positive",
}
# What MindSpore computes otherwise at the edges, or with another order of roundings.
ODD_AT_EDGES = {"frac", "digamma", "lgamma", "inv", "sinc", "signbit", "deg2rad"}


def words(text):
    """The words of a text."""
    return text.split()


def functions():
    """Functions of one Tensor: in float32 with gradients, in float16, at the edges."""
    for name in words(REALS):
        kind = "positive" if name in ("lgamma", "digamma", "inv") else "normal"
        yield row(f"ops.{name}", inputs=((kind, [2, 3], "float32"),), grad=name not in NO_GRADIENT)
        yield row(f"ops.{name}", inputs=((kind, [7], "float16"),))
        if name not in ODD_AT_EDGES:
            yield row(f"ops.{name}", inputs=(("edges", [], "float32"),))
    for kind, names in DOMAINS.items():
        for name in words(names):
            yield row(f"ops.{name}", inputs=((kind, [2, 3], "float32"),), grad=True)
            yield row(f"ops.{name}", inputs=((kind, [7], "float16"),))
    for name in words("abs square neg sign round trunc inv invert reciprocal exp2 isnan isfinite logical_not"):
        yield row(f"ops.{name}", inputs=(("count", [2, 3], "int32"),))


COMPARISONS = "equal not_equal ne less lt less_equal le greater gt greater_equal ge"


def pairs():
    """Functions of two Tensors, with broadcasting."""
    column = ("normal", [2, 1], "float32")
    for name in words(
        "add sub mul div divide true_divide multiply subtract maximum minimum atan2 hypot logaddexp copysign"
    ):
        yield row(f"ops.{name}", inputs=(NORMAL, column), grad=name != "copysign")
    for name in (
        "xdivy",
        "xlogy",
        "floor_mod",
        "remainder",
        "fmod",
        "truncate_mod",
        "pow",
        "logaddexp2",
        "float_power",
    ):
        yield row(f"ops.{name}", inputs=(("positive", [2, 3], "float32"), ("positive", [2, 1], "float32")))
    for name in ("xdivy", "xlogy", "pow"):
        yield row(f"ops.{name}", inputs=(("positive", [2, 3], "float32"), ("positive", [3], "float32")), grad=True)
    for name in words(COMPARISONS):
        yield row(f"ops.{name}", inputs=(WHOLE, ("int", [3], "int32")))
        yield row(f"ops.{name}", inputs=(("row", [], "float32"), ("column", [], "float32")))
    for name in words("maximum minimum atan2 add mul div heaviside"):
        yield row(f"ops.{name}", inputs=(("row", [], "float32"), ("column", [], "float32")))
    for name in words(
        "fmod remainder truncate_div truncate_mod floor_mod div floor_div bitwise_and bitwise_or bitwise_xor"
    ):
        yield row(f"ops.{name}", inputs=(WHOLE, ("count", [2, 3], "int32")))
    for name in ("bitwise_left_shift", "bitwise_right_shift"):
        yield row(f"ops.{name}", inputs=(WHOLE, ("count", [2, 3], "int32")))
    for name in words("logical_and logical_or logical_xor"):
        yield row(f"ops.{name}", inputs=(("bit", [2, 3], "bool"), ("bit", [3], "bool")))
        yield row(f"ops.{name}", inputs=(WHOLE, ("int", [2, 3], "int32")))
    for mode in ("floor", "trunc"):
        yield row("ops.div", "$0", "$1", inputs=(NORMAL, NORMAL), rounding_mode=mode)
    yield row("ops.subtract", "$0", "$1", inputs=(NORMAL, NORMAL), alpha=2)
    for name in ("DivNoNan", "MulNoNan", "SquaredDifference", "Xdivy"):
        yield row(f"P.{name}", inputs=((*WHOLE[:2], "float32"), ("int", [3], "float32")), grad=True)
    yield row("ops.ldexp", inputs=(NORMAL, ("count", [2, 3], "float32")))
    yield row("ops.isclose", inputs=(("row", [], "float32"), ("column", [], "float32")))
    yield row("ops.isclose", "$0", "$1", inputs=(NORMAL, NORMAL), rtol=0.5, atol=0.25)
    yield row("ops.isclose", "$0", "$1", inputs=(("row", [], "float32"), ("column", [], "float32")), equal_nan=True)
    yield row("ops.approximate_equal", "$0", "$1", 0.75, inputs=(NORMAL, NORMAL))
    yield row("P.EqualCount", inputs=(WHOLE, WHOLE))
    yield row("ops.heaviside", inputs=(WHOLE, ("count", [3], "int32")))


def blends():
    """Mixtures of several Tensors, and what is cut off."""
    three = (NORMAL, ("normal", [3], "float32"), ("positive", [2, 1], "float32"))
    yield row("ops.lerp", inputs=three, grad=True)
    yield row("ops.lerp", "$0", "$1", 0.25, inputs=three[:2], grad=True)
    yield row("ops.addcmul", "$0", "$1", "$2", 0.5, inputs=three, grad=True)
    yield row("ops.addcdiv", "$0", "$1", "$2", 0.5, inputs=three, grad=True)
    yield row("ops.addcmul", inputs=(WHOLE, WHOLE, WHOLE))
    yield row("ops.addn", ["$0", "$1", "$2"], inputs=(NORMAL,) * 3, grad=True)
    yield row("ops.addn", ["$0", "$1"], inputs=(WHOLE,) * 2)
    yield row("ops.cross", inputs=(NORMAL, NORMAL), grad=True)
    yield row("ops.cross", "$0", "$1", 0, inputs=(("normal", [3, 3], "float32"),) * 2, grad=True)
    yield row("ops.cross", inputs=(("normal", [3, 3], "float32"),) * 2)
    yield row("ops.clamp", "$0", -0.5, 0.5, grad=True)
    yield row("ops.clamp", "$0", -1, 2, inputs=(WHOLE,))
    yield row("ops.clip", "$0", "$1", inputs=(NORMAL, NORMAL))
    yield row("ops.nan_to_num", "$0", 1.0, 2.0, 3.0, inputs=(("edges", [], "float32"),), grad=True)
    yield row("ops.nan_to_num", inputs=(("edges", [], "float16"),))
    yield row("P.SquareSumAll", inputs=(NORMAL, NORMAL), grad=True)
    yield row("P.L2Loss", grad=True)


def reductions():
    """Reductions, extremes, statistics."""
    x = ("distinct", [3, 4], "float32")
    for name in words("sum prod amax amin mean max min argmax argmin median all any count_nonzero std var"):
        grad = name not in ("argmax", "argmin", "all", "any", "count_nonzero")
        yield row(f"ops.{name}", inputs=(x,), grad=grad and name != "prod")  # whose gradient over all axes is wrong
        yield row(f"ops.{name}", "$0", 1, inputs=(x,), grad=grad)
        yield row(f"ops.{name}", "$0", 0, *((1,) if name in ("std", "var") else ()), True, inputs=(x,), grad=grad)
        if name not in ("median", "std", "var"):
            yield row(f"ops.{name}", "$0", 1, inputs=(("int", [3, 4], "int32"),))
    for name in words("sum prod amax amin mean all any count_nonzero"):
        yield row(f"ops.{name}", "$0", [0, -1], inputs=(("normal", [2, 3, 2], "float32"),))
    for name in words("max min argmax argmin sum prod mean std var median logsumexp trace norm amax"):
        yield row(
            f"T.{name}", *(("$0", 1) if name in ("logsumexp", "max", "min") else ("$0",)), inputs=(x,), grad=False
        )
    yield row("T.max", "$0", 1, inputs=(x,), return_indices=True)
    yield row("T.argmax_with_value", "$0", 1, True, inputs=(x,))
    yield row("T.argmin_with_value", "$0", 0, inputs=(x,))
    yield row("ops.max", "$0", 1, inputs=(x,), initial=1.0)
    yield row("ops.amax", "$0", 1, inputs=(x,), initial=1.0)
    yield row("ops.prod", "$0", 1, inputs=(("int", [4, 5], "float32"),), grad=True)
    yield row("ops.prod", "$0", 0, inputs=(("int", [4], "float32"),), grad=True)
    for name in ("std_mean", "var_mean"):
        yield row(f"ops.{name}", "$0", 1, 1, True, grad=True)
    yield row("P.ReduceStd", init=[[1], False, True], grad=True)
    yield row("ops.logsumexp", "$0", 1, grad=True)
    yield row("ops.logsumexp", "$0", [0, 1], True)
    yield row("ops.aminmax", "$0", inputs=(x,), axis=1)
    yield row("ops.sum", "$0", inputs=(WHOLE,), dtype="float32")
    yield row("ops.sum", inputs=(("positive", [2000], "float16"),))
    yield row("ops.nansum", inputs=(NORMAL,))


def lengths():
    """Norms and distances."""
    for order in (None, 0, 1, 2, 3, float("inf"), -float("inf"), 0.5):
        yield row("ops.norm", "$0", order, inputs=(("normal", [5], "float32"),), grad=order in (None, 1, 2, 3))
        yield row("ops.norm", "$0", order, 1, True)
    for order in (None, "fro", 1, -1, float("inf"), -float("inf")):
        yield row("ops.norm", "$0", order)
        yield row("ops.norm", "$0", order, [0, 2], inputs=(("normal", [2, 3, 4], "float32"),))
    for p in (0, 1, 2, 3):
        yield row("P.LpNorm", init=[1, p], grad=p > 0)
    yield row("P.LpNorm", init=[[0, 1], 2, True], grad=True)
    yield row("P.L2Normalize", init=[1], grad=True)
    for p in (1.0, 2.0, 3.0, float("inf")):
        yield row(
            "ops.cdist", "$0", "$1", p, inputs=(("normal", [3, 2], "float32"), ("normal", [4, 2], "float32")), grad=True
        )
    yield row("ops.cosine_similarity", inputs=(NORMAL, NORMAL), grad=True)
    yield row("ops.cosine_similarity", "$0", "$1", 0, 10.0, inputs=(NORMAL, NORMAL))
    yield row("ops.dist", inputs=(NORMAL, NORMAL), grad=True)


def matrices():
    """Products of matrices, and what comes of square ones."""
    a, b, v = ("normal", [2, 3], "float32"), ("normal", [3, 4], "float32"), ("normal", [3], "float32")
    many = ("normal", [2, 2, 3], "float32"), ("normal", [2, 3, 4], "float32")
    yield row("ops.mm", inputs=(a, b), grad=True)
    yield row("ops.mv", inputs=(a, v), grad=True)
    yield row("ops.bmm", inputs=many, grad=True)
    yield row("ops.outer", inputs=(v, ("normal", [2], "float32")), grad=True)
    yield row("ops.inner", inputs=(a, ("normal", [4, 3], "float32")), grad=True)
    yield row("ops.inner", inputs=(v, v))
    yield row("ops.dot", inputs=(many[0], many[1]), grad=True)
    yield row("ops.kron", inputs=(a, ("normal", [2], "float32")), grad=True)
    for axes in (1, [[0], [1]], [1, 0], 0, [[0, 1], [1, 0]]):
        shape = [3, 2] if axes != 0 else [2]
        yield row("ops.tensor_dot", "$0", "$1", axes, inputs=(a, ("normal", shape, "float32")), grad=True)
    factors = {"beta": 0.5, "alpha": 2.0}
    yield row("ops.addmm", "$0", "$1", "$2", inputs=(("normal", [4], "float32"), a, b), grad=True, **factors)
    yield row("ops.addmv", "$0", "$1", "$2", inputs=(("normal", [2], "float32"), a, v), grad=True, **factors)
    yield row("ops.addr", "$0", "$1", "$2", inputs=(a, ("normal", [2], "float32"), v), grad=True, **factors)
    yield row("ops.addbmm", "$0", "$1", "$2", inputs=(("normal", [2, 4], "float32"), *many), grad=True, **factors)
    yield row("ops.baddbmm", "$0", "$1", "$2", inputs=(("normal", [2, 2, 4], "float32"), *many), grad=True, **factors)
    square = ("square", [2, 3, 3], "float32")
    for name in ("inverse", "det", "slogdet", "matrix_determinant"):
        yield row(f"ops.{name}", inputs=(square,), grad=name != "slogdet")
    yield row("P.MatrixInverse", init=[True], inputs=(square,))
    for adjoint in (False, True):
        rows = ("normal", [2, 3, 2], "float32")
        yield row("ops.matrix_solve", "$0", "$1", adjoint, inputs=(square, rows), grad=True)
        yield row("ops.cholesky", "$0", adjoint, inputs=(("definite", [2, 3, 3], "float32"),))
    yield row("ops.trace", inputs=(b,), grad=True)
    yield row("T.trace", "$0", 1, inputs=(b,))
    for lower, upper in ((1, 0), (-1, 1), (0, -1), (5, 0)):
        yield row("ops.matrix_band_part", "$0", lower, upper, inputs=(b,), grad=True)


def value_of(made, arg, tensors):
    """An argument as the table writes it, as what it stands for; lists are tuples, but lists of Tensors."""
    if isinstance(arg, str) and arg.startswith("$"):
        return tensors[int(arg[1:])]
    if isinstance(arg, (list, tuple)):
        values = [value_of(made, x, tensors) for x in arg]
        return values if made["call"].endswith("addn") else tuple(values)
    return arg


def called(made, module, ops_module, tensors):
    """What a row calls, on Tensors, as a tuple of its outputs."""
    space, name = made["call"].split(".")
    args = [value_of(made, x, tensors) for x in made["args"]]
    kwargs = dict(made["kwargs"])
    if "dtype" in kwargs:
        kwargs["dtype"] = getattr(module, kwargs["dtype"])
    if space == "P":
        init = [list(x) if isinstance(x, list) else x for x in made["init"]]
        out = getattr(ops_module, name)(*init)(*args)
    elif space == "T":
        out = getattr(args[0], name)(*args[1:], **kwargs)
    else:
        out = getattr(ops_module, name)(*args, **kwargs)
    return tuple(out) if isinstance(out, (tuple, list)) else (out,)


def record(key, made, out):
    """The inputs, the outputs and the gradients of the first floating output's sum."""
    rng = np.random.default_rng(int(key))
    with np.errstate(over="ignore"):
        arrays = [np.asarray(DRAW[kind](rng, shape)).astype(dtype) for kind, shape, dtype in made["inputs"]]
    tensors = [ms.Tensor(x) for x in arrays]
    outputs = called(made, ms, ops, tensors)
    out.update({f"{key}/input/{i}": x for i, x in enumerate(arrays)})
    out.update({f"{key}/output/{i}": y.asnumpy() for i, y in enumerate(outputs)})
    if made["grad"]:
        first = next(i for i, y in enumerate(outputs) if y.asnumpy().dtype.kind == "f")
        positions = tuple(range(len(tensors)))
        grads = ms.grad(lambda *xs: called(made, ms, ops, xs)[first].sum(), positions)(*tensors)
        grads = grads if isinstance(grads, tuple) else (grads,)
        out.update({f"{key}/gradient/{i}": g.asnumpy() for i, g in enumerate(grads)})


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors" / "math.npz"
    )
    path, out = parser.parse_args().out, {}
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    table = [*functions(), *pairs(), *blends(), *reductions(), *lengths(), *matrices()]
    for i, made in enumerate(table):
        try:
            record(str(i), made, out)
        except Exception as error:
            raise RuntimeError(f"row {i}: {made}") from error
    out["meta"] = np.array(json.dumps({"mindspore": ms.__version__, "table": table}))
    np.savez_compressed(path, **out)
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, {len(table)} rows, {len(out)} arrays")


if __name__ == "__main__":
    main()
