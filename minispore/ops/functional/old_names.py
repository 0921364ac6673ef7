"""Functions that MindSpore has under a second name: ``ops.tensor_add`` is ``ops.add``."""

from minispore.ops.functional import array_creation, array_split_join, math_binary, math_unary
from minispore.ops.functional.array_manipulation import reshape as reshape_
from minispore.ops.operations import output

__all__ = [
    "floordiv",
    "floormod",
    "neg_tensor",
    "pows",
    "print_",
    "reshape_",
    "shape_",
    "tensor_add",
    "tensor_div",
    "tensor_exp",
    "tensor_expm1",
    "tensor_floordiv",
    "tensor_ge",
    "tensor_gt",
    "tensor_le",
    "tensor_lt",
    "tensor_mod",
    "tensor_mul",
    "tensor_pow",
    "tensor_range",
    "tensor_slice",
    "tensor_sub",
]

floordiv = tensor_floordiv = math_binary.floor_div
floormod = tensor_mod = math_binary.floor_mod
neg_tensor = math_binary.neg
pows = tensor_pow = math_binary.pow
print_ = output.Print()
shape_ = array_creation.shape
tensor_add, tensor_sub, tensor_mul, tensor_div = math_binary.add, math_binary.sub, math_binary.mul, math_binary.div
tensor_exp, tensor_expm1 = math_unary.exp, math_unary.expm1
tensor_ge, tensor_gt = math_binary.greater_equal, math_binary.greater
tensor_le, tensor_lt = math_binary.less_equal, math_binary.less
tensor_range = array_creation.range
tensor_slice = array_split_join.slice
