"""The lines of recurrent networks over a sequence."""

from minispore import ops
from minispore.tools.testing.primitives.case import below, line, nonzero, reals

_TERM = 2.0**-21
_SUM = 2.0**-6  # twelve terms of size 1.5, each with a slope 1 - y * y whose y float16 has rounded by up to 2**-12
_SAVED = "the other outputs are kept for the gradient rule; no gradient is defined through them"


def _small(*shape):
    return reals(*shape, low=-0.5, high=0.5)


def _kept_for(sequence):
    """Feed a gradient with the values that its sequence keeps for it; ``seeds`` of the inputs come first."""

    def call(grad, *inputs):
        seeds = 1 + len(sequence.states)
        made = sequence(*(ops.stop_gradient(x) if x is not None else None for x in inputs[seeds:]))
        return grad(*inputs[: 2 * seeds + len(sequence.weights)], made[0], *made[seeds:], inputs[-1])

    return call


def _sequence(sequence, gates, *weights, seq_length, draw=_small):
    """The line of a sequence of 3 steps, 2 samples and 2 units, and of its gradient."""
    h = draw(2, 2)
    inputs = (draw(3, 2, gates * 2), *[h] * len(sequence.states), *weights, seq_length)
    seeds = 1 + len(sequence.states)
    grad = sequence.gradient(*sequence.attrs.values())
    dy = _small(3, 2, 2), *[_small(2, 2)] * (seeds - 1)
    return [
        line(sequence, *inputs, through=tuple(range(seeds)), reason=_SAVED, slack=_TERM),
        line(grad, *dy, *inputs, call=_kept_for(sequence), slack=_SUM),
    ]


_LONG, _UNEVEN = None, below(5, 2)
LINES = []
for _reverse, _seq_length in ((False, _LONG), (True, _LONG), (False, _UNEVEN), (True, _UNEVEN)):
    LINES += _sequence(ops.LSTMSequence(_reverse), 4, _small(8, 2), seq_length=_seq_length)
    LINES += _sequence(ops.GRUSequence(_reverse), 3, _small(6, 2), _small(6), seq_length=_seq_length)
    LINES += _sequence(ops.RNNSequence(_reverse), 1, _small(2, 2), seq_length=_seq_length)
LINES += _sequence(ops.RNNSequence(True, "relu"), 1, reals(2, 2, low=0.1, high=0.4), seq_length=_UNEVEN, draw=nonzero)
