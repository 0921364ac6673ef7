"""Every line of the benchmark for a machine with a GPU runs: on the CPU's CUDA, and on PyTorch's own CPU."""

import contextlib
import functools
import importlib
import inspect
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from cpucuda import device

from minispore import nn

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
ON_ANY_CPU = "mlp", "lenet5", "encoder", "lstm", "resnet20"  # PyTorch's own layers over a sequence are not, if narrow
NAMES = *ON_ANY_CPU[:-1], "lstm_layer", "gru_layer", "rnn_cell", "resnet20"
VARIANTS = (
    *("float32", "float32, channels_last", "AMP", "AMP, channels_last", "AMP, torch.compile"),
    *("AMP, CUDA graph", "float32, CUDA graph"),
)


@pytest.fixture
def load(monkeypatch):
    """A function that gives a module of the benchmarks; they are forgotten afterwards."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module
    for name in set(sys.modules) - before:
        if str(BENCHMARKS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def wrote(stdout="", stderr="", returncode=0):
    """A process that has ended."""
    return SimpleNamespace(stdout=stdout, stderr=stderr, returncode=returncode)


@pytest.fixture
def short(load, monkeypatch):
    """The benchmark's modules, with a few steps of a small batch."""
    gpu, page, step = load("gpu"), load("gpu_page"), load("gpu_step")
    for module, name, value in ((gpu, "STEPS", 1), (gpu, "BLOCKS", 1), (step, "WARM", 1), (step, "FIRST", 3)):
        monkeypatch.setattr(module, name, value)
    monkeypatch.setitem(page.BATCHES, "mlp", 2)
    return gpu, page, step


# With a GPU


def small_mlp():
    return nn.SequentialCell(nn.Flatten(), nn.Dense(64, 16), nn.ReLU(), nn.Dense(16, 10))


def small_lenet5():
    layers = nn.Conv2d(1, 2, 5), nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten(), nn.Dense(32, 10)
    return nn.SequentialCell(*layers)


@pytest.fixture
def small(load, monkeypatch):
    """Smaller networks by the names of the benchmark's."""
    operations = load("gpu_operations")
    for name, make in (("mlp", small_mlp), ("lenet5", small_lenet5)):
        monkeypatch.setitem(operations.SHAPES, name, (1, 8, 8))
        monkeypatch.setitem(operations.NETS, name, make)


@pytest.fixture
def on_cpucuda(on_cupy, restored):
    """Compute on the CPU's CUDA; on a GPU the benchmark itself is what runs."""
    if not device.is_built():
        pytest.skip("the benchmark itself runs on a GPU")
    return on_cupy


NO_TORCH = "Traceback ...\nModuleNotFoundError: No module named 'torch'\n"
BLOCK = json.dumps({"losses": [2.5, 2.25, 2.0], "wall_ms": [1.5], "device_ms": [0.5]})


def answers(step, torch):
    """What the processes of the benchmark write, those of minispore's steps computed here."""

    def ran(command, *_, **__):
        if "pytest" in command:
            return wrote("\n3 passed in 1.00s\n")
        if command[1] == "-c":
            return wrote("2.13.0, CUDA 13.0\n") if torch else wrote("", NO_TORCH, 1)
        if command[1].endswith("gpu_checks.py"):
            return wrote("products: wrong by nothing\n")
        task = json.loads(command[-1])
        if task["framework"] == "minispore":
            return wrote(json.dumps(step.measured(step.run_of(task), task)) + "\n")
        compiles = task["variant"].endswith("compile")
        return wrote("", "E0 noise\ntorch.InductorError: no C compiler\nSet VERBOSE=1", 1) if compiles else wrote(BLOCK)

    return ran


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("torch", [False, True])
def test_one_command_measures_and_writes_the_page(on_cpucuda, short, monkeypatch, tmp_path, torch):
    gpu, _, step = short
    monkeypatch.setattr(gpu, "ran", answers(step, torch))
    files = ["--results", str(tmp_path / "results.json"), "--write", str(tmp_path / "page.md")]
    assert gpu.main([*files, "--nets", "mlp"]) == 0
    text = (tmp_path / "page.md").read_text()
    told = "- Device tests: 3 passed in 1.00s.", "- Check of products: wrong by nothing.", "- nvcc: ", "- GPU: "
    assert all(line in text for line in told) and "No GPU was at hand" not in text
    assert all(f"| minispore, {variant} | {how} | " in text for variant in gpu.OURS for how in ("resident", "copied"))
    assert "minispore, O0 | resident | failed" not in text and "failed" not in text.partition("PyTorch,")[0]
    assert ("PyTorch is 2.13.0, CUDA 13.0." in text) is torch
    assert ("PyTorch was not timed: ModuleNotFoundError: No module named 'torch'." in text) is not torch
    assert ("| PyTorch, AMP | resident | 1.500 | 1.500 to 1.500 | 0.500 |" in text) is torch
    assert ("| failed: torch.InductorError: no C compiler |" in text) is torch
    found = json.loads((tmp_path / "results.json").read_text())
    assert found["times"]["mlp"]["minispore; O2, graph mode; copied"]["device_ms"][0] >= 0


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["products", "convolutions", "graph mode", "the same twice", "memory"])
def test_each_check_of_a_gpu_holds_on_the_cpus_cuda(on_cpucuda, load, monkeypatch, name):
    checks = load("gpu_checks")
    monkeypatch.setattr(checks, "STEPS", 5)
    monkeypatch.setitem(checks.CHECKS, "memory", functools.partial(checks.memory, 3, 2))
    assert set(checks.CHECKS) == {"products", "convolutions", "graph mode", "the same twice", "memory"}
    assert not checks.outcome(checks.CHECKS[name]).startswith("FAILS")


# Where something is missing or fails


def test_a_check_that_fails_says_so_and_lets_the_others_be_made(load):
    outcome = load("gpu_checks").outcome

    def wrong():
        raise AssertionError("a product is wrong")

    def broken():
        raise KeyError

    assert outcome(wrong) == "FAILS: a product is wrong" and outcome(broken) == "FAILS: KeyError"


def test_a_process_that_cannot_be_started_or_takes_too_long_is_a_sentence(load, tmp_path):
    gpu = load("gpu")
    absent = str(tmp_path / "python")
    with pytest.raises(RuntimeError, match=r"python cannot be started: No such file"):
        gpu.ran([absent])
    with pytest.raises(RuntimeError, match=r"^given up after 0 minutes$"):
        gpu.ran([sys.executable, "-c", "import time; time.sleep(9)"], 0)
    assert gpu.of_torch(absent) == {"missing": f"{absent} cannot be started: No such file or directory"}
    assert gpu.told([sys.executable, "-c", "print(1); print(2)"]) == "2"


def test_the_reason_of_a_failure_is_the_exception_that_a_process_names(load, monkeypatch):
    gpu = load("gpu")
    assert gpu.why(wrote(stderr=NO_TORCH, returncode=1)) == "ModuleNotFoundError: No module named 'torch'"
    assert gpu.why(wrote("so far", "", 1)) == "so far" and gpu.why(wrote(returncode=-9)) == "exit code -9"
    monkeypatch.setattr(gpu, "ran", lambda *_, **__: wrote("a: fine\n", NO_TORCH, 1))
    assert gpu.checks() == ["a: fine", f"the rest: FAILS: {NO_TORCH.splitlines()[1]}"]
    assert gpu.tests() == "a: fine"


def test_without_a_gpu_nothing_is_measured_and_the_page_stands(load, monkeypatch, tmp_path):
    gpu = load("gpu")
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert gpu.main(["--results", str(tmp_path / "r.json"), "--write", str(tmp_path / "page.md")]) == 0
    assert "No GPU was at hand" in (tmp_path / "page.md").read_text() and not (tmp_path / "r.json").exists()


# Beside PyTorch, where it is installed


def checked(real, found=None):
    """A function that takes what ``real`` takes, and gives ``found``."""
    signature = inspect.signature(real)

    def double(*arguments, **keywords):
        signature.bind(*arguments, **keywords)
        return found

    return double


@pytest.fixture
def torch_of_a_gpu(monkeypatch):
    """PyTorch, with doubles of what needs a device: they take the arguments that PyTorch's own take."""
    torch = pytest.importorskip("torch")
    cuda, threads = torch.cuda, torch.get_num_threads()
    torch.set_num_threads(1)
    stream = SimpleNamespace(wait_stream=functools.partial(checked(cuda.Stream.wait_stream), None))
    graph = SimpleNamespace(replay=functools.partial(checked(cuda.CUDAGraph.replay), None))
    event = SimpleNamespace(
        record=functools.partial(checked(cuda.Event.record), None),
        elapsed_time=functools.partial(checked(cuda.Event.elapsed_time, 2.5), None),
    )
    doubles = {
        "Stream": functools.partial(checked(cuda.Stream.__new__, stream), cuda.Stream),
        "CUDAGraph": functools.partial(checked(cuda.CUDAGraph.__new__, graph), cuda.CUDAGraph),
        "Event": functools.partial(checked(cuda.Event.__new__, event), cuda.Event),
        "graph": functools.partial(checked(cuda.graph.__init__, contextlib.nullcontext()), None),
        "stream": checked(cuda.stream, contextlib.nullcontext()),
        "current_stream": checked(cuda.current_stream, stream),
        "synchronize": checked(cuda.synchronize),
    }
    compiling = inspect.signature(torch.compile)
    for name, double in doubles.items():
        monkeypatch.setattr(cuda, name, double)
    monkeypatch.setattr(torch, "compile", lambda *a, **k: compiling.bind(*a, **k).arguments["model"])
    yield torch
    torch.set_num_threads(threads)


def task_of(folder, **settings):
    files = {key: str(folder / f"{key}.npz") for key in ("weights", "data")}
    return {"batch": 2, "steps": 1, "blocks": 1, "device": "cpu", "resident": False, **files, **settings}


@pytest.mark.parametrize("name", ON_ANY_CPU)
@pytest.mark.usefixtures("restored")
def test_pytorch_does_the_same_work_in_each_way_of_its_own(torch_of_a_gpu, load, monkeypatch, tmp_path, name):
    gpu_step, gpu, pytorch = load("gpu_step"), load("gpu"), load("gpu_torch")
    assert tuple(pytorch.VARIANTS) == gpu.THEIRS == VARIANTS
    assert set(NAMES) <= set(pytorch.NETS) <= set(load("gpu_operations").NETS)
    monkeypatch.setattr(gpu_step, "FIRST", 3)
    monkeypatch.setattr(gpu_step, "WARM", 1)
    monkeypatch.setitem(load("gpu_operations").SHAPES, "resnet20", (3, 8, 8))  # of float16 a CPU takes its time
    ours = task_of(tmp_path, framework="minispore", variant="O0", net=name)
    right = gpu_step.measured(gpu_step.run_of(ours), ours)["losses"]
    for variant in VARIANTS:
        task = task_of(tmp_path, framework="torch", variant=variant, net=name)
        run = gpu_step.run_of(task)
        run.on_gpu = True
        found = gpu_step.measured(run, task)
        assert np.isfinite(found["losses"]).all() and found["device_ms"] == [2.5]
        if "graph" not in variant:  # whose double replays nothing; the third losses of ResNet-20 part by rounding
            np.testing.assert_allclose(found["losses"][:2], right[:2], rtol=3e-2 if "AMP" in variant else 2e-4)


def test_pytorchs_adam_is_captured_as_pytorch_wants_it(load):
    pytest.importorskip("torch")
    pytorch = load("gpu_torch")
    for name in NAMES:
        weights = [p.detach().numpy() for p in pytorch.NETS[name]().parameters()]
        (group,) = pytorch.Training(name, weights, graph=True, device="cpu").optimizer.param_groups
        assert group["fused"] and group.get("capturable", True)
