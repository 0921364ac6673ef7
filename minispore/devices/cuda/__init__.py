"""CUDA kernels: one or two of them do the work of a dozen of CuPy's kernels in ``compute``.

The folder ``operations`` registers them for the primitives. A kernel returns None for arrays that it does not support
(float64, empty ones): then ``compute`` does the work. Arrays in another memory order are copied first. ``compute`` is a
kernel's reference: float16 and bfloat16 in float32, rounded once. Sums are taken in an order that is the same in every
run.

A ``.cu`` file holds CUDA's text, the ``.py`` file of its name the launches. Reading order: ``launch``, ``activation``,
``elementwise_group``, ``softmax``, ``cross_entropy``, ``layer_norm``, ``batch_norm``, ``cublas``, ``cublaslt``,
``gemm``, ``conv2d_columns``, ``conv2d_implicit``, ``conv2d_groups``, ``conv2d``, ``pool2d``, ``reduction``,
``channel_sums``, ``narrow_copies``, ``multi_tensor``, ``copies``, ``loss_scale``, ``device_words``, ``low_bits``,
``recurrent``, ``recurrent_sequence``, ``dropout``, ``operations``, ``persistent_buffers``, ``device_draws``,
``capture``.
"""

import importlib

from minispore.dropin.addresses import open_modules as _open_modules

__all__ = []

_FILES = (
    *("activation", "batch_norm", "channel_sums", "conv2d", "conv2d_columns", "conv2d_groups", "conv2d_implicit"),
    *("copies", "cross_entropy", "cublas", "cublaslt", "dropout", "elementwise_group", "gemm", "layer_norm", "launch"),
    *("loss_scale", "low_bits", "multi_tensor", "narrow_copies", "pool2d", "recurrent", "recurrent_sequence"),
    *("reduction", "softmax"),
)


def __getattr__(name):
    """Import a module of this package when a GPU first needs it."""
    if name not in _FILES:
        raise AttributeError(f"The module '{__name__}' has no attribute '{name}'.")
    return importlib.import_module(f"{__name__}.{name}")


_open_modules()
