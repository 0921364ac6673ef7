"""A watch of a training by a recipe: the scales and clipped shares of its steps, and their charts in a report."""

import numpy as np
import pytest

import minispore as ms
from minispore import amp, insight, nn
from minispore.amp.lowbit.quantized import quantize
from minispore.core import seeds
from minispore.tools.insight.reruns import Reruns

pytestmark = pytest.mark.usefixtures("restored")
RNG = np.random.default_rng(0)
ROWS = [[RNG.standard_normal((8, n)).astype(np.float32) for n in (40, 4)] for _ in range(5)]
ROWS[2][0] *= 1000  # an activation that jumps
RECIPES = [amp.DelayedFP8(history=3, keep=()), amp.CurrentFP8(keep=()), amp.MXFP8("floor", keep=()), amp.NVFP4(keep=())]


def training_step(recipe, level="O0", micro=None):
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(40, 16), nn.Tanh(), nn.Dense(16, 4))
    optimizer, loss = nn.Momentum(net.trainable_params(), 0.1, 0.9), nn.MSELoss()
    if micro:
        net, loss = amp.GradAccumulationCell(nn.WithLossCell(net, loss), micro), None
    manager = amp.FixedLossScaleManager(8.0)
    return amp.build_train_network(net, optimizer, loss, level=level, recipe=recipe, loss_scale_manager=manager)


def run(step, rows=ROWS):
    for row in rows:
        step(*map(ms.Tensor, row))
    return {p.name: p.asnumpy().tobytes() for p in step.get_parameters()}, seeds.seed.draws


@pytest.mark.parametrize("micro", [None, 2])
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_the_bits_of_a_training_are_those_without_the_watch(recipe, mode, micro):
    ms.set_context(cpu_loss_scale=True, mode=mode)
    plain = run(training_step(recipe, micro=micro))
    step = training_step(recipe, micro=micro)
    with insight.watch(step, low_bits=1) as seen:
        assert run(step) == plain
    assert [each.number for each in seen.low_bits] == [1, 2, 3, 4, 5]
    names = {(path.rpartition(".")[2], name) for path, name in seen.low_bits[0].operands}
    assert names == {(layer, operand) for layer in ("0", "2") for operand in ("x", "w", "dy")}


def of_first_x(step):
    return next(found for (path, name), found in step.operands.items() if path.endswith("0") and name == "x")


def test_the_numbers_are_those_of_the_quantized_input():
    ms.set_context(cpu_loss_scale=True)
    recipe = amp.MXFP8("floor", keep=())
    step = training_step(recipe)
    with insight.watch(step, low_bits=1) as seen:
        run(step)
    for each, (x, _) in zip(seen.low_bits, ROWS, strict=True):
        row, column = quantize(x, recipe.x), quantize(x, recipe.x, axis=0)
        clipped = max(row.saturated.mean(), column.saturated.mean())
        assert of_first_x(each) == (row.factors.down.max(), clipped) and clipped > 0


def test_a_jump_is_clipped_by_a_delayed_scale_for_one_step():
    ms.set_context(cpu_loss_scale=True)
    step = training_step(amp.DelayedFP8(history=3, keep=()))
    with insight.watch(step, low_bits=1) as seen:
        run(step)
    scales, clipped = zip(*map(of_first_x, seen.low_bits), strict=True)
    assert scales[0] == 1 and scales[3] > 100 * scales[2]
    assert clipped[2] > 0.5 and clipped[0] == clipped[3] == clipped[4] == 0


def test_every_so_many_steps_are_noted_and_by_default_none():
    ms.set_context(cpu_loss_scale=True)
    step = training_step(RECIPES[1])
    with insight.watch(step, low_bits=2) as seen, insight.watch(step) as other:
        run(step)
    assert [each.number for each in seen.low_bits] == [1, 3, 5] and other.low_bits == []
    wide = training_step(None)
    with insight.watch(wide, low_bits=1) as seen:
        run(wide)
    assert seen.low_bits == []


def test_a_report_draws_what_is_clipped_most():
    pytest.importorskip("jinja2")
    ms.set_context(cpu_loss_scale=True)
    step = training_step(amp.DelayedFP8(history=3, keep=()))
    with insight.watch(step, low_bits=2) as seen:
        run(step)
        step(ms.Tensor(np.full((8, 40), np.inf, np.float32)), ms.Tensor(ROWS[0][1]))
    place = max(seen.low_bits[1].operands, key=lambda place: seen.low_bits[1].operands[place][1])
    page = insight.Report(seen, title="A training by a recipe").html()
    name = f"{place[1]} of {place[0].replace('_backbone.', '')}"
    assert f"Scale of {name}: 2^0 at first" in page and f"Clipped share of {name}" in page
    assert page.count("in 6 steps; 1 step was skipped") >= 4 and "no step was skipped" not in page


def test_a_step_that_cannot_run_again_is_told(monkeypatch, caplog):
    ms.set_context(cpu_loss_scale=True)
    step = training_step(RECIPES[1])

    def fails(self, *given):
        raise RuntimeError("not again")

    monkeypatch.setattr(Reruns, "observed", fails)
    with insight.watch(step, low_bits=1) as seen:
        run(step, ROWS[:1])
    assert seen.low_bits == [] and "The operands of step 1 are not noted: RuntimeError: not again" in caplog.text


@pytest.mark.parametrize("low_bits", [-1, 1.5, True])
def test_a_wrong_number_is_refused(low_bits):
    ms.set_context(cpu_loss_scale=True)
    with pytest.raises((TypeError, ValueError), match="the 'low_bits' must be"):
        insight.watch(training_step(RECIPES[1]), low_bits=low_bits)
