"""Laws of layers with drawn arguments: their formula, in float32 and marked float16, their gradients, graph mode."""

import functools

import numpy as np

from minispore.tools.testing.judge import judge, terms_by_moving
from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.laws.operations import STEP, assert_quotient, quotient
from minispore.tools.testing.oracles.float64 import network_in_float64, values_for
from minispore.tools.testing.ran_in import ran_in as probe
from minispore.tools.testing.strategies.layer_arguments import LAYERS
from minispore.tools.testing.strategies.layers import layer_calls
from minispore.tools.testing.targets import has
from minispore.tools.testing.users_code import made

__all__ = ["assert_slope", "layer_formula", "layer_gradient", "layer_in_float16", "layer_in_graph", "marked_layer"]

ROUNDINGS = 4  # of a layer's terms
SHARE = 1e-4  # share of the size of a float32 derivative's terms


def _layers(target, profile):
    for name in LAYERS:
        if has(target, f"nn.{name}"):
            yield name, layer_calls([name])


@functools.lru_cache(256)
def _made(source):
    return made(source)["make"]().set_train(False)


def _floats(array):
    return array.dtype.kind == "f"


def _in_float64(call):
    """The layer as a function of its inputs and of its Parameters' values, in float64."""
    count, layer = len(call.given), _made(call.source())
    return lambda *every: network_in_float64(layer, every[count:], every[:count])


def _wide(arrays):
    return [x.astype(np.float64) if _floats(x) else x for x in arrays]


def _judged(target, call, then, inputs, values, kind=None):
    """The verdict on the layer's output beside its formula in float64."""
    exact, every = _in_float64(call), _wide([*inputs, *values])
    answer = exact(*every)
    terms = ROUNDINGS * terms_by_moving(exact, every, answer)
    found = target.forward(call.source(then), values, inputs)
    found = found if kind is None else found.astype(kind)
    dtype = "float32" if kind is None else None
    return judge(call.label + then, found, answer, terms, gradient=kind is not None, dtype=dtype)


@law("layer_formula", "forward", _layers, drawn=3, refusable=True)
def layer_formula(target, call):
    """A layer in float32 computes its formula in float64, within a few rounding errors."""
    verdict = _judged(target, call, "", call.inputs, values_for(_made(call.source()), call.seed))
    if not verdict:
        raise Broken(str(verdict))


def _on_float16(arrays):
    """Arrays rounded to float16's numbers, so that a cast changes nothing."""
    return [x.astype(np.float16).astype(np.float32) if _floats(x) else x for x in arrays]


@law("layer_in_float16", "forward", _layers, drawn=3, refusable=True)
def layer_in_float16(target, call):
    """A layer marked float16 computes its formula, within a few roundings to float16."""
    values = _on_float16(values_for(_made(call.source()), call.seed))
    verdict = _judged(target, call, ".to_float(ms.float16)", _on_float16(call.inputs), values, np.float16)
    if not verdict:
        raise Broken(str(verdict))


@law("layer_gradient", "backward", _layers, drawn=3, refusable=True)
def layer_gradient(target, call):
    """A layer's gradients by its inputs and Parameters are the difference quotient."""
    layer = _made(call.source())
    values = values_for(layer, call.seed)
    every, exact = [*call.inputs, *values], _in_float64(call)
    rng = np.random.default_rng(call.seed + 1)
    ways = _ways(call, layer, every, rng)
    weights = rng.standard_normal(exact(*_wide(every)).shape).astype(np.float32)
    found = target.backward(call.source(), values, call.inputs, weights)
    assert_slope(call.label, found, lambda xs: float((exact(*xs) * weights).sum()), _wide(every), ways)


def assert_slope(name, gradients, function, arrays, ways, share=SHARE):
    """Raise unless float32 gradients, by what moves, are the difference quotient of a function along ``ways``.

    Args:
        name (str): What it is, for the sentence.
        gradients (Sequence[numpy.ndarray]): By each array that moves.
        function (Callable): From a list of float64 arrays to a number.
        arrays (Sequence[numpy.ndarray]): Where.
        ways (Sequence): The direction of each array; None: it stands still.
        share (float): The tolerance, as a share of the size of the terms. Default: 1e-4.
    """
    products = [g * d for g, d in zip(gradients, [d for d in ways if d is not None], strict=True)]
    expected, kink = _with_kink(function, arrays, ways)
    scale = sum(float(np.abs(x).sum()) for x in products) + kink / share
    assert_quotient(name, sum(float(x.sum()) for x in products), expected, scale, share)


def _ways(call, layer, every, rng):
    """The directions: None for integers and untrained Parameters, zeros for labels, which are -1 or 1."""
    moving = [_floats(x) for x in call.inputs] + [p.requires_grad for p in layer.get_parameters()]
    still = [each.signs for each in call.given] + [False] * len(every)
    drawn = [rng.standard_normal(x.shape) for x in every]
    return [d * (not stays) if on else None for d, on, stays in zip(drawn, moving, still, strict=False)]


def _with_kink(function, arrays, ways):
    """A difference quotient, and how far half the step moves it: much, where there is a kink within the step."""
    one, half = (quotient(function, arrays, ways, step) for step in (STEP, STEP / 2))
    return one, 4 * abs(one - half)


@law("layer_in_graph", "forward in_graph", _layers, drawn=3, refusable=True)
def layer_in_graph(target, call):
    """A layer gives the same bits in graph mode and without it."""
    values = values_for(_made(call.source()), call.seed)
    eager, graph = (verb(call.source(), values, call.inputs) for verb in (target.forward, target.in_graph))
    if (eager.dtype, eager.shape, eager.tobytes()) != (graph.dtype, graph.shape, graph.tobytes()):
        raise Broken(f"{call.label}: in graph mode it is {graph.ravel()[:6]}, without it {eager.ravel()[:6]}")


def _computing_layers(target, profile):
    """The layers but those that hand their input on."""
    return [(name, cases) for name, cases in _layers(target, profile) if name not in ("Dropout", "Identity")]


@law("marked_layer", "ran_in", _computing_layers, drawn=2, refusable=True)
def marked_layer(target, call):
    """A layer that is marked float16 sees its inputs in float16; a cast of its output alone is no mark."""
    if not any(map(_floats, call.inputs)):
        return
    found = target.ran_in(call.source(".to_float(ms.float16)"), None, call.inputs, probe, "inputs")
    if found in ("float32", "float64"):
        raise Broken(f"{call.label}, marked float16, computes in {found}, as the digits of its inputs show")
