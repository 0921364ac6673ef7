"""Settings of an Ascend, which is emulated here: it computes as the CPU does."""

from __future__ import annotations

from minispore.core.checks import check_bool, check_choice, check_text
from minispore.devices.device_context._settings import questions, without_effect

__all__ = [
    "conv_allow_hf32",
    "device_count",
    "is_available",
    "matmul_allow_hf32",
    "op_compile",
    "op_precision_mode",
    "precision_mode",
]

device_count, is_available = questions("Ascend")
_MODES = (
    "force_fp16",
    "allow_fp32_to_fp16",
    "allow_mix_precision",
    "must_keep_origin_dtype",
    "force_fp32",
    "allow_fp32_to_bf16",
    "allow_mix_precision_fp16",
    "allow_mix_precision_bf16",
)


def precision_mode(mode) -> None:
    """Choose how an Ascend's compiler mixes precisions; here ``amp_level`` or ``to_float`` decide.

    Raises:
        ValueError: If there is no such mode.
    """
    without_effect("precision_mode", check_choice("precision_mode", "mode", mode, _MODES))


def op_precision_mode(path) -> None:
    """Name the file of each operation's precision; TypeError unless it is a str. The file is not read here."""
    without_effect("op_precision_mode", check_text("op_precision_mode", "path", path))


def op_compile(value) -> None:
    """Let operations be compiled, or not; TypeError unless ``value`` is a bool. Nothing is compiled here."""
    without_effect("op_compile", check_bool("op_compile", "value", value))


def conv_allow_hf32(value) -> None:
    """Let convolution compute in HF32; TypeError unless ``value`` is a bool. float32 stays float32 here."""
    without_effect("conv_allow_hf32", check_bool("conv_allow_hf32", "value", value))


def matmul_allow_hf32(value) -> None:
    """Let products of matrices compute in HF32; TypeError unless ``value`` is a bool. float32 stays float32 here."""
    without_effect("matmul_allow_hf32", check_bool("matmul_allow_hf32", "value", value))
