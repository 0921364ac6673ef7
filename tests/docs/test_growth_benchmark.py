"""The benchmarks of growth and of sharing: each row trains, and made-up numbers become the tables that they mean."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

import minispore as ms
from minispore.ops.kernels import workers

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
KINDS = ("embedding", "lstm", "convolution", "mlp", "depth", "width", "batch", "sequence", "image")


@pytest.fixture(scope="module", autouse=True)
def found():
    """The modules of the benchmarks can be imported, here alone."""
    before = set(sys.modules)
    sys.path.insert(0, str(BENCHMARKS))
    yield
    sys.path.remove(str(BENCHMARKS))
    for name in set(sys.modules) - before:
        if str(BENCHMARKS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def load(name):
    return importlib.import_module(name)


def test_the_kinds_that_grow_are_those_that_are_tested():
    assert tuple(load("growth").KINDS) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_of_the_smallest_size_of_each_kind_has_a_finite_loss(kind):
    growth = load("growth")
    assert np.isfinite(growth.built(ms, kind, growth.KINDS[kind].sizes[0])()).all()


def test_a_step_of_mobilenet_has_a_finite_loss_at_o2():
    assert np.isfinite(load("growth").LEVELS["mobilenet_v2"](ms, "O2")())


def made_up():
    """Results of every kind: twice PyTorch's time eager, equal to it recorded."""
    times = {"eager": [4.0, 2.0], "recorded": [2.0, 2.0]}
    kinds = load("growth").KINDS.items()
    rows = {
        name: [{"size": s, **times, **({"memory": [5.0, 9.0]} if kind.memory else {})} for s in kind.sizes]
        for name, kind in kinds
    }
    return {**rows, "levels": [{"size": "resnet20", "eager": [3.0, 2.0], "recorded": [2.2, 2.0]}]}


def test_the_tables_of_growth_show_times_ratios_and_memory():
    growth, results = load("growth"), made_up()
    assert "1,000   |       2.00 |     4.00 |  2.00 |        2.00 |  1.00 |" in growth.kind_table(
        "embedding", results["embedding"]
    )
    assert "1.00 | 5.0 |        9.0 |" in growth.kind_table("lstm", results["lstm"])
    assert "2.00 |  3.00 |  1.50 |" in growth.level_table(results["levels"])
    assert growth.shown([16, 64, 3]) == "16, 64, 3"


def test_ratios_above_their_must_are_told_and_no_others():
    growth, results = load("growth"), made_up()
    told = list(growth.missed(results))
    assert len(told) == sum(len(growth.KINDS[name].sizes) for name in KINDS)
    assert all(sentence.endswith("eager: 2.00, above 1.5.") for sentence in told)


def test_the_page_of_growth_has_every_table_and_no_gap_left():
    text = load("growth").page(made_up(), 9.4, "minispore 1, PyTorch 2")
    assert all(f"### {kind.about}" in text for kind in load("growth").KINDS.values())
    assert "minispore 1, PyTorch 2" in text and "took 9 minutes" in text and "<" not in text


def test_the_curves_are_drawn_for_light_and_dark_pages(tmp_path):
    pytest.importorskip("matplotlib")
    for theme in ("light", "dark"):
        load("growth").draw(made_up(), theme, tmp_path / f"{theme}.svg")
    assert (tmp_path / "light.svg").read_text() != (tmp_path / "dark.svg").read_text()


@pytest.mark.parametrize("took, ends", [([], 0), ([3], 3), ([1, 1, 1], 2), ([4, 1, 1, 1], 4)])
def test_two_workers_take_the_next_piece_each(took, ends):
    assert load("sharing").by_two(took) == ends


def test_counted_pieces_are_done_once_by_the_thread_that_counts():
    before = ms.get_context("runtime_num_threads")
    ms.set_context(runtime_num_threads=2)
    try:
        with load("sharing").counted_pieces(workers) as pieces:
            assert workers.share(lambda i: (i, workers.at_work()), range(3)) == [(0, True), (1, True), (2, True)]
            assert workers.share(abs, [-1]) == [1]
    finally:
        ms.set_context(runtime_num_threads=before)
    assert pieces.jobs == 1 and not workers.at_work()
