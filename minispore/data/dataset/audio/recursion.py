"""Linear filters: each sample is a weighted sum of inputs up to it, less one of the outputs before it."""

import numpy as np

__all__ = ["filtered"]

_BLOCK = 64


def filtered(x, a, b):
    """The outputs y (..., time) of ``a[0] * y[n] = sum(b[k] * x[n - k]) - sum(a[k] * y[n - k] for k from 1 on)``.

    Blocks of samples at once: each is its inputs by the response to an impulse, and the outputs before by theirs.
    """
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    a, b = a / a[0], b / a[0]
    fed = sum(weight * _delayed(x, k) for k, weight in enumerate(b))
    if len(a) == 1:
        return fed
    block = max(_BLOCK, len(a))
    blocks = np.pad(fed, [(0, 0)] * (x.ndim - 1) + [(0, -x.shape[-1] % block)])
    blocks = blocks.reshape(*x.shape[:-1], -1, block)
    of_inputs, of_outputs = _responses(a, block)
    found = blocks @ of_inputs.T
    for i in range(1, found.shape[-2]):
        found[..., i, :] += found[..., i - 1, block - len(a) + 1 :] @ of_outputs.T
    return found.reshape(*x.shape[:-1], -1)[..., : x.shape[-1]]


def _delayed(x, k):
    return x if k == 0 else np.pad(x, [(0, 0)] * (x.ndim - 1) + [(k, 0)])[..., : x.shape[-1]]


def _responses(a, block):
    """Matrices (block, block) of a block's inputs and (block, len(a) - 1) of the last outputs before it."""
    past = len(a) - 1
    rows = np.concatenate([np.eye(past + block, past), np.zeros((past + block, block))], 1)
    for i in range(past, past + block):
        rows[i, i] = 1
        rows[i] -= a[1:][::-1] @ rows[i - past : i]
    return rows[past:, past:], rows[past:, :past]
