"""What a training step asks of a GPU: device operations, waits and the host's time, counted on CuPy without a GPU.

    python tests/cpucuda/build.py --venv .venv-cupy
    .venv-cupy/bin/python benchmarks/gpu_operations.py mlp O2 128 eager
    .venv-cupy/bin/python benchmarks/gpu_operations.py resnet20 O2 16 graph --trace resnet20.txt

Operations are kernels, products, memsets and copies, or launches of a whole graph; a wait is the host waiting for the
device. The host's time is that of steps whose kernels do nothing, without the driver's own time for a launch.
"""

import argparse
import statistics
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from cpucuda import device

import minispore as ms
from minispore import amp, nn
from minispore.tools.cli import networks

WARM, TIMED = 4, 30


class Encoder(nn.Cell):
    """A Transformer encoder block: width 128, 4 heads, 64 positions."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Dense(128, 128) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm((128,)), nn.LayerNorm((128,))
        self.fc1, self.fc2, self.gelu = nn.Dense(128, 512), nn.Dense(512, 128), nn.GELU()
        self.scores, self.matmul = ms.ops.BatchMatMul(transpose_b=True), ms.ops.BatchMatMul()
        self.softmax = ms.ops.Softmax(-1)

    def heads(self, x):
        return x.reshape(-1, 64, 4, 32).transpose(0, 2, 1, 3)

    def attend(self, x):
        query, key, value = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        weights = self.softmax(self.scores(query, key) * 32**-0.5)
        return self.out(self.matmul(weights, value).transpose(0, 2, 1, 3).reshape(-1, 64, 128))

    def construct(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.fc2(self.gelu(self.fc1(self.norm2(x))))


class MLP(nn.Cell):
    """784-512-512-10 with ReLU."""

    def __init__(self):
        super().__init__()
        self.flatten, self.relu = nn.Flatten(), nn.ReLU()
        self.fc1, self.fc2, self.fc3 = nn.Dense(784, 512), nn.Dense(512, 512), nn.Dense(512, 10)

    def construct(self, x):
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(self.flatten(x))))))


class ResNet20(networks.ResNet20):
    """ResNet-20 for three channels of 32 x 32."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3)


class OverTime(nn.Cell):
    """A recurrent layer of 64 that reads an image row by row, and a classifier of its last step."""

    def __init__(self, kind):
        super().__init__()
        self.layer, self.fc = kind(28, 64, batch_first=True), nn.Dense(64, 10)

    def construct(self, x):
        return self.fc(self.layer(x.reshape(-1, 28, 28))[0][:, -1])


class RNNNet(nn.Cell):
    """An RNNCell of 64 that reads an image row by row, and a classifier of its last state."""

    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.RNNCell(28, 64), nn.Dense(64, 10)

    def construct(self, x):
        h = ms.ops.zeros((x.shape[0], 64), x.dtype)
        for row in range(28):
            h = self.cell(x[:, 0, row], h)
        return self.fc(h)


SHAPES = {"encoder": (64, 128), "resnet20": (3, 32, 32)}
NETS = {**networks.NETWORKS, "encoder": Encoder, "mlp": MLP, "resnet20": ResNet20, "rnn_cell": RNNNet}
NETS |= {"lstm_layer": partial(OverTime, nn.LSTM), "gru_layer": partial(OverTime, nn.GRU)}


def data_of(name, batch, count=1):
    """``count`` batches of images or sequences and labels or values, as NumPy's arrays; the same in every process."""
    random, shape = np.random.default_rng(0), (batch, *SHAPES.get(name, (1, 28, 28)))
    batches = []
    for _ in range(count):
        x = random.standard_normal(shape).astype(np.float32)
        values = name == "encoder"
        y = random.standard_normal(shape).astype(np.float32) if values else random.integers(0, 10, batch)
        batches.append((x, y if values else y.astype(np.int32)))
    return batches


def training_of(name, level):
    """A network and the cell that trains it: Adam for the MLP, Momentum elsewhere, a dynamic scale above O0."""
    ms.set_seed(1)
    net = NETS[name]()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean") if name != "encoder" else nn.MSELoss()
    parameters = net.trainable_params()
    optimizer = nn.Adam(parameters, 1e-3) if name == "mlp" else nn.Momentum(parameters, 0.01, 0.9)
    manager = None if level == "O0" else amp.DynamicLossScaleManager(1024.0, 2, 1000)
    step = amp.build_train_network(net, optimizer, loss, level=level, loss_scale_manager=manager).set_train()
    return net, step


def step_of(name, level, batch):
    """A training step on one batch, a function without arguments."""
    _, step = training_of(name, level)
    x, y = (ms.Tensor(array) for array in data_of(name, batch)[0])
    return lambda: step(x, y)


def host_times(step):
    """Processor seconds of steps whose kernels do nothing."""
    times = []
    with device.dry():
        for _ in range(TIMED):
            start = time.process_time()
            step()
            times.append(time.process_time() - start)
    return times


def measured(name, level, batch, mode, trace=None):
    """What one step after a few has the device do, as a dict, and the times of dry ones."""
    device.activate()
    ms.set_context(device_target="GPU", mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    step = step_of(name, level, batch)
    for _ in range(WARM):
        step()
    with device.counted() as did:
        step()
    if trace:
        with device.traced(trace):
            step()
    return did, host_times(step)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("net", choices=sorted(NETS))
    parser.add_argument("level", choices=["O0", "O1", "O2", "O3"])
    parser.add_argument("batch", type=int)
    parser.add_argument("mode", choices=["eager", "graph"])
    parser.add_argument("--trace", help="a file for one line each of the step's operations and waits")
    options = parser.parse_args()
    did, times = measured(options.net, options.level, options.batch, options.mode, options.trace)
    print(f"{options.net} {options.level} batch {options.batch} {options.mode}: ", end="")
    print(f"{did['operations']} device operations, {did['sync']} waits")
    print("  " + ", ".join(f"{name} {count}" for name, count in did.items() if count and name != "operations"))
    print(f"  host {1e3 * min(times):.2f} ms at least, {1e3 * statistics.median(times):.2f} ms median")


if __name__ == "__main__":
    main()
