"""Rules for recurrent networks: each step as products, sums and activations, one step after the other."""

from minispore.data.serialization.mindir.graph import Operand
from minispore.data.serialization.mindir.rules import rule_for
from minispore.data.serialization.mindir.values import NotSaidError
from minispore.ops import operations as primitives

__all__ = []


class _Terms:
    """The arithmetic of a step, in nodes of a graph."""

    def __init__(self, graph, size):
        self.graph, self.size = graph, size

    def call(self, kind, *xs, **attributes):
        return Operand(self.graph.add(kind, *xs, **attributes), (), None)

    def times_weight(self, x, w, *b):
        flags = {"transpose_a": False, "transpose_b": True, "transpose_x1": False, "transpose_x2": True}
        made = self.call("MatMul", x, w, **flags)
        return self.call("BiasAdd", made, b[0], data_format="NCHW", format="NCHW") if b else made

    def gates(self, x, count):
        sizes = {"axis": 1, "output_num": count, "num_split": count, "size_splits": (self.size,) * count}
        return [Operand(part, (), None) for part in self.graph.add("Split", x, results=count, **sizes)]

    def lstm(self, z, c):
        """The next h and c from the sum of both parts of the gates."""
        taken, forgotten, new, given = self.gates(z, 4)
        taken, forgotten, given = [self.call("Sigmoid", gate) for gate in (taken, forgotten, given)]
        kept = self.call("Mul", forgotten, c)
        c = self.call("Add", kept, self.call("Mul", taken, self.call("Tanh", new)))
        return self.call("Mul", given, self.call("Tanh", c)), c

    def gru(self, z, by_state, h):
        """The next h from the inputs' and the state's parts of the gates."""
        (r, u, n), (r_h, u_h, n_h) = self.gates(z, 3), self.gates(by_state, 3)
        r, u = self.call("Sigmoid", self.call("Add", r, r_h)), self.call("Sigmoid", self.call("Add", u, u_h))
        n = self.call("Tanh", self.call("Add", n, self.call("Mul", r, n_h)))
        return self.call("Add", n, self.call("Mul", u, self.call("Sub", h, n)))


def _activation(primitive):
    return "ReLU" if getattr(primitive, "nonlinearity", "tanh") == "relu" else "Tanh"


# A whole sequence


def _steps(graph, step, z, lengths):
    """The place and the inputs' part of the gates of each step, in the order of computation."""
    if lengths is not None:
        raise NotSaidError("its samples have lengths of their own")
    steps = graph.add("Unstack", z, results=z.shape[0], axis=0, num=z.shape[0])
    places = range(z.shape[0])
    return [(i, Operand(steps[i], (), None)) for i in (reversed(places) if step.primitive.reverse else places)]


def _stacked(graph, made):
    """The states of all steps, by their places, as one Tensor."""
    states = [made[i] for i in sorted(made)]
    return graph.add("Stack", states, axis=0, N=len(states), inputNums=len(states))


@rule_for(primitives.LSTMSequence)
def _lstm_sequence(graph, step, arguments, outputs):
    z, h, c, w, lengths = arguments
    terms, made = _Terms(graph, outputs[1].shape[1]), {}
    for i, x in _steps(graph, step, z, lengths):
        h, c = terms.lstm(terms.call("Add", x, terms.times_weight(h, w)), c)
        made[i] = h
    return _stacked(graph, made), h.name, c.name, None, None


@rule_for(primitives.GRUSequence)
def _gru_sequence(graph, step, arguments, outputs):
    z, h, w, b, lengths = arguments
    terms, made = _Terms(graph, outputs[1].shape[1]), {}
    for i, x in _steps(graph, step, z, lengths):
        made[i] = h = terms.gru(x, terms.times_weight(h, w, b), h)
    return _stacked(graph, made), h.name, None, None


@rule_for(primitives.RNNSequence)
def _rnn_sequence(graph, step, arguments, outputs):
    z, h, w, lengths = arguments
    terms, made = _Terms(graph, outputs[1].shape[1]), {}
    for i, x in _steps(graph, step, z, lengths):
        made[i] = h = terms.call(_activation(step.primitive), terms.call("Add", x, terms.times_weight(h, w)))
    return _stacked(graph, made), h.name


# One step


def _both(terms, x, h, weights):
    """The inputs' and the state's parts of the gates."""
    w_ih, w_hh, *b = weights
    return terms.times_weight(x, w_ih, *b[:1]), terms.times_weight(h, w_hh, *b[1:])


@rule_for(primitives.LSTMStep)
def _lstm_step(graph, step, arguments, outputs):
    x, h, c, *weights = arguments
    terms = _Terms(graph, outputs[0].shape[1])
    h, c = terms.lstm(terms.call("Add", *_both(terms, x, h, weights)), c)
    return h.name, c.name, *(None,) * (len(outputs) - 2)


@rule_for(primitives.GRUStep)
def _gru_step(graph, step, arguments, outputs):
    x, h, *weights = arguments
    terms = _Terms(graph, outputs[0].shape[1])
    return terms.gru(*_both(terms, x, h, weights), h).name, *(None,) * (len(outputs) - 1)


@rule_for(primitives.RNNStep)
def _rnn_step(graph, step, arguments, outputs):
    x, h, *weights = arguments
    terms = _Terms(graph, outputs[0].shape[1])
    made = terms.call(_activation(step.primitive), terms.call("Add", *_both(terms, x, h, weights))).name
    return made if step.single else (made, *(None,) * (len(outputs) - 1))
