"""The layers of a Transformer: attention and a feed-forward part, each with a residual and a normalization."""

from __future__ import annotations

from minispore.core.checks import check_positive_int, check_switch
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.layer.activation import GELU, ReLU
from minispore.nn.layer.attention import MultiheadAttention, _Linear
from minispore.nn.layer.attention_mask import check_floats
from minispore.nn.layer.basic import Dropout
from minispore.nn.layer.normalization import LayerNorm
from minispore.nn.layer.rnn_checks import check_dropout
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["TransformerDecoderLayer", "TransformerEncoderLayer"]

_BY_NAME = {"relu": F.relu, "gelu": F.gelu}


def _activation(operation, activation):
    """The function of a name, or one of the two functions or layers that are allowed."""
    if isinstance(activation, str) and activation in _BY_NAME:
        return _BY_NAME[activation]
    if isinstance(activation, (ReLU, GELU)) or any(activation is f for f in _BY_NAME.values()):
        return activation
    expected = "the 'activation' must be 'relu', 'gelu', ops.relu, ops.gelu, or an nn.ReLU or nn.GELU"
    raise value_error(operation, expected, shown(activation))


class _TransformerLayer(Cell):
    """Base of the two layers; ``attentions`` names their attention cells, each followed by a norm."""

    attentions = ("self_attn",)

    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        check_positive_int(name, "dim_feedforward", dim_feedforward)
        check_dropout(name, dropout)
        if not isinstance(layer_norm_eps, float):
            raise type_error(name, "the 'layer_norm_eps' must be a float", shown(layer_norm_eps))
        activation = _activation(name, activation)
        for part in self.attentions:
            setattr(self, part, MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first))
        self.linear1 = _Linear(d_model, dim_feedforward)
        self.dropout = Dropout(p=dropout)
        self.linear2 = _Linear(dim_feedforward, d_model)
        self.norm_first = check_switch(name, "norm_first", norm_first)
        parts = range(1, len(self.attentions) + 2)
        for i in parts:
            setattr(self, f"norm{i}", LayerNorm((d_model,), epsilon=layer_norm_eps))
        for i in parts:
            setattr(self, f"dropout{i}", Dropout(p=dropout))
        self.activation = activation

    def _attended(self, x, attention, memory, mask, padding):
        memory = x if memory is None else memory
        return attention(x, memory, memory, padding, need_weights=False, attn_mask=mask)[0]

    def _fed(self, x):
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

    def _residual(self, norm, drop, x, part, *args):
        """``x + drop(part(norm(x)))`` with ``norm_first``, else ``norm(x + drop(part(x)))``."""
        return x + drop(part(norm(x), *args)) if self.norm_first else norm(x + drop(part(x, *args)))


class TransformerEncoderLayer(_TransformerLayer):
    """``x = norm1(x + self_attn(x))``, ``x = norm2(x + linear2(activation(linear1(x))))`` (Vaswani et al., 2017).

    Args:
        d_model (int): Length E of x's last axis.
        nhead (int): Number of heads, which divides ``d_model``.
        dim_feedforward (int): Length of the last axis between the linear layers. Default: 2048.
        dropout (float): The probability, in [0, 1), of zero in training. Default: 0.1.
        activation (Union[str, Cell, Callable]): "relu", "gelu", ``ops.relu``, ``ops.gelu``, an ``nn.ReLU`` or
            ``nn.GELU``. Default: "relu".
        layer_norm_eps (float): Added to the variance by the normalizations. Default: 1e-5.
        batch_first (bool): If True, x is (N, L, E), not (L, N, E). Default: False.
        norm_first (bool): If True, each part normalizes its input, not the sum. Default: False.

    Inputs:
        - **src** (Tensor) - L steps of N samples, shape (L, N, E), or (L, E); float16, bfloat16 or float32.
        - **src_mask**, **src_key_padding_mask** (Tensor) - ``attn_mask`` and ``key_padding_mask`` of
          :class:`MultiheadAttention`. Default: None.

    Outputs:
        Tensor of src's shape, float32.

    Raises:
        TypeError: If an argument is of a wrong kind, or an input not a Tensor of these floats.
        ValueError: If ``dropout`` is outside [0, 1), ``nhead`` does not divide ``d_model``, the activation is another,
            or a shape does not fit.

    Examples:
        >>> import minispore as ms
        >>> ms.nn.TransformerEncoderLayer(8, 2, 16)(ms.ops.ones((5, 2, 8))).shape
        (5, 2, 8)
        >>> out = ms.nn.TransformerEncoderLayer(8, 2, 16)(ms.ops.ones((5, 2, 8))).asnumpy()
        >>> print(abs(out.mean(axis=-1)).max() < 1e-5, out.std(axis=-1).round(2)[0])
        True [1. 1.]
    """

    def construct(self, src: Tensor, src_mask=None, src_key_padding_mask=None) -> Tensor:
        """Attend, then feed forward."""
        check_floats("TransformerEncoderLayer", src=src)
        masks = src_mask, src_key_padding_mask
        x = self._residual(self.norm1, self.dropout1, src, self._attended, self.self_attn, None, *masks)
        return self._residual(self.norm2, self.dropout2, x, self._fed)


class TransformerDecoderLayer(_TransformerLayer):
    """An encoder layer that attends to a memory between its two parts.

    ``x = norm1(x + self_attn(x))``, ``x = norm2(x + multihead_attn(x, memory))``, ``x = norm3(x + feed_forward(x))``.

    Arguments and errors as in :class:`TransformerEncoderLayer`.

    Inputs:
        - **tgt**, **memory** (Tensor) - Shapes (L, N, E) and (S, N, E), or without N.
        - **tgt_mask**, **memory_mask**, **tgt_key_padding_mask**, **memory_key_padding_mask** (Tensor) - The masks of
          both attentions. Default: None.

    Outputs:
        Tensor of tgt's shape.

    Examples:
        >>> import minispore as ms
        >>> layer = ms.nn.TransformerDecoderLayer(8, 2, 16)
        >>> layer(ms.ops.ones((5, 2, 8)), ms.ops.ones((7, 2, 8))).shape
        (5, 2, 8)
        >>> out = layer(ms.ops.ones((5, 2, 8)), ms.ops.ones((7, 2, 8))).asnumpy()
        >>> print(abs(out.mean(axis=-1)).max() < 1e-5, out.std(axis=-1).round(2)[0])
        True [1. 1.]
    """

    attentions = ("self_attn", "multihead_attn")

    def construct(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ) -> Tensor:
        """Attend to itself, to the memory, then feed forward."""
        check_floats("TransformerDecoderLayer", tgt=tgt, memory=memory)
        masks = tgt_mask, tgt_key_padding_mask
        x = self._residual(self.norm1, self.dropout1, tgt, self._attended, self.self_attn, None, *masks)
        masks = memory_mask, memory_key_padding_mask
        x = self._residual(self.norm2, self.dropout2, x, self._attended, self.multihead_attn, memory, *masks)
        return self._residual(self.norm3, self.dropout3, x, self._fed)
