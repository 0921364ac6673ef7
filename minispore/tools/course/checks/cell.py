"""Exercise 5.1: a Cell that owns its layers, a trained scale and a counter."""

import numpy as np

import minispore as ms
from minispore.testing import ran_in
from minispore.tools.course.verdict import Wrong

__all__ = ["NEEDS", "cases", "check"]

NEEDS = ("Net",)
NAMES = ["layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias", "scale", "calls"]


def cases():
    """The facts that are asked for."""
    yield from (("Parameters",), ("trained",), ("output",), ("calls",), ("gradients",), ("marked",))


def check(mine, fact):
    """Raise :class:`Wrong` unless a fact of the network is as it should be."""
    network, x = mine.Net(), ms.Tensor([[1.0, -2.0, 0.5]], ms.float32)
    found, wished = FACTS[fact](network, x)
    if found != wished:
        raise Wrong(f"{TOLD[fact]}: {found}, not {wished}")


def _parameters(network, x):
    return sorted(p.name for p in network.get_parameters()), sorted(NAMES)


def _trained(network, x):
    return sorted(p.name for p in network.trainable_params()), sorted(NAMES[:-1])


def _output(network, x):
    weights = {p.name: p.asnumpy() for p in network.get_parameters()}
    y = x.asnumpy()
    for layer in ("layers.0", "layers.1"):
        y = y @ weights[f"{layer}.weight"].T + weights[f"{layer}.bias"]
    return bool(np.allclose(network(x).asnumpy(), y * weights["scale"], atol=1e-5)), True


def _calls(network, x):
    network(x)
    network(x)
    return float(next(p for p in network.get_parameters() if p.name == "calls").asnumpy()), 2.0


def _gradients(network, x):
    trained = network.trainable_params()
    grads = ms.grad(lambda x: network(x).sum(), None, trained)(x)
    return [p.name for p, g in zip(trained, grads, strict=True) if not np.any(g.asnumpy())], []


def _marked(network, x):
    return ran_in(network.to_float(ms.float16), x), "float16"


FACTS = {
    "Parameters": _parameters,
    "trained": _trained,
    "output": _output,
    "calls": _calls,
    "gradients": _gradients,
    "marked": _marked,
}
TOLD = {
    "Parameters": "the names of its Parameters are",
    "trained": "the names of the trained Parameters are",
    "output": "the output is scale * second(first(x))",
    "calls": "after two calls, calls is",
    "gradients": "trained Parameters whose gradient is zero",
    "marked": "marked float16 by to_float, it computes in",
}
