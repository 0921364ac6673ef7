"""The adapter of torchao: its MX blocks and NVFP4 on the CPU. It imports NumPy, torch and torchao alone.

torchao refuses rows that are no whole number of blocks: they are filled up with zeros here, as every rule allows.
"""

import numpy as np

ELEMENTS = {
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "e3m2": "DTYPE_FP6_E3M2",
    "e2m3": "DTYPE_FP6_E2M3",
    "e2m1": "float4_e2m1fn_x2",
}


class Torchao:
    """The protocol of ``targets/__init__.py`` over torchao."""

    name = "torchao"

    def __init__(self, torch, version, kinds, mx, nvfp4):
        self.torch, self.version, self.kinds, self.mx, self.nvfp4 = torch, version.split("+")[0], kinds, mx, nvfp4

    def quantized(self, operand, matrix):
        """A matrix, quantized along its rows, in blocks of 32 with a shared exponent, or by NVFP4 in two levels."""
        element, tile, rule, rounding = operand.split("/")
        block = {"1x32": 32, "1x16": 16}.get(tile)
        if rounding != "even" or not block or (block == 16) != (rule == "two_levels") or rule.startswith("current"):
            raise NotImplementedError("torchao has MX and NVFP4 in rows, rounded to nearest")
        x = self.torch.from_numpy(np.pad(matrix, ((0, 0), (0, -matrix.shape[1] % block))))
        made = self._two_levels(x) if block == 16 else self._shared(x, element, rule)
        return made.dequantize(self.torch.float32).numpy()[:, : matrix.shape[1]]

    def quantized_along(self, operand, matrix, axis):
        """A matrix, quantized along an axis."""
        turned = matrix if axis else np.ascontiguousarray(matrix.T)
        found = self.quantized(operand, turned)
        return found if axis else found.T

    def _shared(self, x, element, rule):
        name = ELEMENTS[element]
        kind = getattr(self.kinds, name, None) or getattr(self.torch, name)
        return self.mx.MXTensor.to_mx(x, kind, 32, self.mx.ScaleCalculationMode(rule))

    def _two_levels(self, x):
        scale = self.nvfp4.per_tensor_amax_to_scale(x.abs().max())
        return self.nvfp4.NVFP4Tensor.to_nvfp4(x, per_tensor_scale=scale)


def target():
    """PyTorch and torchao, in the process of their own Python."""
    import torch
    import torchao
    from torchao.prototype.mx_formats import constants, mx_tensor, nvfp4_tensor

    return Torchao(torch, torchao.__version__, constants, mx_tensor, nvfp4_tensor)
