"""The description of a kernel holds what was said, in MindSpore's layout; it has no effect beside a NumPy function."""

import numpy as np
import pytest

import minispore as ms
from minispore import ops
from minispore.ops import CustomRegOp, DataType


def test_a_description_is_what_mindspore_makes_of_the_calls():
    kernel = CustomRegOp("Add").input(0, "x", "required").input(1, "y").output(0, "z").target("CPU")
    kernel = kernel.attr("n", "required", "int", value=3)
    kernel = kernel.dtype_format(DataType.F32_Default, DataType.None_None, DataType.F16_5HD)
    assert kernel.get_op_info() == {
        "op_name": "Add",
        "inputs": [
            {"index": 0, "name": "x", "paramType": "required"},
            {"index": 1, "name": "y", "paramType": "required"},
        ],
        "outputs": [{"index": 0, "name": "z", "paramType": "required"}],
        "attr": [{"name": "n", "paramType": "required", "type": "int", "value": 3}],
        "fusion_type": "",
        "dtype_format": [[("float32", "DefaultFormat"), ("", ""), ("float16", "NC1HWC0")]],
        "target": "CPU",
    }
    double = ops.Custom(lambda x: x * 2, lambda s: s, lambda t: t, "pyfunc", reg_info=kernel.get_op_info())
    np.testing.assert_array_equal(double(ms.Tensor([1.0])).asnumpy(), [2.0])


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: CustomRegOp(3), TypeError),
        (lambda: CustomRegOp().input("0", "x"), TypeError),
        (lambda: CustomRegOp().output(0, 3), TypeError),
        (lambda: CustomRegOp().attr(1), TypeError),
        (lambda: CustomRegOp().target(3), TypeError),
        (lambda: CustomRegOp().dtype_format(DataType.F32_Default), ValueError),
    ],
)
def test_what_does_not_fit_is_refused(call, kind):
    with pytest.raises(kind, match=r"^For 'CustomRegOp'"):
        call()
