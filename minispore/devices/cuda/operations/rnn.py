"""Recurrent networks: whole sequences, single steps, the gradients of steps, and sums over steps."""

from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import recurrent, recurrent_sequence
from minispore.ops.operations.nn.rnn_sequence import (
    GRUSequence,
    GRUSequenceGrad,
    LSTMSequence,
    LSTMSequenceGrad,
    RNNSequence,
    RNNSequenceGrad,
)
from minispore.ops.operations.nn.rnn_step import (
    GRUStep,
    GRUStepSlopes,
    LSTMStep,
    LSTMStepSlopes,
    RNNStep,
    RNNStepSlopes,
)
from minispore.ops.operations.nn.sums_over_steps import SumOfColumns, SumOfProducts

__all__ = []


@kernel_of(LSTMSequence, "cuda")
@kernel_of(GRUSequence, "cuda")
@kernel_of(RNNSequence, "cuda")
def _sequence(op, xp, z, *others):
    *others, seq_length = others
    states, (w, *bias) = others[: len(op.states)], others[len(op.states) :]
    return recurrent_sequence.forward(xp, op.cell, z, states, w, bias, seq_length, op.reverse)


@kernel_of(LSTMSequenceGrad, "cuda")
@kernel_of(GRUSequenceGrad, "cuda")
@kernel_of(RNNSequenceGrad, "cuda")
def _sequence_grad(op, xp, *args):
    seeds, (z, *others), (y, *saved, seq_length) = op.parts(args)
    count = len(op.forward_kind.states)
    states, (w, *bias) = others[:count], others[count:]
    given = seeds, z, states, w, bias, y, saved, seq_length, op.reverse
    return recurrent_sequence.backward(xp, op.cell, *given)


@kernel_of(LSTMStep, "cuda")
def _lstm_step(op, xp, *inputs):
    return recurrent.lstm_step(xp, *inputs)


@kernel_of(LSTMStepSlopes, "cuda")
def _lstm_step_slopes(op, xp, dh, dc, h, c, saved):
    return recurrent.lstm_slopes(xp, dh, dc, c, saved)


@kernel_of(GRUStep, "cuda")
def _gru_step(op, xp, *inputs):
    return recurrent.gru_step(xp, *inputs)


@kernel_of(GRUStepSlopes, "cuda")
def _gru_step_slopes(op, xp, dh, h, saved):
    return recurrent.gru_slopes(xp, dh, h, saved)


@kernel_of(RNNStep, "cuda")
def _rnn_step(op, xp, *inputs):
    return recurrent.plain_step(xp, op.nonlinearity == "relu", *inputs)


@kernel_of(RNNStepSlopes, "cuda")
def _rnn_step_slopes(op, xp, dh, h, saved):
    return recurrent.plain_slopes(xp, op.nonlinearity == "relu", dh, saved)


@kernel_of(SumOfProducts, "cuda")
def _sum_of_products(op, xp, dtype, *factors):
    half = len(factors) // 2
    return recurrent.sum_of_products(xp, factors[:half], factors[half:], dtype)


@kernel_of(SumOfColumns, "cuda")
def _sum_of_columns(op, xp, dtype, *a):
    return recurrent.sum_of_columns(xp, a, dtype)
