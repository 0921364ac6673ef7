"""The random Hadamard transform: 16 numbers become 16 sums of them with random signs.

An outlier is spread over its 16 neighbours, which a shared scale would otherwise push to zero. ``t R`` takes the place
of each 16 consecutive numbers ``t``, with ``R = diag(sign) H / 4`` and Sylvester's matrix ``H`` of plus and minus ones.
``R R.T = I`` exactly, so a product of two transformed operands is the same sum: ``(dy.T R) (R.T x) = dy.T x``. It is
used for the gradient of the weight alone, along the axis of samples.

Source: NVFP4 of Transformer Engine, whose signs these are; arXiv 2509.25149.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core import backend
from minispore.ops.kernels.float16.cast import narrow

__all__ = ["matrix", "transformed"]

_SIGNS = (1, 1, 1, -1, 1, -1, -1, -1, -1, -1, -1, 1, -1, 1, -1, -1)


def _matrix():
    h = np.ones((1, 1))
    while len(h) < len(_SIGNS):
        h = np.block([[h, h], [h, -h]])
    return np.array(_SIGNS, np.float64)[:, None] * h / 4


_R = _matrix()


def matrix() -> Any:
    """The matrix ``R``, 16 by 16, float64; its numbers are 1/4 and -1/4.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.hadamard import matrix
        >>> bool((matrix() @ matrix().T == np.eye(16)).all())
        True
    """
    return _R.copy()


def transformed(x: Any, dtype: Any = None, xp: Any = np) -> Any:
    """Each 16 consecutive numbers of a matrix's columns, transformed: ``R.T`` times them.

    The rows are filled up with zeros to a multiple of 16, which changes no product. Sums are exact in float64, and are
    rounded to float32, and then to ``dtype``.

    Args:
        x (array): A matrix of (m, n), whose sums run over m.
        dtype (dtype): The NumPy dtype of the activations, to which the result is rounded. Default: None, for x's.
        xp (module): NumPy or CuPy. Default: NumPy.

    Returns:
        array, float32, of ``(16 * ceil(m / 16), n)``.

    Examples:
        >>> import numpy as np
        >>> from minispore.amp.lowbit.hadamard import transformed
        >>> print(transformed(np.eye(16, 1, dtype=np.float32) * 64).ravel()[:3])
        [16. 16. 16.]
    """
    size = len(_R)
    short = -x.shape[0] % size
    wide = xp.pad(x, ((0, short), (0, 0))) if short else x
    blocks = wide.reshape(-1, size, x.shape[1]).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        out = xp.matmul(backend.constant(xp, _R).T, blocks).astype(np.float32)
    return narrow(xp, out.reshape(wide.shape), x.dtype if dtype is None else dtype).astype(np.float32, copy=False)
