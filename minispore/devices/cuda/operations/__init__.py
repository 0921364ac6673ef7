"""Kernels of primitives: one file for each family of operations registers CUDA's ways of computing them.

A kernel is a function ``(op, xp, *arrays)`` of a primitive, CuPy, and the arrays that ``compute`` would get. It returns
the same as ``compute``, or None for arrays that it does not support: then ``compute`` does the work.

Reading order: ``activation``, ``softmax``, ``loss``, ``normalization``, ``conv``, ``pool``, ``linalg``, ``reduction``,
``dropout``, ``rnn``, ``cast``, ``state``, ``loss_scale``, ``update``, ``low_bits``.
"""

from minispore.devices.cuda.operations import (  # noqa: F401 - each file registers its kernels
    activation,
    cast,
    conv,
    dropout,
    linalg,
    loss,
    loss_scale,
    low_bits,
    normalization,
    pool,
    reduction,
    rnn,
    softmax,
    state,
    update,
)

__all__ = []
