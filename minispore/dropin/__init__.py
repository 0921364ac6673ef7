"""The names that scripts written for MindSpore find: its addresses, its spellings, and what is refused by name."""

__all__ = []
FRONT = "addresses sparse.tensors:COOTensor,CSRTensor,RowTensor,SparseTensor opened:"
LISTED = ["COOTensor", "CSRTensor", "RowTensor", "SparseTensor"]
