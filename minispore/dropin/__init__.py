"""What scripts written for MindSpore find: its addresses, its spellings, and what is refused by name."""

__all__ = []
_SETTINGS = [f"{verb}_{what}" for what in ("algo_parameters", "ps_context") for verb in ("get", "reset", "set")]
_SPARSE = ["COOTensor", "CSRTensor", "RowTensor", "SparseTensor"]
FRONT = f"addresses sparse.tensors:{','.join(_SPARSE)} unread_settings:{','.join(_SETTINGS)} opened:"
LISTED = [*_SPARSE, *_SETTINGS]
