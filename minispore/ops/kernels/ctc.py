"""Connectionist temporal classification (Graves et al., 2006): the loss, and how often each class is passed."""

import numpy as np

from minispore.ops.kernels.matmul import product
from minispore.ops.kernels.select import select

__all__ = ["ctc", "extended"]


def extended(xp, labels, blank):
    """``(N, 2 S + 1)`` from labels ``(N, S)``: a blank before each label and after the last."""
    path = xp.full((labels.shape[0], 2 * labels.shape[1] + 1), blank, np.int64)
    path[:, 1::2] = labels
    return path


def ctc(xp, log_probs, labels, input_lengths, label_lengths, blank, merge=True):
    """``(losses, log_alpha, gradient)`` from ``log_probs`` (T, N, C), which are computed with in their dtype.

    ``losses`` (N,) are ``-log p(labels)``, ``log_alpha`` (N, T, 2 S + 1) the forward variables. ``gradient`` (T, N, C)
    is ``exp(log_probs) - p(class at t | labels)``, the gradient by logits. It is zero after a sample's length, and nan
    before it where the loss is infinite.

    Args:
        xp (module): NumPy or CuPy.
        log_probs (array): Logarithms of probabilities.
        labels (array): (N, S), ints in [0, C).
        input_lengths (array): (N,), how many steps each sample has.
        label_lengths (array): (N,), how many labels each sample has.
        blank (int): The class of no label.
        merge (bool): If True, a label that repeats without a blank between is one. Default: True.
    """
    path = extended(xp, labels, blank)
    states = xp.arange(path.shape[1])
    real = states < (2 * label_lengths + 1)[:, None]
    emitted = xp.take_along_axis(log_probs.transpose(1, 0, 2), path[:, None, :].repeat(len(log_probs), 1), 2)
    emitted = select(xp, real[:, None], emitted, -np.inf)
    stays, skips = _moves(xp, path, blank, merge)
    running = xp.arange(len(log_probs)) < input_lengths[:, None]
    alpha = _forward(xp, emitted, stays, skips, running)
    ends = real & (states >= (2 * label_lengths - 1)[:, None])
    last = xp.take_along_axis(alpha, xp.maximum(input_lengths - 1, 0)[:, None, None], 1)[:, 0]
    total = _log_of_sum(xp, select(xp, ends, last, -np.inf))
    beta = _backward(xp, emitted, stays, skips, ends, input_lengths)
    return -total, alpha, _gradient(xp, log_probs, path, alpha + beta, total, running)


def _moves(xp, path, blank, merge):
    """Summands for staying in a state, and for skipping the one before: 0 where it is allowed, else -inf."""
    is_label = path != blank
    stays = select(xp, is_label & (not merge), -np.inf, 0.0)
    skips = xp.full(path.shape, -np.inf)
    allowed = is_label[:, 2:] & ((path[:, 2:] != path[:, :-2]) | (not merge))
    skips[:, 2:] = select(xp, allowed, 0.0, -np.inf)
    return stays, skips


def _later(xp, x, count):
    """X moved by ``count`` states, with -inf before it (after it, below 0)."""
    out = xp.full_like(x, -np.inf)
    if count > 0:
        out[:, count:] = x[:, :-count]
    else:
        out[:, :count] = x[:, -count:]
    return out


def _forward(xp, emitted, stays, skips, running):
    alpha = xp.full_like(emitted, -np.inf)
    alpha[:, 0, :2] = emitted[:, 0, :2]
    for t in range(1, emitted.shape[1]):
        before = alpha[:, t - 1]
        near = xp.logaddexp(before + stays, _later(xp, before, 1))
        alpha[:, t] = xp.logaddexp(near, _later(xp, before, 2) + skips) + emitted[:, t]
    return select(xp, running[:, :, None], alpha, -np.inf)


def _backward(xp, emitted, stays, skips, ends, lengths):
    beta = xp.full_like(emitted, -np.inf)
    after = beta[:, 0]
    for t in range(emitted.shape[1] - 1, -1, -1):
        near = xp.logaddexp(after + stays, _later(xp, after, -1))
        beta[:, t] = xp.logaddexp(near, _later(xp, after + skips, -2))
        beta[:, t] = select(xp, (lengths == t + 1)[:, None], select(xp, ends, 0.0, -np.inf), beta[:, t])
        after = beta[:, t] + emitted[:, t]
    return beta


def _log_of_sum(xp, x):
    total = x[:, 0]
    for k in range(1, x.shape[1]):
        total = xp.logaddexp(total, x[:, k])
    return total


def _gradient(xp, log_probs, path, joint, total, running):
    finite = xp.isfinite(total)[:, None, None]
    shares = xp.exp(select(xp, finite, joint - select(xp, finite, total[:, None, None], 0), -np.inf))
    one_hot = (path[:, :, None] == xp.arange(log_probs.shape[2])).astype(shares.dtype)
    gradient = xp.exp(log_probs.transpose(1, 0, 2)) - product(xp, shares, one_hot)
    gradient = select(xp, finite, gradient, np.nan)
    return select(xp, running[:, :, None], gradient, 0.0).transpose(1, 0, 2)
