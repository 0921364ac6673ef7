"""The low-bit report: each operand's numbers, each gradient's distance, the worst place; and recipes in a plan."""

import numpy as np
import pytest

import minispore as ms
from minispore import amp, insight, nn
from minispore.amp.lowbit.formats import decode
from minispore.amp.lowbit.quantized import quantize

RNG = np.random.default_rng(0)
BATCH = [ms.Tensor(RNG.standard_normal(shape).astype(np.float32)) for shape in ((32, 40), (32, 4))]


def network():
    ms.set_seed(1)
    return nn.SequentialCell(nn.Dense(40, 48), nn.ReLU(), nn.Dense(48, 24), nn.ReLU(), nn.Dense(24, 4))


pytestmark = pytest.mark.usefixtures("restored")


@pytest.mark.parametrize("recipe", ["delayed_fp8", "current_fp8", "block_fp8", "mxfp8", "mxfp4", "nvfp4"])
def test_each_operand_of_each_product_is_told(recipe):
    net = network()
    before = {p.name: p.asnumpy().tobytes() for p in net.get_parameters()}
    draws = ms.core.seeds.seed.draws
    report = insight.low_bit_report(net, nn.MSELoss(), BATCH, recipe)
    taken = ["2"] if recipe in ("mxfp4", "nvfp4") else ["0", "2"]
    assert [g.path for g in report.gradients] == taken
    expected = {(p, *rest) for p in taken for rest in (("fprop", "x"), ("fprop", "w"), ("wgrad", "dy"), ("wgrad", "x"))}
    expected |= {("2", "dgrad", "dy"), ("2", "dgrad", "w")}  # the input needs no gradient
    assert {o[:3] for o in report.operands} == expected and len(report.operands) == len(expected)
    assert all(10 < o.sqnr < 40 for o in report.operands)
    assert all(0.8 < g.cosine <= 1 for g in report.gradients)
    assert {p.name: p.asnumpy().tobytes() for p in net.get_parameters()} == before
    assert ms.core.seeds.seed.draws == draws and not hasattr(net, "amp_report")


def test_an_operands_numbers_are_those_of_its_quantization():
    report = insight.low_bit_report(network(), nn.MSELoss(), BATCH, amp.MXFP4("floor", keep=()))
    first, x = report.operands[0], BATCH[0].asnumpy()
    q = quantize(x, report.recipe.x)
    assert first[:3] == ("0", "fprop", "x") and first.amax == np.abs(x).max()
    assert first.scales == (q.factors.down.min(), q.factors.down.max())
    shares = (q.saturated.mean(), q.flushed.mean(), q.subnormal.mean(), (q.scales == 0).mean())
    assert first[5:9] == shares and first.saturated > 0 and first.flushed > 0


def test_the_counts_are_those_of_the_formats_magnitudes():
    report = insight.low_bit_report(network(), nn.MSELoss(), BATCH, "mxfp4(keep=none)")
    first = report.operands[0]
    q = quantize(BATCH[0].asnumpy(), report.recipe.x)
    magnitudes = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
    assert first.counts == tuple(int((np.abs(decode(q.codes, "e2m1")) == m).sum()) for m in magnitudes)


def test_the_report_has_a_page_of_it():
    pytest.importorskip("jinja2")
    report = insight.low_bit_report(network(), nn.MSELoss(), BATCH, "nvfp4")
    page = insight.Report(report, title="Few bits").html()
    assert "What nvfp4 does to each operand" in page and page.count("<svg") >= len(report.operands)
    assert f"magnitude 0: {report.operands[0].counts[0]}" in page and "The worst gradient is that of" in page


def test_the_last_line_names_the_worst_place_and_what_to_keep():
    net = network()
    report = insight.low_bit_report(net, nn.MSELoss(), BATCH, "mxfp4(keep=none)")
    worst = min(report.gradients, key=lambda g: g.sqnr)
    assert report.worst == worst and report.keep == (worst.path,)
    assert str(report).splitlines()[-1] == (
        f"The worst gradient is that of {worst.path!r}, {worst.sqnr:.1f} dB: "
        f"mxfp4 with keep={report.keep} leaves its products wide."
    )
    mended = insight.low_bit_report(net, nn.MSELoss(), BATCH, report.recipe.replace(keep=report.keep))
    assert worst.path not in [g.path for g in mended.gradients]


def test_convolutions_are_told_too():
    net = nn.SequentialCell(nn.Conv2d(1, 4, 3), nn.Flatten(), nn.Dense(4 * 64, 2))
    batch = ms.Tensor(RNG.standard_normal((6, 1, 8, 8)).astype(np.float32)), ms.ops.zeros((6, 2))
    report = insight.low_bit_report(net, nn.MSELoss(), batch, "mxfp8(convolutions=yes)")
    assert [g.path for g in report.gradients] == ["0"]


def test_a_network_that_takes_no_recipe_is_refused():
    with pytest.raises(ValueError, match="a cell of the 'network' must take the 'recipe', but got none"):
        insight.low_bit_report(nn.SequentialCell(nn.Dense(40, 4)), nn.MSELoss(), BATCH, "mxfp8")


def test_a_plan_ranks_recipes_by_float64():
    recipes = ("mxfp4(keep=none)", amp.MXFP8(keep=()), "current_fp8(keep=none)")
    found = insight.plan(network(), nn.MSELoss(), BATCH, recipes=recipes)
    ranked = [form for form in found.forms if "keep" in form.name]
    assert ranked == list(found.forms[-3:]) and ranked[-1].name == "mxfp4(keep=none)"
    assert [form.error for form in ranked] == sorted(form.error for form in ranked)
    assert "mxfp8(keep=none)" in str(found)


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_a_frozen_scale_is_told_of_a_step_that_is_finite(level):
    ms.set_context(cpu_loss_scale=True)
    net = network()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    recipe = amp.DelayedFP8(history=4, keep=())
    step = amp.build_train_network(net, optimizer, nn.MSELoss(), level=level, recipe=recipe, loss_scale_manager=None)
    step(*BATCH)
    assert insight.explain_overflow(step, *BATCH) is None
    history = next(p for p in step.get_parameters() if p.name.endswith("2.matmul.x_history"))
    history.set_data(ms.Tensor(np.float32([0, 1, np.inf, 1])))
    verdict = insight.explain_overflow(step, *BATCH)
    assert (verdict.kind, verdict.given, verdict.cell_class) == ("scale history", history.name, "DelayedProduct")
    assert str(verdict).startswith(f"{history.name} is not finite: its scale is frozen")
    exec(verdict.remedy, {"step": step, "ms": ms})
    assert insight.explain_overflow(step, *BATCH) is None
