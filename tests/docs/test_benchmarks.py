"""The benchmarks: every workload trains under minispore, and a run's numbers become the page that they mean."""

import ast
import importlib.util
import json
import re
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import minispore as ms

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


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


NAMES = ("dispatch", "lenet5_b32", "lenet5_b256", "resnet20_b64", "mlp_adam", "encoder", "lstm_x50", "gru_x50")


def workload(name):
    task = load("workloads").WORKLOADS[name]
    return task, load(f"workloads.{task.module}")


def test_the_workloads_are_those_that_are_tested():
    assert tuple(load("workloads").WORKLOADS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_step_of_each_workload_has_a_finite_loss(name):
    task, module = workload(name)
    assert np.isfinite(module.cells(ms, **{**task.arguments, **smaller(task)})()).all()


def smaller(task):
    """A batch that is large enough to see that the step runs."""
    return {"batch": 2} if "batch" in task.arguments else {}


@pytest.mark.parametrize("name", ["lenet5_b32", "resnet20_b64"])
@pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3"])
def test_a_step_at_each_level_has_a_finite_loss(name, level):
    _, module = workload(name)
    assert np.isfinite(module.cells(ms, batch=2, level=level)())


@pytest.mark.parametrize("name", ["mlp_adam", "encoder", "lstm_x50"])
def test_a_step_at_o2_has_a_finite_loss(name):
    task, module = workload(name)
    assert np.isfinite(module.cells(ms, **task.arguments, level="O2")())


@pytest.mark.parametrize("name", NAMES)
def test_each_workload_is_written_for_the_peers_that_the_table_says(name):
    task, module = workload(name)
    assert callable(module.torch)
    assert hasattr(module, "arrays") or not task.arrays


def imports_of(script):
    """The pairs (module, name) that a script takes from minispore, wherever in it the import stands."""
    for node in ast.walk(ast.parse(script.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "minispore":
            yield from ((node.module, alias.name) for alias in node.names)


def is_there(path, name):
    """Whether a module has a name, or a module of that name which nobody has imported yet."""
    module = importlib.import_module(path)
    return hasattr(module, name) or importlib.util.find_spec(f"{path}.{name}") is not None


@pytest.mark.parametrize("script", sorted(BENCHMARKS.glob("*.py")), ids=lambda script: script.stem)
def test_what_a_script_imports_of_minispore_is_there(script):
    absent = [f"{path}.{name}" for path, name in imports_of(script) if not is_there(path, name)]
    assert absent == []


def measured(*times):
    return [{"wall_ms": t, "cpu_ms": t / 2, "least_ms": t - 1} for t in times]


def test_a_ratio_is_that_of_the_medians_and_its_spread_that_of_the_rounds():
    mine, theirs = measured(4, 6, 10), measured(2, 4, 4)
    assert load("figures").ratio(mine, theirs) == (6 / 4, 6 / 4, 10 / 4)


def test_a_peer_of_fewer_rounds_is_compared_in_those():
    assert load("figures").ratio(measured(8), measured(4, 100, 100)) == (2, 2, 2)


@pytest.mark.parametrize("theirs", [None, [], [{"failed": "no such thing"}]])
def test_there_is_no_ratio_to_what_was_not_measured(theirs):
    assert load("figures").ratio(measured(8), theirs) is None


def results(**filled):
    """The results of a run in which nothing was measured but what is given."""
    empty = {key: {} for key in load("compare").KEYS}
    settings = {"clock": "wall_ms", "rounds": 1, "peer_rounds": 1, "seconds": 0.5, "machine": {}, "versions": {}}
    return {**empty, **settings, **filled}


def test_a_missed_target_is_named_with_by_how_much():
    steps = {"1": {"mlp_adam": {"minispore": measured(9), "PyTorch": measured(10)}}}
    must, goal = load("figures").all_missed(results(steps=steps))
    assert must == ("must", "mlp_adam, minispore, on one thread, to PyTorch: 0.90x, 0.10 above 0.8x")
    assert goal == ("goal", "mlp_adam, minispore, on one thread, to PyTorch: 0.90x, 0.25 above 0.65x")


def test_a_failure_of_minispore_is_named_and_one_of_a_peer_is_not():
    failed = [{"failed": "no such thing"}]
    steps = {"1": {"mlp_adam": {"minispore": failed, "PyTorch": failed}}}
    missed = load("figures").all_missed(results(steps=steps, levels={"resnet20_b64": {"minispore": {"O2": failed}}}))
    assert missed == [
        ("must", "steps, 1, mlp_adam, minispore: failed (no such thing)"),
        ("must", "levels, resnet20_b64, minispore, O2: failed (no such thing)"),
    ]


def test_a_target_that_is_met_is_not_named():
    steps = {"1": {"mlp_adam": {"minispore": measured(6), "PyTorch": measured(10)}}}
    assert load("figures").all_missed(results(steps=steps)) == []


@pytest.mark.parametrize(("label", "other"), [("minispore", "PyNative"), ("minispore, graph mode", "graph")])
def test_on_two_threads_each_mode_is_held_against_mindspores(label, other):
    steps = {"2": {"encoder": {label: measured(3), f"MindSpore, {other} mode": measured(2)}}}
    assert [kind for kind, _ in load("figures").all_missed(results(steps=steps))] == ["must"]


def test_lower_precision_is_held_against_full_precision():
    levels = {"lenet5_b256": {"minispore": {"O0": measured(10), "O2": measured(15), "O3": measured(20)}}}
    missed = load("figures").all_missed(results(levels=levels))
    assert [(kind, sentence.split(",")[0]) for kind, sentence in missed] == [
        ("must", "lenet5_b256 at O3"),
        ("goal", "lenet5_b256 at O2"),
        ("goal", "lenet5_b256 at O3"),
    ]


def test_memory_that_grows_faster_than_the_batch_is_named():
    peaks = [{"wall_ms": 1.0, "peak_mb": mb} for mb in (1, 2, 5)]
    batches = {"minispore": {str(16 << i): [each] for i, each in enumerate(peaks)}}
    ((kind, sentence),) = load("figures").all_missed(results(batches=batches))
    assert kind == "must"
    assert sentence == "peak memory where the batch doubles, minispore: 2.50x, 0.30 above 2.2x"


def test_every_section_of_a_plan_has_its_place_in_the_results():
    sections = load("sections")
    paths = [path for path, *_ in sections.plan(sections.NAMES, [1, 2])]
    assert {path[0] for path in paths} == set(load("compare").KEYS)
    assert len(paths) == len(set(paths))


def test_the_page_says_what_was_not_measured():
    page = load("page")
    assert page.text(results()).count(page.NOT_MEASURED) == 12


def test_the_page_has_the_tables_of_what_was_measured():
    steps = {"1": {"mlp_adam": {"minispore": measured(9, 9), "PyTorch": measured(10, 6)}}}
    text = load("page").text(results(steps=steps))
    assert re.search(r"\| mlp_adam \| +1.12 \(0.90 to 1.50\) \| 0.80 \| 0.65 \| +- \| 0.55 \| +- \|", text)
    assert "- **Must**: mlp_adam" in text
    assert "processor time: the machine was busy" in text


def images(*rates):
    return [{"rate": rate, "best": rate + 1, "version": "1.0"} for rate in rates]


def test_image_pipelines_are_told_as_ratios_to_pytorch_and_an_absent_peer_is_named():
    pipeline, chains = (
        load("image_pipeline"),
        {"arrays": {"minispore": images(30, 20, 40), "PyTorch": images(10, 20, 5)}},
    )
    found = {
        "chains": chains,
        "versions": pipeline.versions(chains),
        "rounds": 3,
        "machine": "a machine",
        "load": "0 0",
    }
    text = pipeline.section(found)
    assert re.search(r"\| minispore \| +30 \| +41 \| 3.00 \(1.00 to 8.00\) \|", text)
    assert text.endswith("MindSpore was not measured.")
    page = f"# Page\n\n{pipeline.HEADING}\n\nold\n\n## After\n"
    assert pipeline.put_into(page, text) == page.replace("old", text)
    assert text in load("page").text(results(images=found))


@pytest.mark.parametrize("chain", ["folder", "arrays"])
def test_an_epoch_of_a_pipeline_has_all_its_images(chain, tmp_path):
    pytest.importorskip("PIL")
    chains = load("image_chains")
    chains.write_photographs(tmp_path, 3)
    assert chains.of_mindspores_kind("minispore", chain, 3, str(tmp_path))() == 3


def test_a_peer_that_fails_is_shown_as_failed():
    text = load("tables").steps("mlp_adam", {"minispore": measured(9), "PyTorch": [{"failed": "no torch"}]})
    assert re.search(r"\| PyTorch +\| +failed \|", text)


def test_what_bounds_a_step_counts_its_products_and_bytes():
    bounds = load("bounds")
    x, w = ms.ops.ones((8, 16), ms.float32), ms.ops.ones((16, 32), ms.float32)

    def step():
        ms.ops.MatMul()(x.reshape(8, 16), w)

    assert bounds.operations_and_bytes(step) == (2, 4 * (8 * 16 + 16 * 32 + 8 * 32))
    assert bounds.products_ms(step)[1] == pytest.approx(2 * 8 * 16 * 32 / 1e9)
    assert set(bounds.computing_ms(step)) == {"Reshape", "MatMul"}


def test_a_recorded_step_is_judged_by_its_products_and_copies():
    bound = {"step_ms": 30.0, "recorded_ms": 20.0, "products_ms": 8.0}
    bound |= {"moved_mb": 4 / 1.048576, "copy_gb_a_second": 2.0}  # copies of 2 ms
    near = {"mlp_adam": [bound]}
    assert re.search(r"\| mlp_adam +\| +10\.00 \| +3\.00 \| +2\.00 \| +1\.5 \|", load("tables").limits(near))
    ((kind, sentence),) = load("figures").all_missed(results(bounds=near))
    assert kind == "must" and "2.00x, 0.50 above 1.5x" in sentence
    assert load("figures").all_missed(results(bounds={"gru_x50": near["mlp_adam"]})) == [], "it has no must"


def test_on_two_threads_the_peer_has_two():
    steps = {"2": {"resnet20_b64": {"minispore": measured(14), "PyTorch": measured(10)}}}
    ((kind, sentence),) = load("figures").all_missed(results(steps=steps))
    assert kind == "must" and sentence.endswith("on two threads, to PyTorch: 1.40x, 0.10 above 1.3x")


def test_the_parts_of_a_step_by_two_threads_are_told_apart():
    timeline = load("timeline")
    pieces = [
        timeline.Piece("MatMul", True, 1.5, 4.0, 2.0),  # the caller's: half a second for the lock
        timeline.Piece("MatMul", False, 2.0, 5.0, 3.0),  # the worker's, which begins 1 after the operation did
    ]
    both, alone, late, end, lock = timeline.waits(10.0, [timeline.Job(1.0, 5.5, pieces)])
    assert (both, alone, late, end, lock) == (2.0, 5.5, 1.0, 1.5, 0.25)
    assert both + alone + late + end == 10.0
    text = load("page").text(results(timeline=[timeline.row("mlp_adam", {"seconds": 10.0, "jobs": [], "used": 1.1})]))
    assert re.search(r"\| mlp_adam +\| +10000\.0 +\| +0\.00 \(0%\) +\| 10000\.00 \(100%\) \|", text)


def test_a_shared_operation_is_traced_with_the_threads_that_do_it(tmp_path, monkeypatch):
    timeline = load("timeline")
    workers = importlib.import_module("minispore.ops.kernels.workers")
    trace = timeline.Trace(workers.share)
    monkeypatch.setattr(workers, "count", lambda: 2)
    meeting = threading.Barrier(2, timeout=300)
    seconds, (job,) = trace.step(lambda: trace.shared(lambda _: meeting.wait() and None, range(2)))
    assert sorted(piece.caller for piece in job.pieces) == [False, True] and 0 < job.start < job.end < seconds
    pytest.importorskip("matplotlib")
    timeline.draw({"mlp_adam": {"seconds": seconds, "jobs": [job]}}, "light", tmp_path / "step.svg")
    assert (tmp_path / "step.svg").read_text().count("<path") > 4


def test_what_operators_compute_by_their_short_way_is_timed_too():
    x = ms.ops.ones((8, 16), ms.float32)
    assert set(load("bounds").computing_ms(lambda: x * x)) == {"Mul"}


def test_a_time_is_measured_with_the_primitives_left_as_they_were():
    before = ms.ops.MatMul.compute
    load("bounds").computing_ms(lambda: None)
    assert ms.ops.MatMul.compute is before


@pytest.mark.usefixtures("restored")
def test_the_cost_of_watching_is_measured_of_steps_that_are_alike(monkeypatch):
    ms.set_context(cpu_loss_scale=True)
    insight, module = load("insight"), load("workloads.lenet5")
    monkeypatch.setattr(module, "step_of_cells", module.step_of_cells)  # is put back
    monkeypatch.setitem(insight.WORKLOADS, "lenet5", {"batch": 2})
    for name in ("LEAST", "WARM_UP"):
        monkeypatch.setattr(insight, name, 1)
    runs, watches = insight.variants("lenet5")
    found = insight.measured(runs, 0.0, insight.CLOCKS["cpu"])
    assert list(found) == ["never", "again", "off", "on"]
    assert [seen.steps for seen in watches] == [0, insight.WARM_UP + 1]


BOOSTED = ("plain", "float16, a loss scale for each group")


@pytest.fixture
def small_boost(restored, monkeypatch):
    """The benchmark of boost, for a narrow network and a configuration of its own."""
    monkeypatch.setattr(ms.boost.AutoBoost, "_instance", None)
    ms.set_context(cpu_loss_scale=True)
    benchmark = load("boost")
    monkeypatch.setattr(benchmark, "BATCH", 4)
    return benchmark, benchmark.Plan(images=8, tested=4, epochs=1, width=2)


def test_the_benchmark_of_boost_trains_and_writes_its_page(small_boost, tmp_path):
    benchmark, plan = small_boost
    found = {name: benchmark.trained(name, plan, tmp_path) for name in BOOSTED}
    assert all(np.isfinite(row).all() and 0 <= row[0] <= 100 for row in found.values())
    page = benchmark.page(benchmark.table_of(found), plan, 1, "python benchmarks/boost.py")
    assert "1 epoch of 8 images" in page and all(f"| {name} |" in page for name in BOOSTED)
    written = (BENCHMARKS.parent / "docs" / "reference" / "boost.md").read_text()
    assert all(f"| {name} |" in written for name in benchmark.ROWS)
    text = (BENCHMARKS / "boost_template.md").read_text().split("$")
    assert written.startswith(text[0]) and written.endswith(text[-1].partition("\n")[2])
    assert {key for row in benchmark.ROWS.values() for key in row.on} == set(ms.boost.boost.ALGORITHMS)


def test_times_of_their_own_stand_beside_accuracies_that_were_kept(small_boost, tmp_path, monkeypatch):
    benchmark, _ = small_boost
    kept, written = tmp_path / "results.json", tmp_path / "boost.md"
    kept.write_text(json.dumps({"found": {name: [12.5, 1.25, 1e9, 1e9, 7] for name in BOOSTED}}))
    monkeypatch.setattr(benchmark, "TIMED", {"images": 8, "tested": 4, "epochs": 1, "width": 2})
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    command = ["boost.py", "--times", "--results", str(kept), "--write", str(written)]
    monkeypatch.setattr(benchmark.sys, "argv", command)
    benchmark.main()
    rows = [row for row in written.read_text().splitlines() if row.startswith(tuple(f"| {name} |" for name in BOOSTED))]
    assert [row.split(" | ")[1:3] for row in rows] == [["12.5 %", "1.250"]] * 2
    assert rows[0].endswith("1.00 | 1.00 | 7 |") and "1000000000 ms" not in written.read_text()
    assert json.loads(kept.read_text())["timed"].keys() == set(BOOSTED)
    assert "of 2 steps on a machine that did nothing else" in written.read_text()


# Data parallelism


def test_the_model_of_scaling_finds_the_constants_that_times_were_made_with():
    scaling = load("scaling_model")
    true = scaling.Model(c0=5.0, c1=1.5, m=0.25, latency=0.02, agreement=1.5, per_byte=1e-6, cores=2)
    settings = [(n, b, k, 1 << 20) for n in (1, 2, 4) for b in (8, 64) for k in (1, 16)]
    steps = [(*setting, true.step(*setting)) for setting in settings]
    sums = [(n, size, true._replace(agreement=0.0).communicate(n, 1, size)) for n in (2, 4) for size in (64, 1 << 22)]
    agreements = [(n, true.turns(n) * 1.5 * 0.02 * np.log2(n)) for n in (2, 4)]
    found = scaling.fitted(steps, sums, agreements, cores=2)
    np.testing.assert_allclose(found, true, rtol=1e-6)
    np.testing.assert_allclose(scaling.errors(found, steps), 0, atol=1e-6)
    assert found.step(1, 8, 16, 1 << 20) == pytest.approx(5 + 1.5 * 8)  # one process has no sums


def test_the_page_of_scaling_says_how_far_the_model_is_off_and_where_more_processes_stop_helping():
    job = load("data_parallel")
    model = (5.0, 1.5, 0.25, 0.02, 1.5, 1e-6, 2)
    settings = [(n, b, k, job.GRADIENTS) for n, b, k in job.HELD_OUT]
    steps = [(*each, 1.1 * load("scaling_model").Model(*model).step(*each)) for each in settings]
    weak = {"minispore": {1: [50.0, 52.0], 2: [60.0, 65.0]}}
    told = {"rounds": 2, "times": 20, "machine": "a machine", "load": "0.1 0.2"}
    text = job.page({"weak": weak, "model": model, "seen": steps, "unseen": steps, "sums": [(2, 1024, 0.1)], **told})
    assert "PyTorch was not measured." in text and "its error is 9 % in the mean and 9 % at worst" in text
    assert "| minispore |          51.0 |            62.5 |       0.82 |" in text
    assert "{" not in text and job.efficiency(weak["minispore"]) == pytest.approx(51 / 62.5)


def test_buckets_have_even_shares_of_the_parameters():
    process = load("data_parallel_process")
    assert process.ends_of(1) == [] and process.ends_of(4) == [15, 31, 47] and process.ends_of(65) == list(range(64))
    net = load("workloads.resnet20")
    assert len(steps_parameters(net)) == process.PARAMETERS
    assert sum(p.size * 4 for p in steps_parameters(net)) == load("data_parallel").GRADIENTS


def steps_parameters(module):
    """The Parameters that ResNet-20's step trains."""
    kept, before = [], module.momentum_of_cells
    module.momentum_of_cells = lambda ms, net: kept.extend(net.trainable_params()) or before(ms, net)
    try:
        module.cells(ms, 2)
    finally:
        module.momentum_of_cells = before
    return kept


# The page on a GPU


def of_gpu(**parts):
    found = {"operations": 30, "waits": 1, "bytes": 2.5e6, "floor": 2e6, "multiplications": 1e9, "nodes": 25}
    return {
        "counts": {
            f"{name} {level}": {"eager": found, "graph": found} for name in ("mlp", "lstm") for level in ("O0", "O2")
        }
    } | parts


def test_without_a_gpu_the_page_says_so_and_shows_what_is_counted():
    text = load("gpu_page").text(of_gpu())
    assert "No GPU was at hand" in text and "## Times" not in text
    row = "| 30 (1) | 30 (1) | 30 (1) | 30 (1) | 25 | 25 | 40 | 20 |"
    assert f"| 784-512-512-10 with ReLU, Adam, batch 128 {row}" in text
    assert "| lstm O2 | 2.5 | 2.0 | 1.25 |" in text
    assert "Not counted in this run" in load("gpu_page").text({})


def test_with_a_gpu_the_page_has_its_facts_and_times_and_what_failed():
    block = {"losses": [2.0, 1.5], "wall_ms": [0.2, 0.3, 0.4], "device_ms": [0.1, 0.2, 0.3]}
    other = {**block, "losses": [2.0, 1.503]}
    times = {
        "minispore; O0; resident": block,
        "torch; AMP; copied": other,
        "torch; float32; resident": {"failed": "no"},
    }
    text = load("gpu_page").text(
        of_gpu(facts={"GPU": "H100"}, tests="3 passed", checks=["memory: flat"], times={"mlp": times})
    )
    assert "No GPU was at hand" not in text
    assert all(line in text for line in ("- GPU: H100.", "- Device tests: 3 passed.", "- Check of memory: flat."))
    assert "| PyTorch, AMP | copied | 0.300 | 0.200 to 0.400 | 0.200 | 2e-03 |" in text
    assert "| PyTorch, float32 | resident | failed: no |" in text


def test_the_page_on_a_gpu_is_that_of_the_figures_beside_it():
    figures = json.loads((BENCHMARKS / "gpu_results.json").read_text())
    page = BENCHMARKS.parent / "docs" / "reference" / "performance_gpu.md"
    assert page.read_text() == load("gpu_page").text(figures)


def test_the_networks_of_the_page_are_those_that_are_counted_and_timed():
    names = set(load("gpu_page").BATCHES)
    assert names == set(load("gpu_page").ABOUT) == set(load("gpu_page").MOST)
    tree = ast.parse((BENCHMARKS / "gpu_torch.py").read_text())
    (nets,) = (node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "NETS")
    assert {key.value for key in nets.keys} == names
