"""Faces of the normalizations."""

from minispore.ops.functional.faces import make
from minispore.ops.normalization import LayerNorm

__all__ = ["layer_norm"]


def layer_norm(x, gamma, beta, begin_axis, epsilon=1e-5):
    """Normalization over the axes from ``begin_axis`` on: the first output of ``LayerNorm``."""
    return make(LayerNorm, begin_axis, begin_axis, epsilon)(x, gamma, beta)[0]
