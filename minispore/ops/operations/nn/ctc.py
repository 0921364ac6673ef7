"""Connectionist temporal classification (Graves et al., 2006): losses of sequences that are not aligned with labels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from minispore.core import backend
from minispore.core.checks import check_bool, check_choice, check_int
from minispore.core.errors import type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.core.tensor import Tensor
from minispore.ops.kernels.ctc import ctc
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.label_checks import check_times, check_within
from minispore.ops.kernels.select import select
from minispore.ops.shape_checks import check_rank, check_shape
from minispore.ops.type_checks import check_float, check_tensor, named

__all__ = ["CTCGreedyDecoder", "CTCLoss", "CTCLossV2"]


def _check_ints(op, dtypes, **specs):
    for name, x in specs.items():
        check_tensor(op, name, x)
        if x.dtype not in dtypes:
            kinds = " or ".join(np.dtype(kind).name for kind in dtypes)
            raise type_error(op.name, f"the '{name}' must be a Tensor of {kinds}", named(x.dtype))


def _check_times_and_classes(op, name, x):
    check_rank(op, name, x, (3,))
    if not x.shape[0] or not x.shape[2]:
        raise value_error(op.name, f"the '{name}' must have at least one step and one class", f"shape {x.shape}")


class _CTC(Primitive):
    """Base: the last output is the gradient of the first by the logits, which is not differentiated further."""

    def bprop(self, logits, *others):
        *inputs, out, dout = others
        return (dout[0].reshape((1, -1, 1)) * out[-1] if needs_grad(logits) else None), *[None] * len(inputs)


class CTCLoss(_CTC):
    """Loss of sequences without alignment, and its gradient (connectionist temporal classification).

    ``(-log p(labels), gradient by x)`` of ``p = softmax(x)``, whose last class is the blank.

    Inputs: ``x`` (T, N, C); ``labels_indices`` (K, 2), int64, sample and place of each label; ``labels_values`` (K,),
    int32; ``sequence_length`` (N,), int32. As in MindSpore, the second output is a number to look at: no gradient
    passes through it.

    Args:
        preprocess_collapse_repeated (bool): If True, labels that repeat become one. Default: False.
        ctc_merge_repeated (bool): If True, a class that repeats without a blank between is one label. Default: True.
        ignore_longer_outputs_than_inputs (bool): If True, a sample with more labels than steps has the loss inf and the
            gradient 0, in the place of an error. Default: False.

    Raises:
        TypeError: If ``preprocess_collapse_repeated``, ``ctc_merge_repeated`` or ``ignore_longer_outputs_than_inputs``
            is not a bool, an argument is not a Tensor, or an input is complex.
        ValueError: If ``x`` does not have 3 axes, or ``x`` has no step or no class. Also if ``labels_indices`` or
            ``sequence_length`` has a shape that does not fit, or the samples of ``labels_indices`` are not in [0, 1).

    Examples:
        >>> import minispore as ms
        >>> x, place = ms.ops.zeros((2, 1, 2)), ms.Tensor([[0, 0]], ms.int64)
        >>> loss, _ = ms.ops.CTCLoss()(x, place, ms.Tensor([0], ms.int32), ms.Tensor([2], ms.int32))
        >>> print(loss)
        [0.2876821]
    """

    __call__: Callable[..., tuple[Tensor, Tensor]]

    def __init__(
        self,
        preprocess_collapse_repeated: bool = False,
        ctc_merge_repeated: bool = True,
        ignore_longer_outputs_than_inputs: bool = False,
    ) -> None:
        for name, value in (
            ("preprocess_collapse_repeated", preprocess_collapse_repeated),
            ("ctc_merge_repeated", ctc_merge_repeated),
            ("ignore_longer_outputs_than_inputs", ignore_longer_outputs_than_inputs),
        ):
            self.add_prim_attr(name, check_bool(self.name, name, value))

    def infer(self, x, labels_indices, labels_values, sequence_length):
        check_float(self, "x", x)
        _check_times_and_classes(self, "x", x)
        _check_ints(self, (np.int64,), labels_indices=labels_indices)
        _check_ints(self, (np.int32,), labels_values=labels_values, sequence_length=sequence_length)
        check_rank(self, "labels_values", labels_values, (1,))
        check_shape(self, "labels_indices", labels_indices, (labels_values.shape[0], 2))
        check_shape(self, "sequence_length", sequence_length, (x.shape[1],))
        return Spec((x.shape[1],), x.dtype), Spec(x.shape, x.dtype)

    def compute(self, xp, x, labels_indices, labels_values, sequence_length):
        steps, samples, classes = x.shape
        check_within(xp, self.name, "labels_values", labels_values, 0, classes - 2)
        check_within(xp, self.name, "sequence_length", sequence_length, 0, steps)
        labels, counts = self._dense(xp, samples, backend.to_host(labels_indices), backend.to_host(labels_values))
        if not self.ignore_longer_outputs_than_inputs:
            check_times(xp, self.name, "sequence_length", sequence_length, "the number of labels", counts)
        wide = x.astype(np.float64)
        wide = wide - wide.max(-1, keepdims=True)
        wide -= xp.log(xp.exp(wide).sum(-1, keepdims=True))
        loss, _, gradient = ctc(xp, wide, labels, sequence_length, counts, classes - 1, self.ctc_merge_repeated)
        if self.ignore_longer_outputs_than_inputs:
            gradient = select(xp, (sequence_length < counts)[:, None], 0.0, gradient)
        return loss.astype(x.dtype), gradient.astype(x.dtype)

    def _dense(self, xp, samples, indices, values):
        """The labels as ``(N, S)`` with how many each sample has, from those that are named by sample and place."""
        if indices.size and (indices[:, 0].min() < 0 or indices[:, 0].max() >= samples):
            raise value_error(self.name, f"the samples of 'labels_indices' must be in [0, {samples})", indices[:, 0])
        chosen = [indices[:, 0] == n for n in range(samples)]
        rows = [values[own][indices[own, 1].argsort(kind="stable")] for own in chosen]
        if self.preprocess_collapse_repeated:
            rows = [row[np.concatenate([[True], row[1:] != row[:-1]])] if row.size else row for row in rows]
        labels = np.zeros((samples, max(map(len, rows), default=0)), np.int64)
        for n, row in enumerate(rows):
            labels[n, : len(row)] = row
        return backend.from_host(labels), backend.from_host(np.array([len(row) for row in rows], np.int64))


class CTCLossV2(_CTC):
    """Loss of sequences without alignment, from log-probabilities (connectionist temporal classification).

    ``(-log p(targets), log_alpha, gradient)`` from logarithms of probabilities, as ``ops.ctc_loss`` reduces them.

    Dtypes: float32 and float64, kept; TypeError for float16, ints, bools and complex.

    Inputs: ``log_probs`` (T, N, C), float32 or float64; ``targets`` (N, S), ``input_lengths`` and ``target_lengths``
    (N,), int32 or int64. The gradient is that by the logits of ``log_softmax``, as MindSpore has it: it takes the rows
    of ``exp(log_probs)`` to sum to 1.

    Args:
        blank (int): The class of no label. Default: 0.
        reduction (str): "none". Default: "none".
        zero_infinity (bool): If True, an infinite loss and its gradient are 0. Default: False.

    Raises:
        TypeError: If ``blank`` is not an int, ``reduction`` is not a str, or ``zero_infinity`` is not a bool.
        ValueError: If ``reduction`` is unknown.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> scores = ops.log_softmax(ms.Tensor([[[1.0, 2.0]], [[2.0, 1.0]]]))  # classes 0 (blank), 1
        >>> lengths = ms.Tensor([2], ms.int32), ms.Tensor([1], ms.int32)
        >>> print(ops.CTCLossV2()(scores, ms.Tensor([[1]], ms.int32), *lengths)[0])
        [0.21891734]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, blank: int = 0, reduction: str = "none", zero_infinity: bool = False) -> None:
        self.add_prim_attr("blank", check_int(self.name, "blank", blank))
        self.add_prim_attr("reduction", check_choice(self.name, "reduction", reduction, ("none",)))
        self.add_prim_attr("zero_infinity", check_bool(self.name, "zero_infinity", zero_infinity))

    def infer(self, log_probs, targets, input_lengths, target_lengths):
        check_tensor(self, "log_probs", log_probs)
        if log_probs.dtype not in (np.float32, np.float64):
            raise type_error(
                self.name, "the 'log_probs' must be a Tensor of float32 or float64", named(log_probs.dtype)
            )
        _check_times_and_classes(self, "log_probs", log_probs)
        ints = (np.int32, np.int64)
        _check_ints(self, ints, targets=targets, input_lengths=input_lengths, target_lengths=target_lengths)
        check_rank(self, "targets", targets, (2,))
        steps, samples, classes = log_probs.shape
        check_shape(self, "targets", targets, (samples, targets.shape[1]))
        check_shape(self, "input_lengths", input_lengths, (samples,))
        check_shape(self, "target_lengths", target_lengths, (samples,))
        if not 0 <= self.blank < classes:
            raise value_error(self.name, f"the 'blank' must be in [0, {classes})", self.blank)
        dtype = log_probs.dtype
        alpha = Spec((samples, steps, 2 * targets.shape[1] + 1), dtype)
        return Spec((samples,), dtype), alpha, Spec(log_probs.shape, dtype)

    def compute(self, xp, log_probs, targets, input_lengths, target_lengths):
        steps, _, classes = log_probs.shape
        check_within(xp, self.name, "input_lengths", input_lengths, 0, steps)
        check_within(xp, self.name, "target_lengths", target_lengths, 0, targets.shape[1])
        check_times(xp, self.name, "input_lengths", input_lengths, "the 'target_lengths'", target_lengths)
        counted = xp.arange(targets.shape[1]) < target_lengths[:, None]
        targets = select(xp, counted, targets, 0)
        check_within(xp, self.name, "targets", targets, 0, classes - 1)
        wide = log_probs.astype(np.float64)
        loss, alpha, gradient = ctc(xp, wide, targets, input_lengths, target_lengths, self.blank)
        if self.zero_infinity:
            gradient = select(xp, xp.isinf(loss)[:, None], 0.0, gradient)
            loss = select(xp, xp.isinf(loss), 0.0, loss)
        return tuple(y.astype(log_probs.dtype) for y in (loss, alpha, gradient))


class CTCGreedyDecoder(Primitive):
    """The labels of the likeliest class of each step; the last class, the blank, is left out.

    Inputs are logits of shape (steps, samples, classes) and the number of steps of each sample. Outputs are the places
    ``(sample, position)``, labels, the shape ``(samples, longest)``, all int64, and for each sample the negative sum of
    the largest logits, ``(samples, 1)``. They have no gradient: one that is asked for is an error.

    Dtypes: floats; the answer is int64; TypeError for ints, bools and complex.

    Args:
        merge_repeated (bool): If True, a class that follows itself counts once. Default: True.

    Raises:
        TypeError: If ``merge_repeated`` is not a bool, or ``inputs`` or ``sequence_length`` is not a Tensor.
        ValueError: If ``inputs`` does not have 3 axes, or ``inputs`` has no step or no class. Also if
            ``sequence_length`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> scores = ms.Tensor([[[9.0, 0.0, 0.0]], [[0.0, 0.0, 9.0]], [[0.0, 9.0, 0.0]]])
        >>> print(ops.CTCGreedyDecoder()(scores, ms.Tensor([3], ms.int32))[1])
        [0 1]
    """

    __call__: Callable[..., tuple[Tensor, ...]]

    def __init__(self, merge_repeated: bool = True) -> None:
        self.add_prim_attr("merge_repeated", check_bool(self.name, "merge_repeated", merge_repeated))

    def infer(self, inputs, sequence_length):
        check_float(self, "inputs", inputs)
        _check_times_and_classes(self, "inputs", inputs)
        _check_ints(self, (np.int32,), sequence_length=sequence_length)
        check_shape(self, "sequence_length", sequence_length, inputs.shape[1:2])
        ints = np.dtype(np.int64)
        costs = Spec((inputs.shape[1], 1), inputs.dtype)
        return Spec((None, 2), ints), Spec((None,), ints), Spec((2,), ints), costs

    def compute(self, xp, inputs, sequence_length):
        check_within(xp, self.name, "sequence_length", sequence_length, 0, len(inputs))
        wide = widen(xp, inputs)
        inside = xp.arange(len(inputs))[:, None] < sequence_length[None, :]
        best = xp.argmax(wide, 2)
        costs = -select(xp, inside, xp.max(wide, 2), 0).sum(0)[:, None]
        counts = inside & (best != inputs.shape[2] - 1)
        if self.merge_repeated:
            counts[1:] &= best[1:] != best[:-1]
        samples, steps = xp.nonzero(counts.T)
        positions = xp.cumsum(counts, 0) - 1
        places = xp.stack((samples, positions[steps, samples]), 1).astype(np.int64)
        longest = positions.max() + 1 if positions.size else xp.asarray(0)
        shape = xp.stack((xp.asarray(inputs.shape[1]), xp.asarray(longest))).astype(np.int64)
        return places, best[steps, samples].astype(np.int64), shape, narrow(xp, costs.astype(wide.dtype), inputs.dtype)
