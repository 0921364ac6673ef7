"""Einstein's sums of products."""

from __future__ import annotations

from minispore.core.errors import type_error
from minispore.core.tensor import Tensor
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.operations.linalg.einsum import summed_products

__all__ = ["einsum"]


def einsum(equation, *operands) -> Tensor:
    """Sum of products as Einstein writes it: "ij,jk->ik" is the matrix product.

    Letters name axes; "..." stands for leading axes, which broadcast. A letter missing on the right is summed over;
    without "->", letters that occur once are kept, in alphabetical order. The operands are contracted from left to
    right.

    Shapes: those that the equation names. The inputs have one dtype, which is kept, but sums of bools are int32.

    Raises:
        TypeError: If the equation is not a string, or an operand not a Tensor.
        ValueError: If the equation does not fit the operands.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> print(ms.ops.einsum("ij->j", x), ms.ops.einsum("ii", x), ms.ops.einsum("ij,j->i", x, x[0]))
        [4. 6.] 5.0 [ 5. 11.]
    """
    if not isinstance(equation, str):
        raise type_error("einsum", "the 'equation' must be a string", type(equation).__name__)
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    check_tensors("einsum", **{f"operands[{i}]": x for i, x in enumerate(operands)})
    return summed_products(equation, operands)
