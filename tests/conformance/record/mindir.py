"""Record what the real MindSpore makes of our MINDIR files, and files of its own.

First ``python -m conformance.cases.mindir FOLDER`` writes ours. Then this runs with MindSpore 2.0.0's Python, in
``tests``: ``python -m conformance.record.mindir FOLDER conformance/vectors/mindir.npz``. The vectors hold, for each
file, its bytes, the inputs and MindSpore's outputs.
"""

import sys
import tempfile
from pathlib import Path

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class Constants(nn.Cell):
    """Constants of many kinds, several results and outputs inside one another."""

    def __init__(self):
        super().__init__()
        self.w, self.c = Parameter(Tensor([1.0, 2.0, 3.0], ms.float32), name="w"), Tensor([4.0, 5.0, 6.0], ms.float32)
        self.pick, self.sum, self.cut, self.join = ops.Gather(), ops.ReduceSum(), ops.StridedSlice(), ops.Concat(1)

    def construct(self, x, i):
        sums = self.sum(x, (0, 1)), self.sum(x, ()), self.sum(x, 1)
        cut = self.cut(x, (0, 1), (2, 3), (1, 1)), x[0], x[..., -1], x[:, None]
        return self.pick(x, i, 0), (x.reshape(2, -1), ops.cast(x, ms.float16)), sums, cut, x + self.c + self.w * True


class Choice(nn.Cell):
    """A path that depends on values, and a loop."""

    def construct(self, x):
        y = x * 2 if x.sum() > 0 else x - 1
        while y.sum() < 100:
            y = y * 2 + 1
        return y


class Counter(nn.Cell):
    """A Parameter that each run changes."""

    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor([1.0, 2.0], ms.float32), name="count")

    def construct(self, x):
        before = self.count * 1
        ops.assign(self.count, self.count + x)
        return before, self.count * 2


class Sequence(nn.Cell):
    """An LSTM with its states as inputs."""

    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 2)

    def construct(self, x, h, c):
        return self.lstm(x, (h, c))


class Convolutions(nn.Cell):
    """Convolution, normalisation and pooling."""

    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Conv2d(2, 4, 3, 2, "same", has_bias=True),
            nn.BatchNorm2d(4),
            nn.ReLU(),
            nn.MaxPool2d(3, 2, "pad", 1),
            nn.AvgPool2d(2, 1, "same"),
            nn.Conv2dTranspose(4, 3, 3, 2),
        )

    def construct(self, x):
        return self.layers(x)


def floats(*shape):
    return Tensor(np.random.RandomState(sum(shape)).randn(*shape).astype(np.float32))


THEIRS = {
    "dense": lambda: (nn.Dense(3, 4, activation="relu"), floats(2, 2, 3)),
    "half": lambda: (nn.Dense(3, 2).to_float(ms.float16), floats(2, 3)),
    "convolutions": lambda: (Convolutions(), floats(1, 2, 8, 8)),
    "layer_norm": lambda: (nn.LayerNorm((4,)), floats(3, 4)),
    "embedding": lambda: (nn.Embedding(5, 2), Tensor([1, 4], ms.int32)),
    "attention": lambda: (nn.MultiheadAttention(4, 2), floats(4, 3, 4), floats(4, 3, 4), floats(4, 3, 4)),
    "sequence": lambda: (Sequence(), floats(4, 2, 3), floats(1, 2, 2), floats(1, 2, 2)),
    "constants": lambda: (Constants(), floats(4, 3), Tensor([0, 2], ms.int32)),
    "choice": lambda: (Choice(), floats(3)),
    "counter": lambda: (Counter(), floats(2)),
}


def main(folder, out):
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    ms.set_seed(1)
    vectors = {}
    for path in sorted(Path(folder).glob("*.mindir")):
        with np.load(path.with_suffix(".npz")) as given:
            inputs = [Tensor(given[f"x{i}"]) for i in range(len(given.files))]
        note(vectors, f"ours/{path.stem}", path, inputs)
    with tempfile.TemporaryDirectory() as made:
        for name, make in THEIRS.items():
            network, *inputs = make()
            network.set_train(False)
            ms.export(network, *inputs, file_name=str(Path(made, name)), file_format="MINDIR")
            note(vectors, f"theirs/{name}", Path(made, f"{name}.mindir"), inputs)
    np.savez_compressed(out, **vectors)


def note(vectors, name, path, inputs):
    """Note a file, the inputs, and what MindSpore computes from both."""
    vectors[f"{name}/file"] = np.frombuffer(path.read_bytes(), np.uint8)
    outputs = leaves(nn.GraphCell(ms.load(str(path)))(*inputs))
    for kind, tensors in (("x", inputs), ("y", outputs)):
        vectors.update({f"{name}/{kind}{i}": np.array(t.asnumpy()) for i, t in enumerate(tensors)})


def leaves(out):
    return [leaf for part in out for leaf in leaves(part)] if isinstance(out, (tuple, list)) else [out]


if __name__ == "__main__":
    main(*sys.argv[1:])
