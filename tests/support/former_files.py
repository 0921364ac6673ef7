"""Pickles and checkpoints of a former state of the package, and what is done with them once they are loaded.

    PYTHONPATH=CHECKOUT python tests/support/former_files.py tests/data/serialization/former_files

writes them: a pickle for each line of :data:`THINGS`, a checkpoint in both formats, and ``answers.npz`` with what the
former package itself answers.
"""

import pickle
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

import minispore as ms
from minispore import amp, nn, ops

TYPES = (ms.float16, ms.float32, ms.float64, ms.bfloat16, ms.int8, ms.int64, ms.uint8, ms.bool_, ms.complex64)
X = np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]], np.float32)


class Thing(NamedTuple):
    """What is pickled, and what is asked of it: a function that returns an array or a list of them."""

    make: object
    use: object


def tensor(values=X, dtype=None):
    return ms.Tensor(values, dtype)


def network():
    ms.set_seed(1)
    return nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dropout(p=0.5), nn.Dense(4, 2))


def images():
    return nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.LayerNorm((4,)), nn.MaxPool2d(2), nn.Flatten())


def parameter():
    return ms.Parameter(tensor(), name="weight", requires_grad=False)


def momentum():
    return nn.Momentum(network().trainable_params(), nn.ExponentialDecayLR(0.1, 0.9, 4), 0.9, weight_decay=0.01)


def moved(optimizer):
    """The weights after one step along gradients of ones."""
    optimizer(tuple(ops.ones_like(p) for p in optimizer.parameters))
    return list(optimizer.parameters)


def scale_after_an_overflow(cell):
    """The scale that a rule goes on with."""
    scale = ms.Parameter(tensor(cell.get_loss_scale(), ms.float32), name="scale")
    cell(scale, tensor(True))
    return [scale]


def accuracy(metric):
    metric.clear()
    metric.update(tensor([[0.1, 0.9], [0.8, 0.2]]), tensor([1, 1], ms.int32))
    return np.array(metric.eval())


def filled(rule):
    return ms.common.initializer.initializer(rule, (2, 2), ms.float32).init_data()


def on_x(cell, x=X):
    return cell(tensor(x))


def as_they_are(values):
    return list(values)


THINGS = {
    "tensors": Thing(lambda: [tensor(X, dtype) for dtype in TYPES] + [tensor(1.5), tensor([True])], as_they_are),
    "dtypes": Thing(lambda: list(TYPES), lambda types: [tensor(X, dtype) for dtype in types]),
    "parameter": Thing(parameter, lambda p: [p, np.array([p.name, str(p.requires_grad)])]),
    "parameters_dict": Thing(lambda: network().parameters_dict(), lambda d: [*d.values(), np.array(list(d))]),
    "parameter_tuple": Thing(lambda: ms.ParameterTuple(network().trainable_params()), as_they_are),
    "sparse": Thing(
        lambda: [
            ms.COOTensor(tensor([[0, 1], [1, 0]], ms.int32), tensor([1.0, 2.0]), (2, 2)),
            ms.CSRTensor(tensor([0, 1, 2], ms.int32), tensor([1, 0], ms.int32), tensor([1.0, 2.0]), (2, 2)),
        ],
        lambda both: [each.to_dense() for each in both],
    ),
    "primitive": Thing(lambda: ops.MatMul(transpose_b=True), lambda p: p(tensor(), tensor())),
    "network": Thing(network, lambda net: on_x(net.set_train(False))),
    "images": Thing(images, lambda net: net(tensor(np.ones((1, 1, 4, 4), np.float32)))),
    "recurrent": Thing(lambda: nn.LSTM(3, 2, batch_first=True), lambda net: on_x(net, X[None])[0]),
    "converted": Thing(lambda: amp.auto_mixed_precision(network(), "O2"), lambda net: on_x(net.set_train(False))),
    "loss": Thing(nn.MSELoss, lambda loss: loss(tensor(), tensor(X + 1))),
    "optimizer": Thing(momentum, moved),
    "schedule": Thing(lambda: nn.CosineDecayLR(0.01, 0.1, 10), lambda s: s(tensor(3, ms.int32))),
    "manager": Thing(
        lambda: amp.DynamicLossScaleManager(1024.0, 2, 100), lambda m: scale_after_an_overflow(m.get_update_cell())
    ),
    "scaler": Thing(lambda: amp.DynamicLossScaler(1024.0, 2, 100), lambda scaler: scaler.scale(tensor())),
    "update_cell": Thing(lambda: nn.DynamicLossScaleUpdateCell(1024.0, 2, 100), scale_after_an_overflow),
    "metric": Thing(nn.Accuracy, accuracy),
    "initializer": Thing(lambda: ms.common.initializer.Constant(2.0), filled),
}


def answers(name, thing):
    """What a thing answers, as arrays."""
    found = THINGS[name].use(thing)
    return [_array(each) for each in (found if isinstance(found, list) else [found])]


def _array(value):
    if isinstance(value, ms.Tensor):
        return (value.astype(ms.float32) if value.dtype == ms.bfloat16 else value).asnumpy()
    return np.asarray(value)


def trained():
    """A network with the state of its optimizer and of its loss scale, one step old."""
    ms.set_context(cpu_loss_scale=True)
    net = network()
    manager = amp.DynamicLossScaleManager(1024.0, 2, 100)
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    step = amp.build_train_network(net, optimizer, nn.MSELoss(), "O2", loss_scale_manager=manager)
    step(tensor(), tensor(X[:, :2]))
    return step


def write(folder):
    """Write the files, and what they answer here."""
    found = {}
    for name, thing in THINGS.items():
        (folder / f"{name}.pickle").write_bytes(pickle.dumps(thing.make(), protocol=4))
        kept = pickle.loads((folder / f"{name}.pickle").read_bytes())
        found |= {f"{name}.{i}": array for i, array in enumerate(answers(name, kept))}
    step = trained()
    for kind in ("ckpt", "safetensors"):
        ms.save_checkpoint(step, str(folder / f"step.{kind}"), format=kind, append_dict={"epoch": 3})
    found |= {f"step.{name}": p.asnumpy() for name, p in step.parameters_dict().items()}
    np.savez_compressed(folder / "answers.npz", **found)


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.mkdir(exist_ok=True)
    write(place)
