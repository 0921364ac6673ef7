"""Settings of a GPU; here CuPy chooses the convolutions."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_choice
from minispore.devices.device_context._settings import questions, without_effect

__all__ = [
    "conv_allow_tf32",
    "conv_dgrad_algo",
    "conv_fprop_algo",
    "conv_wgrad_algo",
    "device_count",
    "is_available",
    "matmul_allow_tf32",
]

device_count, is_available = questions("GPU")
_FORWARD = (
    *("normal", "performance", "implicit_gemm", "precomp_gemm", "gemm", "direct", "fft", "fft_tiling"),
    *("winograd", "winograd_nonfused"),
)
_TO_INPUT = ("normal", "performance", "algo_0", "algo_1", "fft", "fft_tiling", "winograd", "winograd_nonfused")
_TO_WEIGHT = ("normal", "performance", "algo_0", "algo_1", "algo_3", "fft", "fft_tiling", "winograd_nonfused")


def conv_fprop_algo(mode) -> None:
    """Choose the algorithm of convolution by name, such as "performance"; ValueError for another name."""
    without_effect("conv_fprop_algo", check_choice("conv_fprop_algo", "mode", mode, _FORWARD))


def conv_dgrad_algo(mode) -> None:
    """Choose the algorithm of convolution's gradient of the input; ValueError for an unknown name."""
    without_effect("conv_dgrad_algo", check_choice("conv_dgrad_algo", "mode", mode, _TO_INPUT))


def conv_wgrad_algo(mode) -> None:
    """Choose the algorithm of convolution's gradient of the weight; ValueError for an unknown name."""
    without_effect("conv_wgrad_algo", check_choice("conv_wgrad_algo", "mode", mode, _TO_WEIGHT))


def conv_allow_tf32(value) -> None:
    """Let convolution compute in TF32; TypeError unless ``value`` is a bool. float32 stays float32 here."""
    without_effect("conv_allow_tf32", check_bool("conv_allow_tf32", "value", value))


def matmul_allow_tf32(value) -> None:
    """Let products of matrices compute in TF32; TypeError unless ``value`` is a bool. float32 stays float32 here."""
    without_effect("matmul_allow_tf32", check_bool("matmul_allow_tf32", "value", value))
