"""Drawn networks in which few names mean many things: globals, captured variables, locals, parameters, attributes."""

from hypothesis import strategies as st

from minispore.tools.testing.users_code import made

__all__ = ["networks"]

THINGS = ["ops.relu", "ops.ReLU()", "ops.Neg()", "ops.neg", "identity()", "nn.Tanh()", "twice", "Plain()"]
HELD = ["ops.ReLU()", "ops.Neg()", "identity()", "nn.Tanh()"]
# Each call in a construct: {n} is f or g, {m} is f, g or h, which the cell holds too
CALLS = [
    "x = {n}(x)",
    "x = self.{m}(x)",
    "x = [{n}(x) for {n} in (self.{m},)][0]",
    "x = (lambda {n}: {n}(x))(self.{m})",
    "x = (lambda t, {n}=self.{m}: {n}(t))(x)",
    "x = self.given(self.{m}, x)",
    "x = self.given({n}=self.{m}, x=x)",
    "x = self.make()(x)",
    "x = self.layers[0](x)",
    "for i in range(2):\n            x = self.layers[i](x)",
    "for layer in self.layers:\n            x = layer(x)",
    "x = self.step(x)",
    "x = super().step(x)",
    "x = Base.step(self, x)",
    "x = Base.step(SPACE, x)",
    "x = Base.step(self.space, x)",
    "x = self.only(t=x)",
    "x = self.starred(x)",
    "x = self.kept(t=x)",
    "x = Holder(x).value",
    "x = tuple([x])[0]",
    "x = x + self.weight.matmul(x)",
    "x = x * self.count.bit_length()",
    "x = x * self.count.real + len(self.word.upper())",
    "x = outer(x)",
]
BOUND = ["{n} = self.{m}", "{n} = lambda t: self.{m}(t)\n        x = {n}(x)", "{n}, k = self.{m}, 1"]


def text(around, captured, held, bound, calls, parameter):
    """A module with a network ``Net``, in a function that captures ``captured``."""
    f, g, h = held
    locals_ = "".join(f"        {line}\n" for line in bound)
    body = "".join(f"        {line}\n" for line in calls)
    inside = "".join(f"    {name} = {thing}\n" for name, thing in captured.items())
    return f"""
import types
import numpy as np

def identity():
    return nn.Dense(1, 1, weight_init=ms.Tensor(np.eye(1, dtype=np.float32)), has_bias=False)

def twice(t):
    return t * 2

class Plain:
    def __call__(self, t):
        return t + 1

class Holder:
    def __init__(self, value):
        self.value = value

def outer(t):
    return f(t)

f, g = {around["f"]}, {around["g"]}
SPACE = types.SimpleNamespace(f={h}, g={f}, h={g})

class Base(nn.Cell):
    def __init__(self):
        super().__init__()
        self.f, self.g, self.h = {f}, {g}, {h}
        self.layers, self.space = nn.CellList([identity(), nn.Tanh()]), types.SimpleNamespace(f={g}, g={h}, h={f})
        self.weight, self.count, self.word = ms.Parameter(np.ones((1, 1), np.float32), name="w"), 3, "abc"
        self.kept = lambda *, t: self.g(t)

    def given(self, {parameter}, x):
        return {parameter}(x)

    def make(self):
        return self.h

    def step(self, x):
        return self.f(x)

    def only(self, *, t):
        return self.h(t)

    def starred(*args):
        return args[0].g(args[1])

def enclosing():
{inside or "    pass"}
    class Net(Base):
        def step(self, x):
            return self.g(x)

        def construct(self, x):
{"".join("    " + line + chr(10) for line in (locals_ + body).splitlines())}            return x
    return Net

Net = enclosing()
"""


_bindings = st.lists(
    st.tuples(st.sampled_from("fg"), st.sampled_from(BOUND)), max_size=2, unique_by=lambda each: each[0]
)


def _one(draw, line):
    return line.format(n=draw(st.sampled_from("fg")), m=draw(st.sampled_from("fgh")))


@st.composite
def networks(draw):
    """The class of a network, and its text."""
    things, held = st.sampled_from(THINGS), st.sampled_from(HELD)
    around = {name: draw(things) for name in "fg"}
    captured = {name: draw(things) for name in draw(st.sets(st.sampled_from("fg")))}
    parameter = draw(st.sampled_from("fg"))
    bound = [line.format(n=n, m=draw(st.sampled_from("fgh"))) for n, line in draw(_bindings)]
    calls = [_one(draw, line) for line in draw(st.lists(st.sampled_from(CALLS), min_size=1, max_size=4))]
    calls = [
        line.replace("given(f=", f"given({parameter}=").replace("given(g=", f"given({parameter}=") for line in calls
    ]
    told = text(around, captured, [draw(held) for _ in range(3)], bound, calls, parameter)
    return made(told)["Net"], told
