"""The loss scale's one rule, and that its faces agree with a naive oracle and with one another."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import amp, nn
from minispore.amp.loss_scale import managers
from minispore.amp.loss_scale.rule import LossScale
from minispore.ops.operations.loss_scale import AdvanceLossScale
from minispore.tools.testing.oracles.loss_scale import course

OVERFLOWS = st.lists(st.booleans(), max_size=60)
FACTORS, WINDOWS = st.sampled_from([1.5, 2, 3, 4]), st.integers(1, 6)
STARTS = st.sampled_from([1.5, 2.0, 8.0, 1000.0, 2.0**24])


@given(STARTS, FACTORS, WINDOWS, OVERFLOWS)
def test_the_rule_is_halved_by_each_overflow_and_doubled_after_a_good_window(scale, factor, window, overflows):
    state, seen = LossScale(scale, factor, window), []
    for overflow in overflows:
        state = state.after(not overflow)
        seen.append(state.scale)
    assert np.float32(seen).tolist() == np.float32(course("minispore", scale, factor, window, overflows)).tolist()


@given(STARTS, FACTORS, WINDOWS, OVERFLOWS)
def test_manager_and_update_cell_agree_with_the_rule(scale, factor, window, overflows):
    manager = amp.DynamicLossScaleManager(scale, factor, window)
    cell, parameter = manager.get_update_cell(), ms.Parameter(np.float32(scale), name="scale")
    for overflow, expected in zip(overflows, course("minispore", scale, factor, window, overflows), strict=True):
        manager.update_loss_scale(overflow)
        assert bool(cell(parameter, ms.Tensor(overflow))) is overflow
        np.testing.assert_allclose(manager.get_loss_scale(), expected, rtol=1e-5)
        np.testing.assert_allclose(float(parameter), expected, rtol=1e-5)


STATES = st.tuples(st.floats(1, float(np.finfo(np.float32).max), width=32), st.integers(0, 50), st.integers(0, 50))


@given(STATES, FACTORS | st.just(1e30), WINDOWS, st.booleans(), st.sampled_from([(), (1,)]))
def test_the_operation_writes_what_the_rule_says(state, factor, window, overflow, shape):
    scale, step, last = state
    after = LossScale(float(scale), factor, window, step, last).after(not overflow)
    parameters = [
        ms.Parameter(np.full(shape, n, t)) for n, t in zip(state, (np.float32, np.int32, np.int32), strict=True)
    ]
    AdvanceLossScale(factor, window)(*parameters, ms.Tensor(overflow))
    assert [p.dtype for p in parameters] == [ms.float32, ms.int32, ms.int32]
    assert [p.item() for p in parameters] == [np.float32(after.scale), after.step, after.last]


class Overflowing(nn.Cell):
    """A loss that is its Parameter times what it is given: inf where that is."""

    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(1.0, name="w")

    def construct(self, x):
        return (self.w * x).sum()


@given(STARTS, st.sampled_from([2, 3, 4]), WINDOWS, OVERFLOWS)
def test_every_face_and_the_whole_step_follow_one_course(scale, factor, window, overflows):
    manager, scaler = amp.DynamicLossScaleManager(scale, factor, window), amp.DynamicLossScaler(scale, factor, window)
    network = Overflowing()
    optimizer = nn.SGD(network.trainable_params(), 1e-3)
    step = nn.TrainOneStepWithLossScaleCell(network, optimizer, manager.get_update_cell())
    used = np.float32(scale)
    for overflow, expected in zip(overflows, course("minispore", scale, factor, window, overflows), strict=True):
        _, seen, returned = step(ms.Tensor([np.inf if overflow else 1.0], ms.float32))
        manager.update_loss_scale(overflow)
        scaler.adjust(ms.Tensor(not overflow))
        assert bool(seen) is overflow
        np.testing.assert_allclose(float(returned), used, rtol=1e-5)
        faces = manager.get_loss_scale(), float(scaler.scale_value), float(step.scale_sense)
        np.testing.assert_allclose(faces, [expected] * 3, rtol=1e-5)
        used = expected


@given(st.sampled_from([1.0, 8.0, 1000.0]), OVERFLOWS)
def test_fixed_faces_never_move_and_skip_only_where_they_look(scale, overflows):
    manager, scaler = amp.FixedLossScaleManager(scale), amp.StaticLossScaler(scale)
    parameter, cell = ms.Parameter(np.float32(scale), name="scale"), manager.get_update_cell()
    for overflow in overflows:
        manager.update_loss_scale(overflow)
        assert scaler.adjust(ms.Tensor(not overflow)) is False
        assert bool(cell(parameter, ms.Tensor(overflow))) is overflow
    assert [manager.get_loss_scale(), float(scaler.scale_value), float(parameter)] == [scale] * 3
    assert manager.get_drop_overflow_update()
    assert not amp.FixedLossScaleManager(scale, drop_overflow_update=False).get_drop_overflow_update()


@given(runs=st.lists(st.integers(1, 8), min_size=1, max_size=6), last=st.booleans())
def test_a_manager_counts_only_overflows_in_a_row(monkeypatch, runs, last):
    """Good steps between runs of overflows start the count anew; one too many in a row is refused, whenever it is."""
    monkeypatch.setattr(managers, "_MOST_BAD_STEPS", 20)
    manager = amp.DynamicLossScaleManager()
    for run in runs:
        for _ in range(run):
            manager.update_loss_scale(True)
        manager.update_loss_scale(False)
    if last:
        for _ in range(20):
            manager.update_loss_scale(True)
        with pytest.raises(RuntimeError, match="at most 20 overflows in a row: the network diverges, but got 21"):
            manager.update_loss_scale(True)


@pytest.mark.parametrize("factor", [2, 7, 1000])
def test_every_face_stays_finite_at_the_end_of_float32_and_comes_back(factor):
    """Two good steps and an overflow, with a window of 1."""
    arguments = 2.0**127, factor, 1
    manager, scaler = amp.DynamicLossScaleManager(*arguments), amp.DynamicLossScaler(*arguments)
    cell, scale = nn.DynamicLossScaleUpdateCell(*arguments), ms.Parameter(np.float32(2.0**127), name="scale")
    for overflow, expected in ((False, 2.0**127), (False, 2.0**127), (True, 2.0**127 / factor)):
        manager.update_loss_scale(overflow)
        scaler.adjust(not overflow)
        cell(scale, overflow)
        faces = manager.get_loss_scale(), float(scaler.scale_value), float(scale)
        assert faces == (np.float32(expected),) * 3


def test_a_scale_that_is_infinite_already_comes_back_at_the_next_overflow():
    """As a checkpoint of an older release may hold it."""
    cell, scale = nn.DynamicLossScaleUpdateCell(8, 2, 1), ms.Parameter(np.float32(np.inf), name="scale")
    cell(scale, True)
    assert float(scale) == np.finfo(np.float32).max / 2


def test_a_loss_that_stays_zero_never_makes_the_scale_infinite():
    network = nn.WithLossCell(nn.Dense(2, 1, weight_init="zeros", bias_init="zeros"), nn.MSELoss())
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    step = nn.TrainOneStepWithLossScaleCell(network, optimizer, nn.DynamicLossScaleUpdateCell(2.0**120, 2, 1))
    results = [step(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1))) for _ in range(12)]
    assert not any(bool(overflow) for _, overflow, _ in results)
    assert float(step.scale_sense) == 2.0**127


def test_a_fixed_manager_says_whether_it_drops_and_a_dynamic_one_always_does():
    assert amp.FixedLossScaleManager(8.0, drop_overflow_update=False).get_drop_overflow_update() is False
    assert amp.FixedLossScaleManager(8.0).get_drop_overflow_update() is True
    assert amp.DynamicLossScaleManager().get_drop_overflow_update() is True


BAD_NUMBERS = (np.nan, np.inf, -np.inf, 1e39, 10**400)
FACES = {
    "FixedLossScaleManager": lambda bad: amp.FixedLossScaleManager(bad),
    "DynamicLossScaleManager": lambda bad: amp.DynamicLossScaleManager(bad),
    "StaticLossScaler": lambda bad: amp.StaticLossScaler(bad),
    "DynamicLossScaler": lambda bad: amp.DynamicLossScaler(bad, 2, 2),
    "DynamicLossScaleUpdateCell": lambda bad: nn.DynamicLossScaleUpdateCell(bad, 2, 2),
    "FixedLossScaleUpdateCell": lambda bad: nn.FixedLossScaleUpdateCell(bad),
}


@pytest.mark.parametrize("bad", BAD_NUMBERS, ids=lambda bad: f"{bad:.3g}" if isinstance(bad, float) else "10**400")
@pytest.mark.parametrize("name", FACES)
def test_a_scale_that_float32_cannot_hold_is_refused_by_every_face(name, bad):
    with pytest.raises(ValueError, match=rf"^For '{name}', the '\w*(scale|value)' must be in [\[(]"):
        FACES[name](bad)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda factor: amp.DynamicLossScaleManager(8.0, factor), "DynamicLossScaleManager"),
        (lambda factor: nn.DynamicLossScaleUpdateCell(8.0, factor, 2), "DynamicLossScaleUpdateCell"),
    ],
)
def test_a_factor_below_one_by_which_an_overflow_would_raise_the_scale_is_refused(make, name):
    for factor in (0.5, 0.0, -2, np.nan, np.inf):
        with pytest.raises(ValueError, match=f"^For '{name}', the 'scale_factor' must be finite and at least 1"):
            make(factor)
    make(1)


def test_numbers_of_numpy_are_taken_and_make_the_same_scale():
    faces = amp.DynamicLossScaleManager(np.float16(8), np.float16(2), np.int8(1)), amp.DynamicLossScaleManager(8, 2, 1)
    for face in faces:
        for _ in range(20):
            face.update_loss_scale(False)
    assert faces[0].get_loss_scale() == faces[1].get_loss_scale() == 2.0**23
    assert type(amp.FixedLossScaleManager(np.float16(8)).get_loss_scale()) is float


def test_the_update_cell_gives_the_course_that_mindspore_2_0_0_gave():
    cell, scale = nn.DynamicLossScaleUpdateCell(8, 2, 2), ms.Parameter(8.0, name="scale")
    overflows = [False, False, True, False, True, True, True, True, False, False, False]
    course = [(cell(scale, ms.Tensor(overflow)), float(scale))[1] for overflow in overflows]
    assert course == [8, 16, 8, 8, 4, 2, 1, 1, 1, 2, 2]
    assert list(cell.parameters_dict()) == ["current_iterator_step", "last_overflow_iterator_step"]


def test_a_manager_refuses_more_than_a_thousand_overflows_in_a_row():
    manager = amp.DynamicLossScaleManager()
    for _ in range(1000):
        manager.update_loss_scale(True)
    with pytest.raises(RuntimeError, match="at most 1000 overflows in a row: the network diverges, but got 1001"):
        manager.update_loss_scale(True)


def test_a_fixed_manager_without_dropping_has_no_update_cell():
    assert amp.FixedLossScaleManager(64.0, drop_overflow_update=False).get_update_cell() is None
    assert amp.FixedLossScaleManager(64.0).get_update_cell().get_loss_scale() == 64.0


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_all_finite_finds_one_bad_element_anywhere(bad, dtype):
    good = ms.Tensor(np.full((3, 4), np.finfo(dtype).max, dtype))
    spoiled = np.zeros(7, dtype)
    spoiled[5] = bad
    assert bool(amp.all_finite((good, [ms.Tensor([1, 2])], good)))
    assert not bool(amp.all_finite((good, [ms.Tensor(spoiled)])))
    assert not bool(amp.all_finite(ms.Tensor(spoiled)))


@pytest.mark.parametrize(("start", "factor", "window"), [(8.0, 2, 3), (2.5, 1.7, 2), (2.0**126, 4.0, 1), (0.5, 2.0, 2)])
@pytest.mark.parametrize("shape", [(), (1,)])
@pytest.mark.parametrize("asks", [False, True])
def test_the_operation_moves_a_scale_on_as_the_rule_does(device, start, factor, window, shape, asks):
    cell, state = nn.DynamicLossScaleUpdateCell(start, factor, window), LossScale(start, float(factor), window)
    scale = ms.Parameter(ms.Tensor(np.full(shape, start, np.float32)), name="scale")
    for overflow in np.random.default_rng(0).random(25) < 0.3:
        cell(scale, ms.Tensor(bool(overflow)))
        state = state.after(not overflow)
        state = replace(state, scale=float(np.float32(state.scale)))
        if asks:  # the host's numbers
            found = [p.asnumpy().reshape(()).item() for p in (scale, *cell.get_parameters())]
            assert found == [state.scale, state.step, state.last]
    found = [p.asnumpy().reshape(()).item() for p in (scale, *cell.get_parameters())]
    assert found == [state.scale, state.step, state.last] and scale.shape == shape


def test_the_factor_of_an_update_cell_is_a_tensor_and_may_be_changed():
    cell, scale = ms.nn.DynamicLossScaleUpdateCell(8, 2, 1), ms.Parameter(8.0, name="scale")
    assert isinstance(cell.scale_factor, ms.Tensor) and cell.scale_factor.dtype == ms.float32
    assert cell.scale_factor.asnumpy() == 2 and "scale_factor" not in cell.parameters_dict()
    for factor in (4, ms.Tensor(4.0)):
        cell.scale_factor = factor
        scale.set_data(ms.Tensor(8.0))
        cell(scale, True)
        assert (float(scale), float(cell.scale_factor)) == (2.0, 4.0)
    with pytest.raises(ValueError, match="the 'scale_factor' must be finite and at least 1"):
        cell.scale_factor = 0.5
