"""Checks of attention's inputs, and its masks as one Tensor to add."""

from minispore.core import dtype
from minispore.core.errors import type_error, value_error
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = []

_OUT = float("-inf")


def check_floats(operation, **tensors):
    """Raise TypeError unless each is a Tensor of floats."""
    for name, x in tensors.items():
        if not isinstance(x, Tensor):
            raise type_error(operation, f"the '{name}' must be a Tensor", type(x).__name__)
        if not x.dtype.is_float:
            raise type_error(operation, f"the '{name}' must be a Tensor of floats", x.dtype)


def check_query(cell, query, key, value):
    """Raise unless the inputs fit one another and the cell; returns True if they have an axis of samples."""
    name = type(cell).__name__
    check_floats(name, query=query, key=key, value=value)
    rank = query.ndim
    if rank not in (2, 3):
        raise value_error(name, "the 'query' must have 2 or 3 axes", f"shape {query.shape}")
    widths = (("query", query, cell.embed_dim), ("key", key, cell.kdim), ("value", value, cell.vdim))
    for argument, x, width in widths:
        if x.ndim != rank:
            raise value_error(name, f"the '{argument}' must have {rank} axes as the 'query'", f"shape {x.shape}")
        if x.shape[-1] != width:
            raise value_error(name, f"the last axis of '{argument}' must have the length {width}", x.shape[-1])
    if key.shape[:-1] != value.shape[:-1]:
        got = f"{key.shape} and {value.shape}"
        raise value_error(name, "the shapes of 'key' and 'value' must be equal but for the last axis", got)
    samples = 0 if cell.batch_first else 1
    if rank == 3 and query.shape[samples] != key.shape[samples]:
        got = f"{query.shape} and {key.shape}"
        raise value_error(name, "the 'query' and 'key' must have as many samples", got)
    return rank == 3


def additive_mask(cell, q, k, key_padding_mask, attn_mask, batched):
    """The two masks as one Tensor of q's dtype to add to the scores (N, H, L, S), or None."""
    name, (samples, heads, length, _), keys = type(cell).__name__, q.shape, k.shape[2]
    masks = []
    if attn_mask is not None:
        mask = _additive(name, "attn_mask", attn_mask, (dtype.bool_, dtype.uint8), q.dtype)
        shapes = {2: (length, keys), 3: (samples * heads, length, keys)}
        if mask.shape != shapes.get(mask.ndim):
            raise value_error(name, f"the 'attn_mask' must have the shape {shapes[2]} or {shapes[3]}", mask.shape)
        masks.append(F.reshape(mask, (samples, heads, length, keys) if mask.ndim == 3 else (1, 1, length, keys)))
    if key_padding_mask is not None:
        mask = _additive(name, "key_padding_mask", key_padding_mask, (dtype.bool_,), q.dtype)
        shape = (samples, keys) if batched else (keys,)
        if mask.shape != shape:
            raise value_error(name, f"the 'key_padding_mask' must have the shape {shape}", mask.shape)
        masks.append(F.reshape(mask, (samples, 1, 1, keys)))
    if not masks:
        return None
    return masks[0] if len(masks) == 1 else masks[0] + masks[1]


def _additive(name, argument, mask, kinds, to):
    """The mask as a summand in the dtype ``to``: minus infinity where a mask of ``kinds`` is not 0; floats stay."""
    if not isinstance(mask, Tensor):
        raise value_error(name, f"the '{argument}' must be a Tensor", type(mask).__name__)
    if mask.dtype in kinds:
        out = mask if mask.dtype == dtype.bool_ else mask != 0
        return F.masked_fill(F.zeros(mask.shape, to), out, _OUT)
    if not mask.dtype.is_float:
        names = " or ".join([*map(str, kinds), "floats"])
        raise value_error(name, f"the '{argument}' must be a Tensor of {names}", mask.dtype)
    if mask.dtype.np.itemsize > max(to.np.itemsize, 4):
        raise type_error(name, f"the '{argument}' must be no wider than the query, {to}", mask.dtype)
    return F.cast(mask, to) if mask.dtype != to else mask
