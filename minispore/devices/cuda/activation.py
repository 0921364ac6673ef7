"""Bias, ReLU and GELU with their gradients: one launch each, computed in float32 and rounded once."""

from minispore.devices.cuda.launch import elementwise, takes, takes_any_order

__all__ = []

SIGMOID = "float v = float(x), t = 1.5957691216057308f * (v + 0.044715f * v * v * v), s = 1 / (1 + expf(-t));"
GELU_SLOPE = "(1 + v * 1.5957691216057308f * (1 + 0.134145f * v * v) * (1 - s))"
_BIAS = "bias", "T x, raw T b, int32 channels, int64 pixels", "T y", "y = T(float(x) + float(b[i / pixels % channels]))"
_RELU = "relu", "T x", "T y", "y = x > T(0.f) || x != x ? x : T(0.f)"
_RELU_GRAD = "relu_grad", "T dy, T y", "T dx", "dx = y > T(0.f) ? dy : T(0.f)"
_GELU = "gelu", "T x", "T y", f"{SIGMOID} y = T(v * s)"
_GELU_GRAD = (
    "gelu_grad",
    "T dy, T x",
    "T dx",
    f"{SIGMOID} dx = T(float(dy) * s * {GELU_SLOPE})",
)


def bias_add(xp, x, b, last):
    """``x + b`` along axis 1, or the last; None for arrays that the kernel does not take."""
    if not takes(x, b) or x.dtype != b.dtype:
        return None
    pixels = 1 if last else x.size // (x.shape[0] * x.shape[1])
    return elementwise(xp, *_BIAS)(x, b, b.size, pixels)


def relu(xp, x):
    """``max(x, 0)``, and nan for nan; None likewise."""
    return elementwise(xp, *_RELU)(x) if takes_any_order(x) else None


def relu_grad(xp, dy, y):
    """``dy where y > 0 else 0``; None likewise."""
    return elementwise(xp, *_RELU_GRAD)(dy, y) if takes_any_order(dy, y) else None


def gelu(xp, x):
    """``x / (1 + e ** -t)`` with ``t = 2 * 0.79788 * (x + 0.044715 * x ** 3)``; None likewise."""
    return elementwise(xp, *_GELU)(x) if takes_any_order(x) else None


def gelu_grad(xp, dy, x):
    """``dy * s * (1 + x * t' * (1 - s))`` with ``s = 1 / (1 + e ** -t)``; None likewise."""
    return elementwise(xp, *_GELU_GRAD)(dy, x) if takes_any_order(dy, x) else None
