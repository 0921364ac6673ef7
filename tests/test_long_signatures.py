"""No private function takes seven arguments or more: a record, or a better cut, says what belongs together."""

import ast

import pytest
from test_rooms import ROOT

MOST = 6
# The oracles of optimizers' steps take a primitive's inputs, in MindSpore's order
TABLE = "tools/testing/primitives/table.py"
MIRRORED = {
    (TABLE, "_adam"): "inputs of ApplyAdam",
    (TABLE, "_adam_weight_decay"): "inputs of AdamWeightDecay",
    (TABLE, "_lamb"): "inputs of Lamb",
    (TABLE, "_adamax"): "inputs of ApplyAdaMax",
    (TABLE, "_rms_prop"): "inputs of ApplyRMSProp",
    (TABLE, "_adadelta"): "inputs of ApplyAdadelta",
    (TABLE, "_ftrl"): "inputs of ApplyFtrl",
    (TABLE, "_by_sign"): "inputs of ApplyAddSign and ApplyPowerSign",
    (TABLE, "_amsgrad"): "inputs of ApplyAdamWithAmsgrad",
    (TABLE, "_adagrad_da"): "inputs of ApplyAdagradDA",
    # The sizes of windows
    ("devices/cuda/operations/low_bits.py", "_product"): "arguments of a low-bit product's kernels",
    ("ops/functional/nn_max_unpool.py", "_of_sizes"): "arguments of max_unpool1d, 2d and 3d",
    ("ops/of_functions/nn.py", "_keep_windows"): "arguments of MaxPoolWithArgmaxV2 and 3D",
    # The sizes of a convolution, which all its forms take, and the arrays of a normalization
    ("ops/kernels/conv/conv2d.py", "_convolved"): "arguments of conv2d",
    ("ops/kernels/conv/conv2d.py", "_correlated"): "arguments of the gradient to the weight",
    ("ops/kernels/batch_norm.py", "_gradient"): "arguments of batch_norm_grad, of some channels",
    ("ops/kernels/conv/geometry.py", "_met_along"): "one axis of a geometry",
}
FILES = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted(ROOT.rglob("*.py"))}


def long_ones(text):
    """The names of the private functions of a file's text that take more than six arguments."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_") and not node.name.startswith("__"):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            if len(arguments) > MOST and not _is_kernel(node):
                yield node.name


def _is_kernel(node):
    """True for a device's kernel, which takes the inputs of its primitive."""
    return any(isinstance(d, ast.Call) and getattr(d.func, "id", "") == "kernel_of" for d in node.decorator_list)


def test_no_private_function_takes_seven_arguments():
    assert {(file, name) for file, text in FILES.items() for name in long_ones(text)} == set(MIRRORED)


@pytest.mark.parametrize("text", ["def _f(a, b, c, d, e, f, g): ...", "def _f(a, /, b, c, d, *, e, f, g): ..."])
def test_all_kinds_of_arguments_count(text):
    assert list(long_ones(text)) == ["_f"]
