"""Multi-head attention."""

from __future__ import annotations

import math
from typing import Any

from minispore.core.checks import check_bool, check_positive_int, check_switch
from minispore.core.dtype import float32
from minispore.core.errors import value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initial_values.constants import Zero
from minispore.nn.initial_values.variance_scaling import XavierNormal, XavierUniform
from minispore.nn.layer._parameters import new_parameter
from minispore.nn.layer.attention_mask import additive_mask, check_query
from minispore.nn.layer.dense import Dense
from minispore.nn.layer.rnn_checks import check_dropout
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.operations.linalg.matmul import BatchMatMul, BiasAdd, MatMul
from minispore.ops.operations.nn.attention import AttentionWeights

__all__ = ["MultiheadAttention"]


class _Linear(Dense):
    """A dense layer under the name that MindSpore's ``repr`` of attention shows."""


class MultiheadAttention(Cell):
    """``concat of softmax(q_h @ k_h.T / sqrt(d)) @ v_h`` over heads h, projected (Vaswani et al., 2017).

    Parameters: ``in_proj_weight`` (3 * embed_dim, embed_dim), or ``q_proj_weight``, ``k_proj_weight``,
    ``v_proj_weight`` where kdim or vdim differs from embed_dim; ``in_proj_bias`` (3 * embed_dim,); ``bias_k`` and
    ``bias_v`` (1, 1, embed_dim); ``out_proj.weight``, ``out_proj.bias``.

    Args:
        embed_dim (int): Length E of the queries' and the output's last axis.
        num_heads (int): Number of heads H, which divides ``embed_dim``.
        dropout (float): The probability, in [0, 1), of zero for attention weights in training. Default: 0.0.
        has_bias (bool): If True, the projections have biases. Default: True.
        add_bias_kv (bool): If True, a learned key and value stand after all others. Default: False.
        add_zero_attn (bool): If True, a key and value of zeros stand after all others. Default: False.
        kdim (int): Length of the keys' last axis. Default: None, which is ``embed_dim``.
        vdim (int): Length of the values' last axis. Default: None, which is ``embed_dim``.
        batch_first (bool): If True, inputs and output are (N, L, E), not (L, N, E). Default: False.

    Inputs:
        - **query**, **key**, **value** (Tensor) - Shapes (L, N, E), (S, N, kdim), (S, N, vdim), or without N.
        - **key_padding_mask** (Tensor) - (N, S): True where a key is left out, or floats to add. Default: None.
        - **need_weights** (bool) - If True, the weights are returned too. Default: True.
        - **attn_mask** (Tensor) - (L, S) or (N * H, L, S): True, or not 0 in uint8, where a key is left out for a
          query; or floats to add. Default: None.
        - **average_attn_weights** (bool) - If True, the weights are averaged over heads. Default: True.

    Outputs:
        ``(out, weights)``, or ``(out,)``: out like the query, weights (N, L, S), or (N, H, L, S) for each head. A
        query whose keys are all left out gets NaN.

    Raises:
        TypeError: If an argument is of a wrong kind, or an input not a Tensor of floats.
        ValueError: If ``num_heads`` does not divide ``embed_dim``, or a shape or a mask's dtype does not fit.

    Examples:
        >>> import minispore as ms
        >>> x = ms.ops.ones((5, 2, 8))
        >>> out, weights = ms.nn.MultiheadAttention(8, 4)(x, x, x)
        >>> out.shape, weights.shape
        ((5, 2, 8), (2, 5, 5))
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        has_bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        self.embed_dim = check_positive_int(name, "embed_dim", embed_dim)
        self.kdim = embed_dim if kdim is None else check_positive_int(name, "kdim", kdim)
        self.vdim = embed_dim if vdim is None else check_positive_int(name, "vdim", vdim)
        self.num_heads = check_positive_int(name, "num_heads", num_heads)
        if embed_dim % num_heads:
            raise value_error(name, f"the 'embed_dim' must be divisible by the 'num_heads', {num_heads}", embed_dim)
        self.dropout = check_dropout(name, dropout)
        self.has_bias = check_bool(name, "has_bias", has_bias)
        self.batch_first = check_switch(name, "batch_first", batch_first)
        self.add_zero_attn = check_switch(name, "add_zero_attn", add_zero_attn)
        self.head_dim = embed_dim // num_heads
        self._make_parameters(check_switch(name, "add_bias_kv", add_bias_kv))
        self.matmul, self.bias_add = MatMul(transpose_b=True), BiasAdd()
        self.attend, self.mix = AttentionWeights(1 / math.sqrt(self.head_dim)), BatchMatMul()

    def _make_parameters(self, add_bias_kv):
        width = self.embed_dim
        for part in ("in", "q", "k", "v"):
            setattr(self, f"{part}_proj_weight", None)
        if self.kdim == width and self.vdim == width:
            self.in_proj_weight = self._new(XavierUniform(), (3 * width, width))
        else:
            self.q_proj_weight = self._new(XavierUniform(), (width, width))
            self.k_proj_weight = self._new(XavierUniform(), (width, self.kdim))
            self.v_proj_weight = self._new(XavierUniform(), (width, self.vdim))
        self.in_proj_bias = self._new(Zero(), (3 * width,)) if self.has_bias else None
        self.bias_k = self._new(XavierNormal(), (1, 1, width)) if add_bias_kv else None
        self.bias_v = self._new(XavierNormal(), (1, 1, width)) if add_bias_kv else None
        self.out_proj = _Linear(width, width, has_bias=self.has_bias)

    @staticmethod
    def _new(init, shape):
        return new_parameter("MultiheadAttention", "weight", init, shape, float32)

    def construct(
        self,
        query,
        key,
        value,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
    ) -> Any:
        """Project, attend, project."""
        batched = check_query(self, query, key, value)
        same_key, same = key is query, value is key
        if not batched:
            query, key, value = (F.expand_dims(x, 0 if self.batch_first else 1) for x in (query, key, value))
        q, k, v = self._projected(query, key, value, same_key, same)
        mask = additive_mask(self, q, k, key_padding_mask, attn_mask, batched)
        k, v, mask = self._extended(k, v, mask)
        weights = self.attend(q, k, mask)
        if self.dropout and self.training:
            weights = F.dropout(weights, self.dropout)
        out = self._joined(self.mix(weights, v), query.shape)
        if not batched:
            out = F.squeeze(out, 0 if self.batch_first else 1)
        return (out, self._shown(weights, average_attn_weights, batched)) if need_weights else (out,)

    def _projected(self, query, key, value, same_key, same):
        """``q, k, v`` as (N, H, length, D); equal inputs share one product."""
        # Self-attention: one product with the three stacked weights.
        if same and same_key and self.in_proj_weight is not None:
            return self._heads(query, self.in_proj_weight, self.in_proj_bias, 3)
        if self.in_proj_weight is None:
            weights = self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        else:
            weights = F.split(self.in_proj_weight, self.embed_dim)
        biases = F.split(self.in_proj_bias, self.embed_dim) if self.has_bias else (None,) * 3
        inputs = zip((query, key, value), weights, biases, strict=True)
        return tuple(self._heads(x, w, b, 1)[0] for x, w, b in inputs)

    def _heads(self, x, weight, bias, count):
        """``count`` projections of x, each (N, H, length, D)."""
        out = self.matmul(_of_type(F.reshape(x, (-1, x.shape[2])), weight), weight)
        if bias is not None:
            out = self.bias_add(out, bias)
        out = F.reshape(out, (*x.shape[:2], count, self.num_heads, self.head_dim))
        out = F.transpose(out, (2, 0, 3, 1, 4) if self.batch_first else (2, 1, 3, 0, 4))
        return tuple(F.squeeze(part, 0) for part in F.split(out, 1))

    def _joined(self, out, shape):
        """The heads side by side, projected."""
        out = F.transpose(out, (0, 2, 1, 3) if self.batch_first else (2, 0, 1, 3))
        return F.reshape(self.out_proj(F.reshape(out, (-1, self.embed_dim))), (*shape[:2], self.embed_dim))

    def _extended(self, k, v, mask):
        """Keys, values and mask, then the learned key and value, then a key and value of zeros."""
        samples, added = k.shape[0], 0
        if self.bias_k is not None:
            k, v = (F.concat((x, self._for_all(b, samples)), 2) for x, b in ((k, self.bias_k), (v, self.bias_v)))
            added += 1
        if self.add_zero_attn:
            k, v = (F.concat((x, F.zeros((*x.shape[:2], 1, x.shape[3]), x.dtype)), 2) for x in (k, v))
            added += 1
        if added and mask is not None:
            mask = F.concat((mask, F.zeros((*mask.shape[:3], added), mask.dtype)), 3)
        return k, v, mask

    def _for_all(self, bias, samples):
        """A learned key or value for each sample, (N, H, 1, D)."""
        return F.broadcast_to(
            F.reshape(bias, (1, self.num_heads, 1, self.head_dim)), (samples, self.num_heads, 1, self.head_dim)
        )

    @staticmethod
    def _shown(weights, average, batched):
        """The weights as they are returned."""
        weights = F.reduce_mean(weights, 1) if average else weights
        return weights if batched else F.squeeze(weights, 0)


def _of_type(x, weight):
    """A float16 input of a float32 layer is widened, as MindSpore 2.0.0 does."""
    return F.cast(x, weight.dtype) if x.dtype.np.itemsize < weight.dtype.np.itemsize else x
