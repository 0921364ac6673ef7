"""Calls of primitives: a line of the table with inputs that were drawn for it.

A call is computed in this process by its line; for a target elsewhere it is written as an expression of MindSpore's
API, if its primitive can be: ``ops.ReduceSum(keep_dims=True)(x0, 1)``.
"""

import functools
import inspect

import numpy as np
from hypothesis import strategies as st

from minispore import ops
from minispore.tools.testing.dialects import expression
from minispore.tools.testing.primitives.feeding import arrays_of, drawn_by, feed, positions_of
from minispore.tools.testing.primitives.table import TABLE
from minispore.tools.testing.strategies.arrays import in_source
from minispore.tools.testing.strategies.generator import Generator

__all__ = ["Call", "calls", "constructor", "lines"]


SEEDS = st.integers(0, 99)  # of the directions and weights of a derivative

# Primitives, and the functions of PyTorch that compute the same of the same inputs
_PAIRS = """
    Add:add Sub:sub Mul:mul RealDiv:div Maximum:maximum Minimum:minimum Pow:pow Exp:exp Log:log Sqrt:sqrt Square:square
    Neg:neg Abs:abs Sin:sin Cos:cos Tan:tan Asin:asin ACos:acos Atan:atan Sinh:sinh Cosh:cosh Asinh:asinh Acosh:acosh
    Atanh:atanh Atan2:atan2 Erf:erf Erfc:erfc Erfinv:erfinv Lgamma:lgamma Digamma:digamma Exp2:exp2 Expm1:expm1
    Log1p:log1p Log2:log2 Log10:log10 Tanh:tanh Sigmoid:sigmoid ReLU:relu Softplus:nn.functional.softplus
    ReLU6:nn.functional.relu6 Softsign:nn.functional.softsign SeLU:selu Mish:nn.functional.mish
    HSigmoid:nn.functional.hardsigmoid HSwish:nn.functional.hardswish Hypot:hypot LogAddExp:logaddexp Xlogy:xlogy
    Rsqrt:rsqrt Reciprocal:reciprocal Inv:reciprocal Floor:floor Ceil:ceil Rint:round Trunc:trunc Sign:sign
"""
TORCH = {name: f"torch.{function}" for name, _, function in (pair.partition(":") for pair in _PAIRS.split())}


class Call:
    """A line of the table with its inputs, as arrays and plain values.

    Attributes:
        line (Line): The line.
        seed (int): Of the directions and weights of its derivatives, and of its inputs where those are not given.
        inputs (list): The inputs.
    """

    def __init__(self, line, seed, dtype=np.float64, inputs=None):
        self.line, self.seed = line, seed
        self.inputs = arrays_of(line, seed, dtype) if inputs is None else inputs

    @classmethod
    def of(cls, label, inputs, seed=0):
        """The call of the line with a label, as :func:`lines` gives it."""
        return cls(dict(lines())[label], seed, inputs=inputs)

    def in_code(self):
        """The call as the expression that makes it."""
        label = next(label for label, line in lines() if line is self.line)
        inside = ", ".join(in_source(x) if isinstance(x, np.ndarray) else _value(x) for x in self.inputs)
        return f"Call.of({label!r}, [{inside}], seed={self.seed})"

    def __getattr__(self, name):
        return getattr(self.line, name)

    def __call__(self, *xs):
        return self.line(*xs)

    @property
    def label(self):
        """By which a deviation names it: the primitive's name and the dtype."""
        return f"{self.line.primitive.name} {_kind(self.inputs)}"

    def fed(self, inputs):
        """Tensors, and Parameters where the primitive writes."""
        return feed(self.line, inputs)

    @functools.cached_property
    def moving(self):
        """The positions that a gradient is claimed for."""
        return positions_of(self.line, self.fed(self.inputs))

    @functools.cached_property
    def expression(self):
        """The call as an expression of MindSpore's API; None if the API has no such expression."""
        made = None if self.line.call else constructor(self.line.primitive)
        if made is None or not all(isinstance(x, np.ndarray) or _is_plain(x) for x in self.inputs):
            return None
        primitive = self.line.primitive
        inside = ", ".join(_argument_text(x, i, i in primitive.writes) for i, x in enumerate(self.inputs))
        called = f"{made}(({inside},))" if primitive.variadic else f"{made}({inside})"
        return _with_what_is_written(primitive, called)

    def said_to(self, target):
        """The call as a target is given it: the line itself in this process, else an expression, or None."""
        if target.name == "minispore":
            return self
        said = {"mindspore": self.expression, "torch": self.said_in_torch}
        return expression(target, self.line.primitive.name, said)

    @property
    def said_in_torch(self):
        """The call of the function of PyTorch that is the same; None if torch has no such expression."""
        known = TORCH.get(self.line.primitive.name)
        plain = self.line.call or self.line.primitive.attrs or not all(isinstance(x, np.ndarray) for x in self.inputs)
        if known is None or plain:
            return None
        return f"{known}({', '.join(f'x{i}' for i in range(len(self.inputs)))})"

    def said_in(self, speaks):
        """The call as a program in an API, ``"mindspore"`` or ``"torch"``."""
        if speaks == "torch":
            return in_torch(self.inputs, self.said_in_torch)
        told = self.expression or f"# a call that the table writes as a function: {self.line.primitive!r}"
        return in_mindspore(self.inputs, told)

    def __repr__(self):
        return self.in_code()


def in_mindspore(inputs, told):
    """An expression with its inputs, as a program of MindSpore's API that prints the result."""
    given = [f"x{i} = ms.Tensor({in_source(x)})" for i, x in enumerate(inputs) if isinstance(x, np.ndarray)]
    head = ["import mindspore as ms", "import numpy as np", "from mindspore import nn, ops", ""]
    return "\n".join([*head, *given, f"print({told})" if told[0] != "#" else told])


def in_torch(inputs, told):
    """An expression with its inputs, as a program of PyTorch that prints the result."""
    given = [f"x{i} = torch.tensor({in_source(x)})" for i, x in enumerate(inputs) if isinstance(x, np.ndarray)]
    return "\n".join(["import numpy as np", "import torch", "", *given, f"print({told})"])


def _value(x):
    """A plain value as an expression."""
    return f"np.dtype({x.name!r})" if isinstance(x, np.dtype) else repr(x)


def _kind(inputs):
    return next((x.dtype.name for x in inputs if isinstance(x, np.ndarray) and x.dtype.kind == "f"), "whole")


def _argument_text(x, i, written):
    if not isinstance(x, np.ndarray):
        return repr(x)
    return f'(w{i} := ms.Parameter(x{i}, name="x{i}"))' if written else f"x{i}"


def _with_what_is_written(primitive, called):
    """An optimizer's step as an expression whose outputs are the values of the Parameters after it.

    MindSpore's own call returns the Parameter there, its values, or unwritten memory.
    """
    if primitive.writes[:1] != (0,) or primitive.differentiable:
        return called
    written = primitive.writes if getattr(primitive, "hands_on_all", False) else (0,)
    return f"({called}, {', '.join(f'w{i}' for i in written)})[1:]"


@functools.cache
def constructor(primitive):
    """The expression that makes a primitive, by its attributes: ``ops.ReduceSum(keep_dims=True)``; or None."""
    kind = type(primitive)
    if getattr(ops, kind.__name__, None) is not kind:
        return None
    names = [name for name in inspect.signature(kind.__init__).parameters if name in primitive.attrs]
    attrs = {name: primitive.attrs[name] for name in names}
    if not all(_is_plain(value) for value in attrs.values()):
        return None
    text = f"ops.{kind.__name__}({', '.join(f'{k}={v!r}' for k, v in attrs.items())})"
    try:
        same = vars(eval(text, {"ops": ops}))
    except (TypeError, ValueError):
        return None
    return text if {**same, "_known": None} == {**vars(primitive), "_known": None} else None


def _is_plain(value):
    if isinstance(value, (tuple, list)):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and np.isfinite(value))


@st.composite
def calls(draw, line, dtype=np.float64):
    """Calls of one line with drawn inputs, whose shapes and values shrink.

    Args:
        draw (Callable): Given by hypothesis.
        line (Line): The line.
        dtype (type): Of its floating inputs. Default: ``numpy.float64``.
    """
    return Call(line, draw(SEEDS), inputs=drawn_by(line, Generator(draw), dtype))


def lines(select=lambda line: True):
    """The lines of the table, each with a label: its number and the primitive's name."""
    return [(f"{number}-{line.primitive.name}", line) for number, line in enumerate(TABLE) if select(line)]
