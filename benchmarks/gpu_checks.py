"""What must hold on a GPU before a time is worth telling: each check gives a sentence, or fails with one.

On the CPU's CUDA they run too (``python benchmarks/gpu_checks.py --cpucuda``); there they say nothing of the chip.
"""

import argparse
import functools
import gc
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

import gpu_operations

import minispore as ms
from minispore.core import backend
from minispore.devices import runtime, transfers

STEPS = 20


def products():
    """Products of float16 are accumulated in float32: 4096 ones sum to 4096, and layouts are not mixed up."""
    random, worst = np.random.default_rng(0), 0.0
    for turned_a, turned_b in ((False, False), (False, True), (True, False), (True, True)):
        a, b = (random.standard_normal((96, 96)).astype(np.float16) for _ in range(2))
        found = ms.ops.MatMul(turned_a, turned_b)(ms.Tensor(a), ms.Tensor(b)).asnumpy().astype(np.float64)
        exact = (a.T if turned_a else a).astype(np.float64) @ (b.T if turned_b else b).astype(np.float64)
        worst = max(worst, np.abs(found - exact).max() / np.abs(exact).max())
    ones = ms.ops.ones((16, 4096), ms.float16)
    assert (ms.ops.matmul(ones, ones.T).asnumpy() == 4096).all(), "a sum of 4096 ones is not 4096"
    assert worst < 1e-3, f"a product is wrong by {worst:.1e} of its largest number"
    return f"wrong by {worst:.1e} of the largest number at most, where rounding to float16 alone makes 5e-4"


def convolutions():
    """Convolutions in float16 give what the CPU gives, forth and back, for channels that are no multiple of 8 too."""
    worst = 0.0
    for channels, made, stride, size in ((3, 16, 1, 3), (16, 32, 2, 3), (6, 16, 1, 5), (32, 64, 2, 1)):
        random = np.random.default_rng(channels)
        x = random.standard_normal((4, channels, 12, 12)).astype(np.float16)
        w = (random.standard_normal((made, channels, size, size)) / size).astype(np.float16)
        there = _conv_and_gradients(x, w, stride)
        before = backend.use(np)
        try:
            here = _conv_and_gradients(x, w, stride)
        finally:
            backend.use(before)
        for a, b in zip(there, here, strict=True):
            worst = max(worst, np.abs(a - b).max() / np.abs(b).max())
    assert worst < 4e-3, f"a convolution is wrong by {worst:.1e} of its largest number"
    return f"wrong by {worst:.1e} of the largest number at most"


def _conv_and_gradients(x, w, stride):
    conv = ms.ops.Conv2D(w.shape[0], w.shape[2], pad_mode="same", stride=stride)
    function = ms.ops.GradOperation(get_all=True)(conv)
    x, w = ms.Tensor(x), ms.Tensor(w)
    return [y.asnumpy().astype(np.float64) for y in (conv(x, w), *function(x, w))]


def graph_mode():
    """Graph mode gives the eager steps' numbers on the device, bit for bit."""
    losses = {}
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        for name in ("mlp", "lenet5"):
            losses[mode, name] = _losses(name)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    for name in ("mlp", "lenet5"):
        assert losses[ms.PYNATIVE_MODE, name] == losses[ms.GRAPH_MODE, name], f"{name}: the losses are others"
    return f"{STEPS} steps of an MLP and LeNet-5 at O2 have the same losses in both modes"


def repeated():
    """A training run is the same twice, bit for bit."""
    assert _losses("lenet5") == _losses("lenet5"), "two runs have other losses"
    return f"{STEPS} steps of LeNet-5 at O2, twice the same losses"


def _losses(name):
    step = gpu_operations.step_of(name, "O2", 8)
    return [step()[0].asnumpy().tobytes() for _ in range(STEPS)]


def memory(settled=300, steps=1000):
    """Training holds no more memory after a thousand steps."""
    step = gpu_operations.step_of("mlp", "O2", 8)

    def held_after(steps):
        for _ in range(steps):
            step()
        gc.collect()
        return runtime.memory_allocated() - 512 * len(transfers.numbers()), runtime.memory_reserved()

    before, after = held_after(settled), held_after(steps)
    assert after[0] <= before[0] and after[1] == before[1], f"{before} bytes became {after}"
    return f"{before[0]} bytes in use before and after {steps} steps of the MLP"


CHECKS = {
    "products": products,
    "convolutions": convolutions,
    "graph mode": graph_mode,
    "the same twice": repeated,
    "memory": memory,
}


def outcome(check):
    """A check's sentence, or that it fails and why."""
    try:
        return check()
    except Exception as error:  # whatever it is, the other checks are made
        return f"FAILS: {str(error) or type(error).__name__}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cpucuda", action="store_true", help="on the CPU's CUDA")
    if parser.parse_args().cpucuda:
        gpu_operations.device.activate()
        CHECKS["memory"] = functools.partial(memory, 10, 30)
    ms.set_context(device_target="GPU")
    failed = False
    for name, check in CHECKS.items():
        sentence = outcome(check)
        failed |= sentence.startswith("FAILS")
        print(f"{name}: {sentence}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
