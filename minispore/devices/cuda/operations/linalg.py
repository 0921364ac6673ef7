"""Products of matrices by cuBLAS: float16 and bfloat16 on tensor cores, in a way that a capture may call."""

from minispore.core import backend
from minispore.core.kernel_table import kernel_of
from minispore.devices.cuda import gemm
from minispore.ops.kernels.matmul import product_of_a_device
from minispore.ops.operations.linalg.matmul import MatMul

__all__ = []


@kernel_of(MatMul, "cuda")
def _matmul(op, xp, x1, x2):
    return gemm.matmul(xp, x1, x2, op.transpose_a, op.transpose_b)


@product_of_a_device
def _product(xp, a, b):
    """``a @ b`` where a portable algorithm of ``ops/kernels`` multiplies matrices."""
    return gemm.matmul(xp, a, b) if backend.has_kernels(xp) else None
