"""One measurement of gpu.py, in a process of its own: a network's training steps under one framework in one way.

``python gpu_step.py TASK``, with the task as JSON: ``framework``, ``variant``, ``net``, ``batch``, ``weights`` (a file
of NumPy's, written by minispore and read by PyTorch), ``resident`` (whether the batches lie on the device before the
clock runs, or are copied in each step), and ``steps`` of each of the ``blocks``. It prints one line of JSON: the first
losses, and for each block the milliseconds of a step by the wall's clock and by the device's.
"""

import json
import sys
import time

import numpy as np

BATCHES, FIRST, WARM = 8, 20, 50


class OfMinispore:
    """minispore's step; its variant is "O0" or "O2", with ", graph mode" after it or not."""

    def __init__(self, task):
        import gpu_operations

        import minispore as ms

        level, _, mode = task["variant"].partition(", ")
        self.ms, self.on_gpu = ms, task.get("device", "cuda") == "cuda"
        if self.on_gpu:
            ms.set_context(device_target="GPU")
        ms.set_context(mode=ms.GRAPH_MODE if mode else ms.PYNATIVE_MODE)
        net, self.train = gpu_operations.training_of(task["net"], level)
        np.savez(task["weights"], *[p.asnumpy() for p in net.trainable_params()])
        self.batches = gpu_operations.data_of(task["net"], task["batch"], BATCHES)

    def placed(self, array):
        """A Tensor of the device."""
        return self.ms.Tensor(array)

    def step(self, x, y):
        """The loss, a Tensor that nobody has read."""
        found = self.train(x, y)
        return found[0] if isinstance(found, tuple) else found

    def number(self, loss):
        """The loss as Python's number."""
        return float(loss.asnumpy())

    def wait(self):
        """Wait for the device."""
        self.ms.runtime.synchronize()

    def event(self):
        """A mark in the device's work."""
        from minispore.core import backend

        event = backend.xp.cuda.Event()
        event.record()
        return event

    def between(self, begin, end):
        """Milliseconds between two marks."""
        from minispore.core import backend

        return backend.xp.cuda.get_elapsed_time(begin, end)


class OfTorch:
    """PyTorch's step; its variants are those of gpu_torch.py."""

    def __init__(self, task):
        import gpu_torch
        import torch

        self.torch, device = torch, task.get("device", "cuda")
        self.on_gpu = device == "cuda"
        torch.backends.cudnn.benchmark, torch.backends.cudnn.allow_tf32 = True, False  # float32 is float32 on both
        with np.load(task["weights"]) as file:
            weights = list(file.values())
        self.training = gpu_torch.Training(task["net"], weights, device=device, **gpu_torch.VARIANTS[task["variant"]])
        with np.load(task["data"]) as file:
            arrays = list(file.values())
        self.batches = list(zip(arrays[::2], arrays[1::2], strict=True))
        self.placed, self.step = self.training.placed, self.training.step

    def number(self, loss):
        """The loss as Python's number."""
        return loss.item()

    def wait(self):
        """Wait for the device."""
        if self.on_gpu:
            self.torch.cuda.synchronize()

    def event(self):
        """A mark in the device's work."""
        event = self.torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def between(self, begin, end):
        """Milliseconds between two marks."""
        return begin.elapsed_time(end)


def run_of(task):
    """What runs a task's framework; minispore's writes the weights and the data that PyTorch's reads."""
    run = {"minispore": OfMinispore, "torch": OfTorch}[task["framework"]](task)
    if "data" in task and task["framework"] == "minispore":
        np.savez(task["data"], *[array for pair in run.batches for array in pair])
    return run


def measured(run, task):
    """The first losses, and the milliseconds of a step in each block by two clocks."""
    pairs = [(run.placed(x), run.placed(y)) for x, y in run.batches]
    losses = [run.number(run.step(*pairs[i % BATCHES])) for i in range(FIRST)]
    steps, found = task["steps"], {"losses": losses, "wall_ms": [], "device_ms": []}
    if not steps:
        return found
    source = pairs if task["resident"] else run.batches
    place = (lambda x: x) if task["resident"] else run.placed
    for i in range(WARM):
        run.step(*map(place, source[i % BATCHES]))
    for _ in range(task["blocks"]):
        run.wait()
        begin, start = run.event() if run.on_gpu else None, time.perf_counter()
        for i in range(steps):
            run.step(*map(place, source[i % BATCHES]))
        end = run.event() if run.on_gpu else None
        run.wait()
        found["wall_ms"].append((time.perf_counter() - start) * 1e3 / steps)
        found["device_ms"].append(run.between(begin, end) / steps if run.on_gpu else None)
    return found


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    print(json.dumps(measured(run_of(given), given)))
