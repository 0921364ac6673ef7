"""The names that scripts written for MindSpore find: its addresses, its spellings, and what is refused by name."""

from minispore.dropin import search_settings, unread_settings

__all__ = []
_SPARSE = ["COOTensor", "CSRTensor", "RowTensor", "SparseTensor"]
_SEARCH, _UNREAD = search_settings.__all__, unread_settings.__all__
FRONT = (
    f"addresses sparse.tensors:{','.join(_SPARSE)} search_settings:{','.join(_SEARCH)} "
    f"unread_settings:{','.join(_UNREAD)} opened:"
)
LISTED = [*_SPARSE, *_SEARCH, *_UNREAD]
