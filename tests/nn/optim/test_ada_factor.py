"""AdaFactor gives the numbers of MindSpore 2.0.0 in three steps, in both modes, and refuses what excludes itself."""

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn

SHAPES = {"w": (4, 3), "b": (3,), "c": (2, 3, 4, 5)}
# Arguments -> the first two elements of w, b and c after three steps of the real one
RUNS = [
    ({}, [1.75792909, 0.39987749, 0.76110297, 0.12012608, 0.33473265, 1.49451506]),
    (
        {"learning_rate": 0.1, "scale_parameter": False, "relative_step": False},
        [1.71249461, 0.39781696, 0.76231205, 0.09151000, 0.34403816, 1.49834645],
    ),
    (
        {"scale_parameter": False, "warmup_init": True},
        [1.76405168, 0.40015748, 0.76103741, 0.12167479, 0.33367467, 1.49407876],
    ),
    ({"beta1": None}, [1.73604119, 0.40937305, 0.75679892, 0.11822847, 0.34143409, 1.48565626]),
    ({"weight_decay": 0.1}, [1.75166941, 0.39845374, 0.75993216, 0.11993958, 0.33371037, 1.48994875]),
    ({"compression": True}, [1.75792909, 0.39987749, 0.76110291, 0.12012613, 0.33473265, 1.49451506]),
]


def values(seed, dtype=np.float32):
    rng = np.random.RandomState(seed)
    return [Tensor(rng.randn(*shape).astype(dtype)) for shape in SHAPES.values()]


def stepped(dtype=np.float32, **arguments):
    parameters = [Parameter(x, name=name) for x, name in zip(values(0, dtype), SHAPES, strict=True)]
    optimizer = nn.AdaFactor(parameters, **arguments)
    for i in range(3):
        optimizer(tuple(values(10 + i, dtype)))
    return optimizer, np.concatenate([p.asnumpy().ravel()[:2] for p in parameters])


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize(("arguments", "expected"), RUNS)
def test_steps_give_mindspores_numbers(arguments, expected, mode, restored):
    ms.set_context(mode=mode)
    np.testing.assert_allclose(stepped(**arguments)[1], expected, rtol=1e-6)


def test_float16_steps_are_those_of_float32_rounded():
    np.testing.assert_allclose(stepped(np.float16)[1], RUNS[0][1], rtol=2e-3)


def test_the_states_have_mindspores_names_and_shapes():
    optimizer, _ = stepped(compression=True)
    found = [(p.name, p.shape) for p in optimizer.get_parameters()]
    expected = [("global_step", (1,)), ("learning_rate", ()), *SHAPES.items()]
    expected += [(f"exp_avg.{name}", shape) for name, shape in SHAPES.items()]
    for state, shapes in (("row", [(4,), (1,), (2, 3, 4)]), ("col", [(3,), (1,), (2, 3, 5)])):
        expected += [(f"exp_avg_sq_{state}_{name}", shape) for name, shape in zip(SHAPES, shapes, strict=True)]
    expected += [("exp_avg_sq_w", (1,)), ("exp_avg_sq_b", (3,)), ("exp_avg_sq_c", (1,)), ("afactor_step", (1,))]
    assert found == expected
    assert [str(p.dtype) for p in optimizer.exp_avg_sq] == ["Float32", "Float16", "Float32"]


def test_a_gradient_of_zeros_changes_nothing():
    parameter = Parameter(np.float32([[1, 2], [3, 4]]), name="w")
    nn.AdaFactor([parameter])((Tensor(np.zeros((2, 2), np.float32)),))
    np.testing.assert_array_equal(parameter.asnumpy(), [[1, 2], [3, 4]])


WRONG = [
    ({"learning_rate": 0.1}, ValueError, "learning_rate"),
    ({"relative_step": False}, ValueError, "learning_rate"),
    ({"relative_step": False, "learning_rate": 0.1, "warmup_init": True}, ValueError, "warmup_init"),
    ({"relative_step": 1}, TypeError, "relative_step"),
    ({"eps": 1e-3}, TypeError, "eps"),
    ({"eps": (1e-3,)}, ValueError, "eps"),
    ({"clip_threshold": 0.0}, ValueError, "clip_threshold"),
    ({"decay_rate": 1.0}, ValueError, "decay_rate"),
    ({"beta1": -0.1}, ValueError, "beta1"),
    ({"weight_decay": 1}, TypeError, "weight_decay"),
    ({"scale_parameter": 1}, TypeError, "scale_parameter"),
    ({"compression": 1}, TypeError, "compression"),
]


@pytest.mark.parametrize(("arguments", "kind", "name"), WRONG)
def test_what_excludes_itself_or_is_out_of_range_is_refused(arguments, kind, name):
    with pytest.raises(kind, match=f"^For 'AdaFactor', the '{name}' must"):
        nn.AdaFactor([Parameter(Tensor([1.0]), name="w")], **arguments)
