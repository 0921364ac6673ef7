"""Attention: the weights of a softmax over scaled products, in one operation.

float16 is computed in float32 and rounded once.
"""

from __future__ import annotations

from minispore.core.errors import shown, type_error, value_error
from minispore.core.primitive import Primitive, Spec
from minispore.core.tape import needs_grad
from minispore.ops.broadcasting import broadcast_shape, sum_to
from minispore.ops.kernels.float16.cast import narrow, widen
from minispore.ops.kernels.matmul import product
from minispore.ops.kernels.softmax import softmax
from minispore.ops.operations.linalg.matmul import BatchMatMul
from minispore.ops.operations.nn.softmax import SoftmaxGrad
from minispore.ops.shape_checks import check_rank
from minispore.ops.type_checks import check_float, check_same_type

__all__ = ["AttentionWeights"]


class AttentionWeights(Primitive):
    """Weights of attention: how much each query takes of each key.

    ``out = softmax(scale * q @ k.T + mask)`` along the last axis; a row whose mask is all ``-inf`` gives NaN.

    Shapes: ``q`` (N, H, L, D), ``k`` (N, H, S, D), ``mask`` None or broadcast to (N, H, L, S).

    The inputs have one dtype of floats, which is kept.

    Raises:
        TypeError: If ``scale`` is not a number, ``q`` or ``k`` is not a Tensor, or an input is complex. Also if ``k``
            and ``q`` differ in dtype.
        ValueError: If ``q`` or ``k`` does not have 4 axes, or ``k`` has a shape that does not fit.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> x = ms.Tensor([[[[1.0, 0.0], [0.0, 1.0]]]])
        >>> print(ops.AttentionWeights()(x, x))
        [[[[0.7310586 0.2689414]
           [0.2689414 0.7310586]]]]
    """

    def __init__(self, scale=1.0) -> None:
        if isinstance(scale, bool) or not isinstance(scale, float):
            raise type_error(self.name, "the 'scale' must be a float", shown(scale))
        self.add_prim_attr("scale", scale)

    def infer(self, q, k, mask=None):
        for name, x in (("q", q), ("k", k)):
            check_float(self, name, x)
            check_rank(self, name, x, (4,))
        check_same_type(self, q=q, k=k)
        if q.shape[:2] != k.shape[:2] or q.shape[3] != k.shape[3] or not k.shape[2]:
            wish = (*q.shape[:2], "S", q.shape[3])
            raise value_error(self.name, f"the 'k' must have the shape ({', '.join(map(str, wish))}), S > 0", k.shape)
        out = Spec((*q.shape[:3], k.shape[2]), q.dtype)
        if mask is not None:
            check_same_type(self, q=q, mask=mask)
            if broadcast_shape(self, out.shape, mask.shape, ("q @ k.T", "mask")) != out.shape:
                raise value_error(self.name, f"the 'mask' must broadcast to {out.shape}", mask.shape)
        return out

    def compute(self, xp, q, k, mask=None):
        scores = product(xp, widen(xp, q) * q.dtype.type(self.scale), widen(xp, k).swapaxes(-1, -2))
        if mask is not None:
            scores += widen(xp, mask)
        return narrow(xp, softmax(xp, scores), q.dtype)

    def bprop(self, q, k, mask, out, dout):
        d = _softmax_grad(dout, out)
        return (
            _product(d, k) * self.scale if needs_grad(q) else None,
            _transposed_product(d, q * self.scale) if needs_grad(k) else None,
            sum_to(d, mask.array.shape) if needs_grad(mask) else None,
        )


_softmax_grad, _product, _transposed_product = SoftmaxGrad(), BatchMatMul(), BatchMatMul(transpose_a=True)
