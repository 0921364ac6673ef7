"""On a GPU graph mode captures every primitive with its gradient, but for those told here, and gives the eager bits."""

import numpy as np
import pytest

import minispore as ms
from minispore.core.tape import is_differentiable
from minispore.tools.testing.primitives.feeding import arrays_of, feed, on_host, positions_of, run
from minispore.tools.testing.primitives.table import TABLE

pytestmark = pytest.mark.usefixtures("on_cupy", "restored")

_SOLVER = "CuPy refuses to call cuSOLVER in a capture, and cuBLAS as it calls it by itself"
_READ = "the host reads what a shape is of, or what Python computes with"
_HOOK = "a hook runs Python"
_SECOND = "a GPU computes it in the gradient of a gradient alone, by products that CuPy asks cuBLAS for"
_LINE = "its line's function asks the host for statistics"
_AXES = "it has weights for fewer or more axes than it normalizes, which no kernel takes"
# The name of a primitive or of its line -> why no graph has it
NOT_CAPTURED = {
    **dict.fromkeys(("Cholesky", "LogMatrixDeterminant", "MatrixDeterminant", "MatrixInverse", "MatrixSolve"), _SOLVER),
    **dict.fromkeys(("Svd", "SvdGrad", "Qr", "Geqrf", "Eigh", "Eig", "MatrixSolveLs"), _SOLVER),
    **dict.fromkeys(("86-GetItem", "MaskedSelect", "MirrorPad", "NonZero", "Unique"), _READ),
    **dict.fromkeys(("144-BatchNormGrad", "146-LayerNormGrad"), _LINE),
    **dict.fromkeys(("HookBackward", "InsertGradientOf"), _HOOK),
    **dict.fromkeys(("RNNStepGrad", "LSTMStepGrad", "GRUStepGrad"), _SECOND),
    **dict.fromkeys(("390-LayerNorm", "391-LayerNorm"), _AXES),
}
LINES = {
    f"{i}-{line.primitive.name}": line
    for i, line in enumerate(TABLE)
    if not line.primitive.writes and not line.primitive.random  # of which test_capture.py has tests
}


def called(line, arrays):
    """A function of the line's Tensors: its outputs, and the gradients of their sum for what is differentiable."""
    inputs = feed(line, arrays)
    places = [i for i, x in enumerate(inputs) if isinstance(x, ms.Tensor)]

    def outputs(*tensors):
        given = list(inputs)
        for i, x in zip(places, tensors, strict=True):
            given[i] = x
        return run(line, given)

    def total(*tensors):
        outs = [y for i, y in enumerate(outputs(*tensors)) if not line.through or i in line.through]
        return sum((y.astype(ms.float32).sum() for y in outs if is_differentiable(y)), ms.Tensor(0.0))

    positions = tuple(places.index(i) for i in positions_of(line, inputs))

    def function(*tensors):
        gradients = ms.grad(total, positions)(*tensors) if positions else ()
        return *outputs(*tensors), *(gradients if isinstance(gradients, tuple) else (gradients,))

    return function, [inputs[i] for i in places]


@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize("name", LINES)
def test_a_primitive_and_its_gradient_are_captured(name, kind):
    line = LINES[name]
    function, tensors = called(line, arrays_of(line, 0, kind))
    try:
        expected = on_host(function(*tensors))
    except TypeError:
        pytest.skip(f"it takes no {np.dtype(kind)}, or writes its inputs")
    replayed = ms.jit(lambda *tensors: function(*tensors))
    for _ in range(5):
        found = on_host(replayed(*tensors))
    reasons = replayed.recorded.not_captured
    if name in NOT_CAPTURED or line.primitive.name in NOT_CAPTURED:
        assert not reasons or reasons[0] is not None
    else:
        assert reasons == [None]
    assert [y.tobytes() for y in found] == [y.tobytes() for y in expected]
