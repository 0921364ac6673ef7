"""One layer of a recurrent network in one direction: a product for all inputs, and the sequence of states.

The cells have the names that MindSpore's ``repr`` of a layer shows, and no Parameters of their own.
"""

from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.operations.linalg.matmul import BiasAdd, MatMul
from minispore.ops.operations.nn.rnn_sequence import GRUSequence, LSTMSequence, RNNSequence

__all__ = []


class _Direction(Cell):
    """Base; subclasses name the operation, its number of gates and of states."""

    gates, states = 1, 1

    def __init__(self):
        super().__init__()
        self.matmul, self.bias_add = MatMul(transpose_b=True), BiasAdd()
        self.forth, self.back = self.new_sequence(False), self.new_sequence(True)

    def construct(self, x, states, seq_length, weights, reverse):
        """The outputs ``(T, N, H)`` and the tuple of last states, from ``w_ih, w_hh`` and the biases, if any."""
        w_ih, w_hh, *biases = weights
        # The inputs of all steps are known: one product before the loop. Only the states' product has to wait in it.
        z = self.matmul(F.reshape(x, (-1, x.shape[2])), w_ih)
        if biases:
            z = self.bias_add(z, self.bias_of_inputs(*biases))
        z = F.reshape(z, (*x.shape[:2], -1))
        sequence = self.back if reverse else self.forth
        y, *others = sequence(z, *states, w_hh, *self.bias_of_states(w_hh, biases), seq_length)
        return y, tuple(others[: self.states])

    def bias_of_inputs(self, b_ih, b_hh):
        """The bias to add before the loop."""
        return b_ih + b_hh

    def bias_of_states(self, w_hh, biases):
        """The biases to add within the loop, a tuple."""
        return ()


class _DynamicLSTMCPUGPU(_Direction):
    gates, states = 4, 2
    new_sequence = LSTMSequence


class _DynamicGRUCPUGPU(_Direction):
    gates = 3
    new_sequence = GRUSequence

    def bias_of_inputs(self, b_ih, b_hh):
        """The state's bias stays in the loop, where the gate r scales a part of it."""
        return b_ih

    def bias_of_states(self, w_hh, biases):
        """The state's bias, or zeros."""
        return (biases[1] if biases else F.zeros((w_hh.shape[0],), w_hh.dtype),)


class _DynamicRNNTanh(_Direction):
    new_sequence = RNNSequence


class _DynamicRNNRelu(_Direction):
    @staticmethod
    def new_sequence(reverse):
        return RNNSequence(reverse, "relu")
