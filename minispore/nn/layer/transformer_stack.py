"""Stacks of Transformer layers: encoder, decoder, and both as a Transformer."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any

from minispore.core.checks import check_positive_int, check_switch
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.initial_values.variance_scaling import XavierUniform
from minispore.nn.initializer import initializer
from minispore.nn.layer.attention_mask import check_floats
from minispore.nn.layer.container import CellList
from minispore.nn.layer.normalization import LayerNorm
from minispore.nn.layer.rnn_checks import check_layers
from minispore.nn.layer.transformer import TransformerDecoderLayer, TransformerEncoderLayer

__all__ = ["Transformer", "TransformerDecoder", "TransformerEncoder"]


class _Stack(Cell):
    """Base: copies of one layer, each with its own Parameters, and a normalization at the end."""

    def _hold(self, argument, layer, num_layers, norm):
        name = type(self).__name__
        if not isinstance(layer, Cell):
            raise type_error(name, f"the '{argument}' must be a Cell", type(layer).__name__)
        check_layers(name, "num_layers", num_layers)
        if norm is not None and not isinstance(norm, Cell):
            raise type_error(name, "the 'norm' must be a Cell", type(norm).__name__)
        self.layers = CellList([copy.deepcopy(layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm


class TransformerEncoder(_Stack):
    """``num_layers`` copies of an encoder layer, one after another, then ``norm``.

    Args:
        encoder_layer (Cell): The layer; each copy begins with its values.
        num_layers (int): How many copies.
        norm (Cell): Applied at the end. Default: None.

    Inputs:
        **src**, **src_mask**, **src_key_padding_mask**, as of :class:`TransformerEncoderLayer`.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If ``src`` does not have 2 or 3 axes, or is empty, or has another last length than the layers.

    Examples:
        >>> import minispore as ms
        >>> layer = ms.nn.TransformerEncoderLayer(8, 2, 16)
        >>> ms.nn.TransformerEncoder(layer, 2)(ms.ops.ones((5, 2, 8))).shape
        (5, 2, 8)
        >>> out = ms.nn.TransformerEncoder(layer, 2)(ms.ops.ones((5, 2, 8))).asnumpy()
        >>> print(abs(out.mean(axis=-1)).max() < 1e-5, out.std(axis=-1).round(2)[0])
        True [1. 1.]
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__()
        self._hold("encoder_layer", encoder_layer, num_layers, norm)

    def construct(self, src, src_mask=None, src_key_padding_mask=None) -> Tensor:
        """Layer by layer."""
        for layer in self.layers:
            src = layer(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(_Stack):
    """``num_layers`` copies of a decoder layer, each reading the same memory, then ``norm``.

    Arguments and errors as in :class:`TransformerEncoder`, inputs as in :class:`TransformerDecoderLayer`.

    Dtypes: float32, that of the weights; TypeError for others.

    Raises:
        ValueError: If ``tgt`` or ``memory`` does not have 2 or 3 axes, or is empty, or their shapes do not fit.

    Examples:
        >>> import minispore as ms
        >>> decoder = ms.nn.TransformerDecoder(ms.nn.TransformerDecoderLayer(8, 2, 16), 2)
        >>> decoder(ms.ops.ones((5, 2, 8)), ms.ops.ones((7, 2, 8))).shape
        (5, 2, 8)
        >>> out = decoder(ms.ops.ones((5, 2, 8)), ms.ops.ones((7, 2, 8))).asnumpy()
        >>> print(abs(out.mean(axis=-1)).max() < 1e-5, out.std(axis=-1).round(2)[0])
        True [1. 1.]
    """

    def __init__(self, decoder_layer, num_layers, norm=None) -> None:
        super().__init__()
        self._hold("decoder_layer", decoder_layer, num_layers, norm)

    def construct(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ) -> Tensor:
        """Layer by layer."""
        masks = {"tgt_mask": tgt_mask, "memory_mask": memory_mask}
        masks.update(tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
        for layer in self.layers:
            tgt = layer(tgt, memory, **masks)
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Cell):
    """``decoder(tgt, encoder(src))`` (Vaswani et al., 2017), all weight matrices from XavierUniform.

    Args:
        d_model (int): Length E of the last axis. Default: 512.
        nhead (int): Number of heads, which divides ``d_model``. Default: 8.
        num_encoder_layers, num_decoder_layers (int): How many layers. Default: 6.
        dim_feedforward (int): Length of the last axis inside a layer. Default: 2048.
        dropout (float): The probability, in [0, 1), of zero in training. Default: 0.1.
        activation (Union[str, Cell, Callable]): As of :class:`TransformerEncoderLayer`. Default: "relu".
        custom_encoder, custom_decoder (Cell): Used instead of the encoder or the decoder. Default: None.
        layer_norm_eps (float): Added to the variance by the normalizations. Default: 1e-5.
        batch_first (bool): If True, src and tgt are (N, L, E), not (L, N, E). Default: False.
        norm_first (bool): If True, each part of a layer normalizes its input, not the sum. Default: False.

    Inputs:
        - **src**, **tgt** (Tensor) - Shapes (S, N, E) and (L, N, E), or without N.
        - **src_mask**, **tgt_mask**, **memory_mask**, **src_key_padding_mask**, **tgt_key_padding_mask**,
          **memory_key_padding_mask** (Tensor) - Masks of :class:`MultiheadAttention`. Default: None.

    Outputs:
        Tensor of tgt's shape.

    Raises:
        TypeError: If an argument is of a wrong kind, or src or tgt not a Tensor of floats.
        ValueError: If ``nhead`` does not divide ``d_model``, or a shape does not fit.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.Transformer(8, 2, 1, 1, 16)
        >>> net(ms.ops.ones((7, 2, 8)), ms.ops.ones((5, 2, 8))).shape
        (5, 2, 8)
        >>> out = net(ms.ops.ones((7, 2, 8)), ms.ops.ones((5, 2, 8))).asnumpy()
        >>> print(abs(out.mean(axis=-1)).max() < 1e-5, out.std(axis=-1).round(2)[0])
        True [1. 1.]
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Cell | Callable[..., Any] = "relu",
        custom_encoder: Cell | None = None,
        custom_decoder: Cell | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
    ) -> None:
        super().__init__()
        self.d_model = check_positive_int("Transformer", "d_model", d_model)
        self.nhead = check_positive_int("Transformer", "nhead", nhead)
        self.batch_first = check_switch("Transformer", "batch_first", batch_first)
        like = d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first
        self._check_part("custom_encoder", custom_encoder)
        self._check_part("custom_decoder", custom_decoder)
        norm = functools.partial(LayerNorm, (d_model,), epsilon=layer_norm_eps)
        if custom_encoder is None:
            custom_encoder = TransformerEncoder(TransformerEncoderLayer(*like), num_encoder_layers, norm())
        if custom_decoder is None:
            custom_decoder = TransformerDecoder(TransformerDecoderLayer(*like), num_decoder_layers, norm())
        self.encoder, self.decoder = custom_encoder, custom_decoder
        for p in self.get_parameters():
            if p.ndim > 1:
                p.set_data(initializer(XavierUniform(), p.shape, p.dtype))

    @staticmethod
    def _check_part(argument, cell):
        if cell is not None and not isinstance(cell, Cell):
            raise type_error("Transformer", f"the '{argument}' must be a Cell", type(cell).__name__)

    def construct(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
    ) -> Tensor:
        """Encode, decode."""
        self._check(src, tgt)
        memory = self.encoder(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        masks = {"tgt_mask": tgt_mask, "memory_mask": memory_mask}
        masks.update(tgt_key_padding_mask=tgt_key_padding_mask, memory_key_padding_mask=memory_key_padding_mask)
        return self.decoder(tgt, memory, **masks)

    def _check(self, src, tgt):
        check_floats("Transformer", src=src, tgt=tgt)
        got = f"{src.shape} and {tgt.shape}"
        if src.ndim != tgt.ndim:
            raise value_error("Transformer", "the 'src' and 'tgt' must have as many axes", got)
        if src.ndim not in (2, 3):
            raise value_error("Transformer", "the 'src' and 'tgt' must have 2 or 3 axes", got)
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            expected = f"the last axes of 'src' and 'tgt' must have the length 'd_model', {self.d_model}"
            raise value_error("Transformer", expected, got)
        samples = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[samples] != tgt.shape[samples]:
            raise value_error("Transformer", "the 'src' and 'tgt' must have as many samples", got)
