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


def test_a_groups_own_weight_decay_takes_the_place_of_the_optimizers():
    """MindSpore leaves a group's own out, silently."""
    start, gradients = [x.asnumpy() for x in values(0)], tuple(values(10))
    moved = []
    for groups, decay in (
        (lambda p: [{"params": p[:1], "weight_decay": 0.3}, {"params": p[1:]}], 0.1),
        (lambda p: p, 0.3),
        (lambda p: p, 0.1),
    ):
        parameters = [Parameter(x, name=name) for x, name in zip(values(0), SHAPES, strict=True)]
        nn.AdaFactor(groups(parameters), weight_decay=decay)(gradients)
        moved.append([p.asnumpy() for p in parameters])
    grouped, more, less = moved
    for found, expected in zip(grouped, [more[0], *less[1:]], strict=True):
        np.testing.assert_array_equal(found, expected)
    rate = 1e-2 * np.sqrt((start[0] ** 2).mean())
    np.testing.assert_allclose(less[0] - more[0], 0.2 * rate * start[0], atol=1e-6)


def test_a_weight_decay_by_step_is_taken_in_a_group():
    decayed = []
    for decay in (0.3, nn.ExponentialDecayLR(0.3, 0.5, 1)):
        parameter = Parameter(Tensor([2.0, 1.0]), name="w")
        optimizer = nn.AdaFactor([{"params": [parameter], "weight_decay": decay}])
        for _ in range(2):
            optimizer((Tensor([0.5, -0.5]),))
        decayed.append(parameter.asnumpy())
    rate = 1e-2 * np.sqrt(2.5)
    np.testing.assert_allclose(decayed[1] - decayed[0], 0.15 * rate * np.float32([2, 1]), rtol=0.05)


def test_a_list_of_rates_is_scaled_by_the_root_mean_square_too():
    """MindSpore's step is 0.1 here, whatever ``scale_parameter`` says."""
    parameter = Parameter(Tensor([3.0, 3.0]), name="w")
    nn.AdaFactor([parameter], [0.1, 0.1], beta1=None, relative_step=False)((Tensor([1.0, 1.0]),))
    np.testing.assert_allclose(parameter.asnumpy(), [2.7, 2.7], rtol=1e-6)


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
