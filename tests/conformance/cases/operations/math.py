"""Rows of elementwise operations: functions of one Tensor, of two and of more; comparison, logic, bits and status."""

from conformance.cases.operations.draw import (
    above,
    away,
    axis_of,
    bools,
    fitting,
    inside,
    like,
    number,
    one_of,
    positive,
    reals,
    wholes,
    wide,
)
from conformance.cases.operations.row import Kind, Row

ANY = {"edges": True, "others": True}


def _of_one():
    """Functions of one Tensor: name in lower case, class, further names."""
    smooth = "abs Abs absolute|sin Sin|cos Cos|tan Tan|atan Atan arctan|sinh Sinh|cosh Cosh|asinh Asinh arcsinh|erf Erf"
    smooth += "|erfc Erfc|exp Exp|expm1 Expm1|neg Neg negative|square Square|sigmoid Sigmoid|tanh Tanh"
    smooth += "|exp2 -|positive -|deg2rad -|rad2deg -|sinc -|frac -|isreal -"
    steps = (
        "floor Floor|ceil Ceil|trunc Trunc|round Round|sign Sign|sgn -|signbit -|isnan IsNan|"
        "isinf IsInf|isfinite IsFinite"
    )
    for text in f"{smooth}|{steps}".split("|"):
        name, kind, *more = text.split()
        yield name, kind, more, reals("?"), {}
    for text in ["asin Asin arcsin", "acos ACos arccos", "atanh Atanh arctanh", "erfinv Erfinv", "log1p Log1p"]:
        name, kind, *more = text.split()
        yield name, kind, more, inside("?"), {}
    for text in [
        "log Log",
        "sqrt Sqrt",
        "rsqrt Rsqrt",
        "reciprocal Reciprocal",
        "log2 -",
        "log10 -",
        "lgamma Lgamma",
        "digamma Digamma",
        "inv Inv",
    ]:
        name, kind, *more = text.split()
        yield name, kind, more, positive("?"), {}
    yield "acosh", "Acosh", ["arccosh"], above("?"), {}


def functions():
    """One row each, with class, functions and methods."""
    for name, kind, more, domain, rest in _of_one():
        classes = [] if kind == "-" else [f"ops.{kind}()(x)"]
        faces = [face for n in [name, *more] for face in (f"ops.{n}(x)", f"x.{n}()") if face != "x.exp2()"]
        yield Row(" | ".join([faces[0], *classes, *faces[1:]]), x=domain, **ANY, **rest)


ACTIVATIONS = [
    Row("ops.relu(x) | ops.ReLU()(x)", x=away(), **ANY),
    Row("ops.relu6(x) | ops.ReLU6()(x)", x=wide(), **ANY),
    Row("ops.elu(x) | ops.Elu()(x)", x=away(), **ANY),
    Row("ops.celu(x, a) | ops.CeLU(a)(x)", x=away(), a=number(0.3, 2), **ANY),
    Row("ops.selu(x) | ops.SeLU()(x)", x=away(), **ANY),
    Row("ops.gelu(x) | ops.GeLU()(x) | ops.gelu(x, 'tanh')", x=wide(), **ANY),
    Row("ops.fast_gelu(x) | ops.FastGeLU()(x)", x=reals(), **ANY),
    Row("ops.silu(x)", x=wide(), **ANY),
    Row("ops.mish(x) | ops.Mish()(x)", x=wide(), **ANY),
    Row("ops.softsign(x) | ops.Softsign()(x)", x=wide(), **ANY),
    Row("ops.Softplus()(x)", x=wide(), **ANY),
    Row("ops.hardswish(x) | ops.HSwish()(x)", x=wide(), **ANY),
    Row("ops.hardsigmoid(x) | ops.HSigmoid()(x)", x=wide(), **ANY),
    Row("ops.hardtanh(x, low, high)", x=wide(), low=number(-3, 0), high=number(0.1, 3), **ANY),
    Row("ops.hardshrink(x, a) | ops.HShrink(a)(x)", x=reals(), a=number(0.1, 1), **ANY),
    Row("ops.softshrink(x, a) | ops.SoftShrink(a)(x)", x=reals(), a=number(0.1, 1), **ANY),
    Row("ops.tanhshrink(x)", x=reals(), **ANY),
    Row("ops.logsigmoid(x)", x=reals(), **ANY),
    Row("ops.leaky_relu(x, a)", x=away(), a=number(0.1, 1.5), **ANY),
    Row("ops.threshold(x, a, b)", x=reals(), a=number(-1, 1), b=number(-1, 1), **ANY),
    Row("ops.prelu(x, w) | ops.PReLU()(x, w)", x=away("n c h"), w=reals("c")),
    Row("ops.prelu(x, w)", x=away("n c h w"), w=reals("1")),
    Row("ops.glu(x, a)", x=lambda d: d.rng.uniform(-2, 2, (2, 4, 6)), a=one_of(1, 2, -1, 0)),
    Row("ops.softmax(x, a) | ops.Softmax(a)(x)", x=wide("*"), a=axis_of("x"), **ANY),
    Row("ops.log_softmax(x, a) | ops.LogSoftmax(a)(x)", x=wide("*"), a=axis_of("x"), **ANY),
    Row("ops.softmin(x, a)", x=wide("*"), a=axis_of("x")),
    Row("ops.rrelu(x, 0.25, 0.25)", x=away()),
    Row(
        "ops.clip_by_value(x, low, high) | ops.clamp(x, low, high) | ops.clip(x, low, high) | x.clip(low, high)",
        x=reals(),
        low=number(-1, 0),
        high=number(0.1, 1),
        **ANY,
    ),
    Row(
        "ops.clip_by_value(x, y, z)",
        x=reals(),
        y=lambda d: fitting_values(d, -1, 0),
        z=lambda d: fitting_values(d, 0.1, 1),
    ),
    Row("ops.clip_by_global_norm((x, y), a)", x=reals(), y=reals(), a=number(0.5, 9)),
    Row(
        "ops.nan_to_num(x, 1.0, 2.0, 3.0) | ops.NanToNum(1.0, 2.0, 3.0)(x) | "
        "x.nan_to_num(1.0, 2.0, 3.0) | ops.nan_to_num(x)",
        x=reals(),
        **ANY,
    ),
    Row("ops.logit(x) | ops.logit(x, 0.25) | x.logit()", x=reals("?", 0.05, 0.95), edges=True),
    Row(
        "ops.polygamma(n, x) | ops.Polygamma()(n, x)",
        n=lambda d: d.rng.integers(1, 4, ()).astype("int32"),
        x=positive(),
    ),
    Row("ops.invert(x) | ops.Invert()(x) | x.invert()", x=wholes(-9, 9)),
    Row("ops.logical_not(x) | ops.LogicalNot()(x) | x.logical_not() | ~x", x=bools()),
    Row("ops.Rint()(x)", x=wide(), **ANY),
    Row(
        "ops.cast(x, t) | ops.Cast()(x, t) | x.astype(t) | x.to(t)",
        x=reals(),
        t=lambda d: Kind(["float16", "float32", "float64", "int32", "int64", "uint8", "bool_"][d.rng.integers(7)]),
        **ANY,
    ),
    Row("ops.zeros_like(x) | ops.ZerosLike()(x)", x=reals(), **ANY),
    Row("ops.ones_like(x) | ops.OnesLike()(x)", x=reals(), **ANY),
    Row("ops.full_like(x, a)", x=reals(), a=number(-2, 2), **ANY),
    Row("ops.stop_gradient(x) | ops.StopGradient()(x)", x=reals(), **ANY),
    Row("ops.Identity()(x)", x=reals(), **ANY),
    Row("ops.depend(x, y) | ops.Depend()(x, y)", x=reals(), y=reals(), **ANY),
    Row("ops.mixed_precision_cast(ms.float16, x)", x=reals(), grad=False),
    Row("ops.FloatStatus()(x)", x=reals(), edges=True, grad=False),
    Row("ops.shape(x) | ops.Shape()(x) | ops.dyn_shape(x)", x=reals(), others=True, grad=False),
    Row("ops.rank(x) | ops.Rank()(x) | x.dim()", x=reals(), others=True, grad=False),
    Row("ops.size(x) | ops.Size()(x)", x=reals(), others=True, grad=False),
    Row("x.copy()", x=reals(), **ANY),
]


def fitting_values(d, low, high):
    """Values of a shape that broadcasts to x's."""
    return d.rng.uniform(low, high, fitting("x")(d))


def pairs():
    """Functions of two Tensors that broadcast."""
    smooth = (
        "add Add + add|sub Sub - sub subtract|mul Mul * mul multiply|maximum Maximum . maximum|"
        "minimum Minimum . minimum"
    )
    smooth += (
        "|hypot Hypot . hypot|logaddexp - . logaddexp|logaddexp2 - . logaddexp2|"
        "copysign - . copysign|atan2 Atan2 . atan2 arctan2"
    )
    compare = (
        "equal Equal == equal|not_equal NotEqual != not_equal ne|less Less < less lt|"
        "less_equal LessEqual <= less_equal le"
    )
    compare += "|greater Greater > greater gt|greater_equal GreaterEqual >= greater_equal ge"
    for text in f"{smooth}|{compare}".split("|"):
        yield _pair(text, reals(), lambda d: fitting_values(d, -2, 2), **ANY)
    quotients = (
        "div Div / div divide true_divide|floor_div FloorDiv // -|floor_mod FloorMod % -|"
        "remainder - . remainder|fmod - . fmod"
    )
    quotients += "|truncate_div TruncateDiv . -|truncate_mod TruncateMod . -|xdivy Xdivy . xdivy"
    for text in quotients.split("|"):
        yield _pair(
            text, reals(), lambda d: d.rng.choice([-1, 1], s := fitting("x")(d)) * d.rng.uniform(0.4, 2, s), others=True
        )
    yield _pair("pow Pow ** pow", positive(), lambda d: fitting_values(d, -2, 2), **ANY)
    yield _pair("float_power - . float_power", positive(), lambda d: fitting_values(d, -2, 2), others=True)
    yield _pair("xlogy Xlogy . xlogy", reals(), lambda d: fitting_values(d, 0.3, 2), others=True)
    yield _pair("ldexp - . ldexp", reals(), lambda d: d.rng.integers(-3, 4, fitting("x")(d)) * 1.0)
    logic = (
        "logical_and LogicalAnd & logical_and|logical_or LogicalOr . logical_or|logical_xor LogicalXor . logical_xor"
    )
    for text in logic.split("|"):
        yield _pair(text, bools(), lambda d: d.rng.random(fitting("x")(d)) < 0.5)
    bits = "bitwise_and BitwiseAnd . bitwise_and|bitwise_or BitwiseOr . bitwise_or|bitwise_xor BitwiseXor . bitwise_xor"
    for text in bits.split("|"):
        yield _pair(text, wholes(-9, 9), lambda d: d.rng.integers(-9, 9, fitting("x")(d)).astype("int32"))
    shifts = "bitwise_left_shift LeftShift . bitwise_left_shift|bitwise_right_shift RightShift . bitwise_right_shift"
    for text in shifts.split("|"):
        yield _pair(text, wholes(-9, 9), lambda d: d.rng.integers(0, 5, fitting("x")(d)).astype("int32"))


def _pair(text, first, second, **rest):
    name, kind, sign, *methods = text.split()
    faces = [f"ops.{name}(x, y)"] + ([] if kind == "-" else [f"ops.{kind}()(x, y)"])
    faces += [] if sign == "." else [f"x {sign} y"]
    faces += [f"ops.{m}(x, y)" for m in methods if m not in ("-", name)] + [f"x.{m}(y)" for m in methods if m != "-"]
    return Row(" | ".join(faces), x=first, y=second, **rest)


MORE_PAIRS = [
    Row("x + a | x - a | a - x | x * a | a / x | x / a | x ** 2", x=away(), a=one_of(2, 3, 0.5, 1.5), others=True),
    Row("x % a | x // a | x > a | x == a | -x | abs(x)", x=reals(), a=one_of(2, 3, 0.75, 1.5), **ANY),
    Row("ops.RealDiv()(x, y)", x=reals(), y=lambda d: fitting_values(d, 0.3, 2)),
    Row("ops.Mod()(x, y)", x=reals(), y=lambda d: fitting_values(d, 0.3, 2)),
    Row("ops.DivNoNan()(x, y)", x=reals(), y=lambda d: fitting_values(d, -1, 1).round()),
    Row("ops.MulNoNan()(x, y)", x=reals(), y=lambda d: fitting_values(d, -1, 1).round()),
    Row("ops.SquaredDifference()(x, y)", x=reals(), y=lambda d: fitting_values(d, -2, 2), others=True),
    Row(
        "ops.div(x, y, rounding_mode=m) | x.div(y, rounding_mode=m)",
        x=reals(),
        y=positive(like("x")),
        m=one_of(None, "floor", "trunc"),
    ),
    Row("ops.subtract(x, y, alpha=a) | x.subtract(y, alpha=a)", x=reals(), y=reals(like("x")), a=number(-2, 2)),
    Row(
        "ops.heaviside(x, y) | ops.Heaviside()(x, y) | x.heaviside(y)",
        x=lambda d: reals()(d).round(),
        y=reals(like("x")),
    ),
    Row(
        "ops.lerp(x, y, a) | ops.Lerp()(x, y, z) | x.lerp(y, a)",
        x=reals(),
        y=reals(like("x")),
        z=reals(like("x")),
        a=number(0, 1),
    ),
    Row("ops.addcmul(x, y, z, a) | x.addcmul(y, z, a)", x=reals("m k"), y=reals("m k"), z=reals("k"), a=number(-2, 2)),
    Row("ops.addcdiv(x, y, z, a) | x.addcdiv(y, z, a)", x=reals("m k"), y=reals("m k"), z=away("k"), a=number(-2, 2)),
    Row(
        "ops.Addcmul()(x, y, z, a) | ops.Addcdiv()(x, y, z, a)",
        x=reals("m k"),
        y=reals("m k"),
        z=away("k"),
        a=reals("1"),
    ),
    Row("ops.addn([x, y, z]) | ops.AddN()([x, y, z])", x=reals(), y=reals(like("x")), z=reals(like("x")), others=True),
    Row("ops.accumulate_n([x, y, z]) | ops.AccumulateNV2()([x, y, z])", x=reals("m k"), y=reals("m k"), z=reals("m k")),
    Row(
        "ops.isclose(x, y) | ops.IsClose()(x, y) | x.isclose(y) | ops.isclose(x, y, 0.5, 0.25, True)",
        x=reals(),
        y=reals(like("x")),
        edges=True,
        grad=False,
    ),
    Row(
        "ops.approximate_equal(x, y, 0.75) | ops.ApproximateEqual(0.75)(x, y) | x.approximate_equal(y, 0.75)",
        x=reals(),
        y=reals(like("x")),
        grad=False,
    ),
    Row(
        "ops.EqualCount()(x, y)", x=lambda d: reals()(d).round(), y=lambda d: d.rng.integers(-2, 3, d["x"].shape) * 1.0
    ),
    Row(
        "ops.where(c, x, y) | ops.select(c, x, y) | ops.Select()(c, x, y) | x.where(c, y) | x.select(c, y)",
        x=reals(),
        c=bools(like("x")),
        y=reals(like("x")),
        others=True,
    ),
    Row("ops.where(c, x, a) | x.select(c, a)", x=reals("m k"), c=bools("m k"), a=number(-2, 2)),
    Row(
        "ops.masked_fill(x, c, a) | x.masked_fill(c, a) | ops.MaskedFill()(x, c, a)",
        x=reals(),
        c=lambda d: d.rng.random(fitting("x")(d)) < 0.5,
        a=number(-2, 2),
        others=True,
    ),
    Row("ops.bias_add(x, y) | ops.BiasAdd()(x, y)", x=reals("n c h w"), y=reals("c")),
    Row("ops.bias_add(x, y) | ops.BiasAdd()(x, y)", x=reals("n c"), y=reals("c")),
]
ROWS = [*functions(), *ACTIVATIONS, *pairs(), *MORE_PAIRS]
