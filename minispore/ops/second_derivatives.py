"""Derivatives of a gradient, for rules whose own gradient is that of a function."""

from minispore.core.trace import Trace
from minispore.ops.gradient_seeds import given_seeds

__all__ = []


def pulled_back(function, inputs, seeds):
    """The gradients of the inputs, as a tuple: None for an input that is not a Tensor."""
    trace = Trace(function, inputs, range(len(inputs)))
    return tuple(trace.gradients(given_seeds("pulled_back", trace.out, seeds))[0])


def of_gradient(function, seeds, inputs, dout, needed=None):
    """Second derivatives: the gradients, by seeds and inputs, of the gradient that ``function`` pulls back from seeds.

    ``dout`` holds the outer gradients for all inputs, or for the inputs at the positions ``needed``.
    """

    def gradient(*both):
        found = pulled_back(function, both[len(seeds) :], both[: len(seeds)])
        return found if needed is None else tuple([found[i] for i in needed])

    return pulled_back(gradient, (*seeds, *inputs), dout)
