"""Operations of ``ops`` that came after MindSpore 2.0.0 and that public programs use."""

from __future__ import annotations

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_positive_int
from minispore.core.dtype import FLOATS, bool_, float32, float64, int32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import check_tensors
from minispore.ops.number_checks import check_number, check_real

__all__ = ["bucketize", "eq", "flash_attention_score"]

eq = F.equal
_UNBOUNDED = 2147483647  # of 'pre_tokens' and 'next_tokens'
# Layout -> the axes of batch, sequence, heads; None where the heads stand in the last axis with their widths
_LAYOUTS = {"BSH": (0, 1, None), "SBH": (1, 0, None), "BSND": (0, 1, 2), "BNSD": (0, 2, 1)}


def bucketize(input: Tensor, boundaries: list[float], *, right: bool = False) -> Tensor:
    """The number of boundaries below each element: ``searchsorted(boundaries, input)``.

    With ``right``, those equal to it count too. Shapes: as ``input``. Dtypes: numbers to int32.

    Args:
        input (Tensor): The elements.
        boundaries (list[float]): Ascending numbers, a list or a tuple.
        right (bool): Default: False.

    Raises:
        TypeError: If an argument is of another kind.

    Examples:
        >>> import minispore as ms
        >>> print(ms.ops.bucketize(ms.Tensor([[1, 9], [3, 5]]), [0, 3, 5, 7]))
        [[1 4]
         [1 2]]
    """
    check_tensors("bucketize", input=input)
    if not isinstance(boundaries, (list, tuple)):
        raise type_error("bucketize", "the 'boundaries' must be a list or a tuple of numbers", shown(boundaries))
    edges = [check_number("bucketize", "boundaries", edge) for edge in boundaries]
    check_bool("bucketize", "right", right)
    below = (lambda edge: input >= edge) if right else (lambda edge: input > edge)
    found = F.zeros(input.shape, int32)
    for edge in edges:
        found = found + F.cast(below(edge), int32)
    return found


def flash_attention_score(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    head_num: int,
    real_shift: Tensor | None = None,
    drop_mask: Tensor | None = None,
    padding_mask: Tensor | None = None,
    attn_mask: Tensor | None = None,
    prefix: Tensor | None = None,
    actual_seq_qlen: Tensor | None = None,
    actual_seq_kvlen: Tensor | None = None,
    keep_prob: float = 1.0,
    scalar_value: float = 1.0,
    pre_tokens: int = _UNBOUNDED,
    next_tokens: int = _UNBOUNDED,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
) -> Tensor:
    """Attention of several heads: ``dropout(softmax(mask(scalar_value * q @ k.T))) @ v``.

    MindSpore has it for Ascend alone, since 2.3. Heads of ``query`` share those of ``key`` where these are fewer.

    Shapes: with ``input_layout`` "BSH" the query is (B, S, N * D), key and value are (B, T, M * D), where N, a multiple
    of M, is ``head_num``. "SBH" is (S, B, N * D), "BSND" (B, S, N, D), "BNSD" (B, N, S, D). The result is as ``query``.

    Dtypes: floats, one for all; float16 is computed in float32.

    Args:
        query (Tensor): What asks.
        key (Tensor): What is compared with it.
        value (Tensor): What is mixed.
        head_num (int): The number of heads, N.
        real_shift (Tensor): Added to the products, broadcast to (B, N, S, T). ``scalar_value`` must then be 1, as
            documents of MindSpore add it before the factor or after it. Default: None.
        drop_mask (Tensor): None, as dropout draws by itself. Default: None.
        padding_mask (Tensor): None. Default: None.
        attn_mask (Tensor): True or 1 where a query may not see a key, broadcast to (B, N, S, T). Default: None.
        prefix (Tensor): None. Default: None.
        actual_seq_qlen (Tensor): None. Default: None.
        actual_seq_kvlen (Tensor): None. Default: None.
        keep_prob (float): The part of weights that dropout keeps, in (0, 1]. Default: 1.0.
        scalar_value (float): The factor of the products. Default: 1.0.
        pre_tokens (int): 2147483647: no bound but ``attn_mask``'s. Default: 2147483647.
        next_tokens (int): 2147483647. Default: 2147483647.
        inner_precise (int): 0 or 1, both precise here. Default: 0.
        input_layout (str): "BSH", "SBH", "BSND" or "BNSD". Default: "BSH".
        sparse_mode (int): 0 or 1: the whole mask is in ``attn_mask``; 2: a query sees no later key; 3: the same,
            counted from the last ones. Default: 0.

    Raises:
        TypeError: If an argument is of another kind.
        ValueError: If a shape does not fit, or an argument has a value that is not supported here.

    Examples:
        >>> import minispore as ms
        >>> x = ms.Tensor([[[1.0, 0.0], [0.0, 1.0]]])
        >>> print(ms.ops.flash_attention_score(x, x, x, 1))
        [[[0.7310586 0.2689414]
          [0.2689414 0.7310586]]]
    """
    name = "flash_attention_score"
    given = {"drop_mask": drop_mask, "padding_mask": padding_mask, "prefix": prefix}
    given |= {"actual_seq_qlen": actual_seq_qlen, "actual_seq_kvlen": actual_seq_kvlen}
    for argument, x in given.items():
        if x is not None:
            raise value_error(name, f"the '{argument}' must be None in minispore", shown(x))
    check_choice(name, "pre_tokens", pre_tokens, (_UNBOUNDED,))
    check_choice(name, "next_tokens", next_tokens, (_UNBOUNDED,))
    check_choice(name, "inner_precise", inner_precise, (0, 1))
    q, k, v = _heads(name, input_layout, check_positive_int(name, "head_num", head_num), query, key, value)
    check_real(name, "keep_prob", keep_prob, 0, 1, above=True)
    hidden = _hidden(name, attn_mask, check_choice(name, "sparse_mode", sparse_mode, (0, 1, 2, 3)), q, k)
    factor = float(check_number(name, "scalar_value", scalar_value))
    if real_shift is not None:
        check_tensors(name, real_shift=real_shift)
        if factor != 1:
            raise value_error(name, "the 'scalar_value' must be 1 beside a 'real_shift'", shown(scalar_value))
    weights = _weights(q, k, factor, real_shift, hidden)
    return _joined(F.matmul(F.dropout(weights, 1 - keep_prob), v), input_layout)


def _heads(name, layout, count, query, key, value):
    """The inputs as (B, N, S, D), those of fewer heads repeated."""
    check_tensors(name, query=query, key=key, value=value)
    batch, sequence, heads = _LAYOUTS[check_choice(name, "input_layout", layout, tuple(_LAYOUTS))]
    if query.array.dtype not in FLOATS or key.dtype != query.dtype or value.dtype != query.dtype:
        got = f"{query.dtype}, {key.dtype} and {value.dtype}"
        raise type_error(name, "the 'query', 'key' and 'value' must be Tensors of one dtype of floats", got)
    rank = 3 if heads is None else 4
    if not query.ndim == key.ndim == value.ndim == rank:
        got = f"{query.shape}, {key.shape} and {value.shape}"
        raise value_error(name, f"the 'query', 'key' and 'value' must have {rank} axes", got)
    width = query.shape[-1] // (count if heads is None else 1)
    found = [_parted(x, batch, sequence, heads, width) for x in (query, key, value)]
    if found[0].shape[1] != count or not width or any(count % (x.shape[1] or count + 1) for x in found):
        raise value_error(name, f"the 'head_num' must be the number of heads of 'query', {found[0].shape[1]}", count)
    return [F.repeat_interleave(x, count // x.shape[1], 1) if x.shape[1] != count else x for x in found]


def _parted(x, batch, sequence, heads, width):
    """``x`` as (B, N, S, D)."""
    if heads is not None:
        return x.transpose((batch, heads, sequence, 3))
    x = x.transpose((batch, sequence, 2))
    return x.reshape((x.shape[0], x.shape[1], -1, max(width, 1))).transpose((0, 2, 1, 3))


def _joined(x, layout):
    """(B, N, S, D) in a layout."""
    _, sequence, heads = _LAYOUTS[layout]
    if heads is not None:
        return x.transpose((0, 2, 1, 3)) if heads == 2 else x
    x = x.transpose((0, 2, 1, 3))
    x = x.reshape((*x.shape[:2], -1))
    return x.transpose((1, 0, 2)) if sequence == 0 else x


def _hidden(name, attn_mask, mode, q, k):
    """True where a query may not see a key, or None."""
    if mode >= 2:
        shape = (q.shape[2], k.shape[2])
        return F.logical_not(F.cast(F.ones(shape, int32).tril(0 if mode == 2 else shape[1] - shape[0]), bool_))
    if attn_mask is not None:
        check_tensors(name, attn_mask=attn_mask)
    return None if attn_mask is None else F.cast(attn_mask, bool_)


def _weights(q, k, factor, real_shift, hidden):
    """The softmax of the products of queries and keys, in float32 at least."""
    kind = float64 if q.dtype == float64 else float32
    scores = F.matmul(F.cast(q, kind), F.cast(k, kind).swapaxes(-1, -2))
    scores = scores * factor if real_shift is None else scores + F.cast(real_shift, kind)
    if hidden is not None:
        scores = F.masked_fill(scores, F.broadcast_to(hidden, scores.shape), float(np.finfo(np.float32).min))
    return F.cast(F.softmax(scores, -1), q.dtype)
