"""Kernels of primitives: one file for each family of operations, which registers what CUDA computes in its own way.

A kernel is a function ``(op, xp, *arrays)`` of a primitive, CuPy, and the arrays that ``compute`` would get. It returns
what ``compute`` would, or None for arrays that it does not take: then ``compute`` computes those.

Reading order: ``activation``, ``softmax``, ``loss``, ``normalization``, ``conv``, ``pool``, ``linalg``, ``reduction``,
``dropout``, ``rnn``, ``cast``, ``state``, ``loss_scale``, ``update``.
"""

from minispore.devices.cuda.operations import (  # noqa: F401 - each file registers its kernels
    activation,
    cast,
    conv,
    dropout,
    linalg,
    loss,
    loss_scale,
    normalization,
    pool,
    reduction,
    rnn,
    softmax,
    state,
    update,
)

__all__ = []
