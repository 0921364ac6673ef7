"""Einstein's sums of products, as products of matrices."""

from __future__ import annotations

import math

import numpy as np

from minispore.core.checks import check_text
from minispore.core.dtype import INEXACT
from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive
from minispore.core.tensor import Tensor
from minispore.ops.operations.linalg.matmul import BatchMatMul

__all__ = ["Einsum"]

_batched = BatchMatMul()


class Einsum(Primitive):
    """Sum of products as Einstein writes it: ``Einsum("ij,jk->ik")((x, y))`` is the matrix product.

    Dtypes: floats and complex, kept; TypeError for ints and bools.

    Args:
        equation (str): The equation, as :func:`minispore.ops.einsum` reads it.

    Inputs: a tuple or list of floating Tensors of one dtype, in the order of the equation.

    Raises:
        TypeError: If ``equation`` is not a str, ``x`` is not a tuple or a list of Tensors, or ``x[0]`` is not a Tensor.
        ValueError: If ``equation`` does not name 0 operands.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> print(ops.Einsum("ij,j->i")((ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), ms.Tensor([1.0, 10.0]))))
        [21. 43.]
    """

    def __init__(self, equation: str) -> None:
        self.add_prim_attr("equation", check_text(self.name, "equation", equation))

    def __call__(self, operands):
        """The sum of products of the operands."""
        if not isinstance(operands, (tuple, list)):
            raise type_error(self.name, "the 'x' must be a tuple or a list of Tensors", type(operands).__name__)
        for i, x in enumerate(operands):
            kind = x.array.dtype if isinstance(x, Tensor) else None
            if kind not in INEXACT or kind != operands[0].array.dtype:
                got = f"Tensor[{x.dtype}]" if isinstance(x, Tensor) else type(x).__name__
                raise type_error(self.name, f"the 'x[{i}]' must be a floating Tensor of the dtype of the others", got)
        return summed_products(self.equation, operands)


def moved(x, order):
    """The axes in another order."""
    return x.transpose(order) if order != tuple(range(x.ndim)) else x


def summed_products(equation, operands):
    """The sum of products that the equation names, of Tensors contracted from left to right."""
    inputs, output = _letters(equation, operands)
    terms = [_diagonal(x, letters) for x, letters in zip(operands, inputs, strict=True)]
    x, left = terms[0]
    for i, (y, right) in enumerate(terms[1:], 2):
        needed = set(output).union(*(letters for _, letters in terms[i:]))
        x, left = _contracted(x, left, y, right, needed)
    x, left = _summed(x, left, set(output))
    return moved(x, tuple(left.index(a) for a in output))


def _letters(equation, operands):
    """The letters of each operand's axes and of the output's; the axes of "..." get Greek capitals."""
    left, arrow, output = equation.replace(" ", "").partition("->")
    inputs = left.split(",")
    if len(inputs) != len(operands):
        raise value_error("einsum", f"the 'equation' must name {len(operands)} operands", shown(equation))
    hidden = [x.ndim - len(term.replace("...", "")) for term, x in zip(inputs, operands, strict=True)]
    if any(n < 0 or (n and "..." not in term) for n, term in zip(hidden, inputs, strict=True)):
        shapes = ", ".join(str(x.shape) for x in operands)
        raise value_error("einsum", f"the 'equation' {shown(equation)} must name each axis", f"shapes {shapes}")
    every = "".join(chr(0x391 + i) for i in range(max(hidden, default=0)))
    inputs = [t.replace("...", every[len(every) - n :]) for t, n in zip(inputs, hidden, strict=True)]
    if arrow:
        output = output.replace("...", every)
    else:
        once = sorted(a for a in set("".join(inputs)) - set(every) if "".join(inputs).count(a) == 1)
        output = every + "".join(once)
    unknown = set(output) - set("".join(inputs))
    if unknown or len(set(output)) != len(output) or not all(a.isalpha() for a in "".join(inputs)):
        raise value_error("einsum", "the 'equation' must have letters, on the right each once", shown(equation))
    return inputs, output


def _diagonal(x, letters):
    """The diagonal over every letter that names two axes, and its letters."""
    for letter in sorted(set(letters)):
        while letters.count(letter) > 1:
            i, j = letters.index(letter), letters.rindex(letter)
            if x.shape[i] != x.shape[j]:
                raise value_error("einsum", f"the axes '{letter}' must have one length", f"shape {x.shape}")
            order = (*(k for k in range(x.ndim) if k not in (i, j)), i, j)
            along = Tensor(np.arange(x.shape[i]))
            x = moved(x, order)[(Ellipsis, along, along)]
            letters = "".join(a for k, a in enumerate(letters) if k not in (i, j)) + letter
    return x, letters


def _summed(x, letters, needed):
    """The sum over the letters that no later operand and not the output names."""
    axes = tuple(i for i, a in enumerate(letters) if a not in needed)
    return (x.sum(axes) if axes else x), "".join(a for a in letters if a in needed)


def _contracted(x, left, y, right, needed):
    """One product of matrices for two operands: shared letters that are needed lead, the others are contracted."""
    x, left = _summed(x, left, needed | set(right))
    y, right = _summed(y, right, needed | set(left))
    shared = [a for a in left if a in right]
    lengths = {}
    for a, n in (*zip(left, x.shape, strict=True), *zip(right, y.shape, strict=True)):
        if lengths.setdefault(a, n) != n and 1 not in (lengths[a], n):
            raise value_error("einsum", f"the axes '{a}' must have one length", f"{lengths[a]} and {n}")
        lengths[a] = n if lengths[a] == 1 else lengths[a]
    lead, inside = [a for a in shared if a in needed], [a for a in shared if a not in needed]
    rows, columns = [a for a in left if a not in shared], [a for a in right if a not in shared]
    size = lambda group: math.prod(lengths[a] for a in group)  # noqa: E731 - used in the lines below
    x = _laid_out(x, left, lead + rows + inside, lengths).reshape(size(lead), size(rows), size(inside))
    y = _laid_out(y, right, lead + inside + columns, lengths).reshape(size(lead), size(inside), size(columns))
    out = _batched(x, y).reshape(tuple(lengths[a] for a in lead + rows + columns))
    return out, "".join(lead + rows + columns)


def _laid_out(x, letters, order, lengths):
    """The axes in another order, and stretched to their lengths."""
    x = moved(x, tuple(letters.index(a) for a in order))
    shape = tuple(lengths[a] for a in order)
    return x if x.shape == shape else x.broadcast_to(shape)
