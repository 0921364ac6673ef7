"""Training agrees with the real MindSpore: recorded locked steps and free runs of LeNet5, MLP and ResNet20 at O0 to O3.

``record/training.py`` says what the vectors hold. A gradient may lie from MindSpore's as far as three times MindSpore's
own lies from itself when every weight moves by one ulp; or, in the rare step in which a ReLU flips, as far as three
times minispore's lies from itself. Which steps these are depends on the order of sums, so on the processor.
"""

import contextlib
import functools
import gzip
import importlib.util
import json
import pathlib
import sys

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn

HERE = pathlib.Path(__file__).parent
DATA = pathlib.Path(ms.dataset.__file__).parent / "data" / "fashion-mnist-12k"
NETS = ("MLP", "LeNet5", "ResNet20")
LEVELS = ("O0", "O1", "O2", "O3")
EVERY_RECORD = pytest.mark.parametrize(("net", "level"), [(net, level) for net in NETS for level in LEVELS])
LOSS_TOLERANCE = {"O0": 1e-5, "O1": 3e-3, "O2": 3e-3, "O3": 3e-3}


@contextlib.contextmanager
def minispore_as_mindspore():
    """While this holds, ``import mindspore`` and its submodules give minispore."""
    ours = {"mindspore" + name[len("minispore") :]: module for name, module in sys.modules.items() if is_ours(name)}
    before = {name: sys.modules.get(name) for name in ours}
    sys.modules.update(ours)
    try:
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name) if module is None else sys.modules.update({name: module})


def is_ours(name):
    return name == "minispore" or name.startswith("minispore.")


@functools.cache
def networks():
    """``training_networks.py`` with minispore as its ``mindspore``; it stays in sys.modules, to have a source."""
    spec = importlib.util.spec_from_file_location("conformance_networks", HERE / "cases" / "training_networks.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with minispore_as_mindspore():
        spec.loader.exec_module(module)
    return module


@functools.cache
def record(net):
    """A network's npz as a dictionary, its metadata parsed."""
    with np.load(HERE / "vectors" / f"training_{net.lower()}.npz") as file:
        vectors = {key: file[key] for key in file.files}
    return {**vectors, "meta": json.loads(str(vectors["meta"])), "names": [str(name) for name in vectors["names"]]}


@functools.cache
def batches(steps=20, batch=32):
    """The first images in file order, scaled to [0, 1], with their labels."""
    images = gzip.decompress((DATA / "train-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((DATA / "train-labels-idx1-ubyte.gz").read_bytes())
    pixels = np.frombuffer(images, np.uint8, offset=16)[: steps * batch * 784].reshape(steps, batch, 1, 28, 28)
    targets = np.frombuffer(labels, np.uint8, offset=8)[: steps * batch].reshape(steps, batch)
    return list(zip(pixels.astype(np.float32) / np.float32(255), targets.astype(np.int32), strict=True))


@functools.cache
def states(net):
    """The recorded (weights, moments) before each step and after the last, by replaying the recorded gradients."""
    vectors = record(net)
    rate, momentum = np.float32(vectors["meta"]["rate"]), np.float32(vectors["meta"]["momentum"])
    weights = {name: vectors[f"init/{name}"] for name in vectors["names"]}
    moments = {name: np.zeros_like(weight) for name, weight in weights.items()}
    found = [(weights, moments)]
    for step in range(vectors["meta"]["steps"]):
        moments = {name: momentum * moments[name] + vectors[f"grad/O0/{name}"][step] for name in weights}
        weights = {name: weight - rate * moments[name] for name, weight in weights.items()}
        found.append((weights, moments))
    return found


class Trainer:
    """One network at one level in minispore, with its optimizer: the counterpart of the recorder's."""

    def __init__(self, net, level):
        self.vectors, meta = record(net), record(net)["meta"]
        arguments = {"width": meta["width"]} if net == "ResNet20" else {}
        raw = getattr(networks(), net)(**arguments)
        self.params = raw.parameters_dict()
        self.weights = raw.trainable_params()
        self.set_values({name: self.vectors[f"init/{name}"] for name in self.params})
        network = amp.auto_mixed_precision(raw, level).set_train()
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        self.sens = meta["sens"]
        self.run = ms.value_and_grad(lambda x, y: loss(network(x), y) * self.sens, None, self.weights)
        self.optimizer = nn.Momentum(self.weights, meta["rate"], meta["momentum"])

    def set_values(self, values):
        for name, value in values.items():
            self.params[name].set_data(ms.Tensor(value))

    def set_state(self, weights, moments):
        self.set_values(weights)
        for slot, param in zip(self.optimizer.moments, self.weights, strict=True):
            slot.set_data(ms.Tensor(moments[param.name]))

    def set_statistics(self, level, step):
        """The moving statistics that MindSpore had before a step."""
        for name in statistics(self.vectors):
            before = self.vectors[f"stats/{level}/{name}"][step - 1] if step else self.vectors[f"init/{name}"]
            self.set_values({name: before})

    def step(self, batch):
        """The loss and the gradients by name."""
        loss, grads = self.run(*(ms.Tensor(part) for part in batch))
        names = [param.name for param in self.weights]
        return float(loss.asnumpy()) / self.sens, dict(
            zip(names, (g.asnumpy() / self.sens for g in grads), strict=True)
        )

    def apply(self, grads):
        self.optimizer(tuple(ms.Tensor(grads[param.name].astype(np.float32)) for param in self.weights))


def statistics(vectors):
    return [key[len("init/") :] for key in vectors if key.startswith("init/") and "moving_" in key]


def relative(ours, theirs):
    return np.linalg.norm(np.subtract(ours, theirs, dtype=np.float64)) / max(np.linalg.norm(theirs), 1e-30)


def gradient_distance(vectors, level, name, step, ours):
    """Relative L2 distance from MindSpore's gradient, over the elements that the record keeps."""
    if level == "O0":
        return relative(ours, vectors[f"grad/O0/{name}"][step])
    picked = ours.ravel()[vectors[f"pick/{name}"]] * vectors["meta"]["sens"]
    return relative(picked, vectors[f"grad/{level}/{name}"][step].astype(np.float32))


@functools.cache
def locked_run(net, level):
    """From every recorded state: losses, gradient distances (step, parameter), statistics, parameters in float16."""
    trainer, losses, distances, stats = Trainer(net, level), [], [], []
    vectors, halves = trainer.vectors, set(trainer.vectors["names"])
    for step, batch in enumerate(batches()):
        trainer.set_state(*states(net)[step])
        trainer.set_statistics(level, step)
        loss, grads = trainer.step(batch)
        losses.append(loss)
        distances.append([gradient_distance(vectors, level, name, step, grads[name]) for name in vectors["names"]])
        halves = {name for name in halves if holds_float16(grads[name] * np.float32(trainer.sens))}
        stats.append({name: trainer.params[name].asnumpy().copy() for name in statistics(vectors)})
    return np.array(losses), np.array(distances), stats, halves


@functools.cache
def own_spread(net, level, moves=2):
    """How far minispore's gradients lie from themselves when every weight moves by an ulp: (parameter,), the most."""
    trainer, found, draw = Trainer(net, level), [], np.random.default_rng(0)
    for step, batch in enumerate(batches()):
        weights, moments = states(net)[step]
        trainer.set_state(weights, moments)
        trainer.set_statistics(level, step)
        _, grads = trainer.step(batch)
        for _ in range(moves):
            ways = {name: np.where(draw.random(w.shape) < 0.5, -np.inf, np.inf) for name, w in weights.items()}
            moved = {name: np.nextafter(w, ways[name].astype(w.dtype)) for name, w in weights.items()}
            trainer.set_state(moved, moments)
            trainer.set_statistics(level, step)
            _, others = trainer.step(batch)
            found.append([relative(others[name], grads[name]) for name in record(net)["names"]])
    return np.max(found, axis=0)


def holds_float16(array):
    """Whether every element of a float32 array is a float16 value."""
    return np.array_equal(array, array.astype(np.float16))


def names_beyond(names, found, bound):
    return [f"{name}: {f:.1e} > {b:.1e}" for name, f, b in zip(names, found, bound, strict=True) if not f <= b]


@pytest.mark.parametrize("net", NETS)
def test_the_networks_have_mindspores_parameter_names_and_order(net):
    assert [param.name for param in Trainer(net, "O0").weights] == record(net)["names"]


@EVERY_RECORD
def test_the_loss_of_every_locked_step_is_mindspores(net, level):
    losses, _, _, _ = locked_run(net, level)
    np.testing.assert_allclose(losses, record(net)[f"loss/{level}"], rtol=LOSS_TOLERANCE[level])


@EVERY_RECORD
def test_every_gradient_is_as_near_to_mindspores_as_either_moved_by_an_ulp(net, level):
    _, distances, _, _ = locked_run(net, level)
    names, found = record(net)["names"], distances.max(axis=0)
    bound = np.maximum(1e-5, 3 * record(net)[f"spread/grad/{level}"].max(axis=(0, 1)))
    if names_beyond(names, found, bound):
        bound = np.maximum(bound, 3 * own_spread(net, level))
    assert not names_beyond(names, found, bound)


@EVERY_RECORD
def test_the_gradients_of_a_typical_step_are_as_near_as_a_typical_move_by_an_ulp(net, level):
    """The medians over the steps: they do not see the rare step in which a ReLU flips, which sets the bound above."""
    _, distances, _, _ = locked_run(net, level)
    typical = np.median(record(net)[f"spread/grad/{level}"], axis=(0, 1))
    assert not names_beyond(record(net)["names"], np.median(distances, axis=0), np.maximum(1e-5, 3 * typical))


@EVERY_RECORD
def test_the_layers_that_run_in_float16_are_mindspores(net, level):
    """A layer that runs in float16 has float16 values as gradients: every convolution and dense layer from O1 on."""
    *_, halves = locked_run(net, level)
    theirs = {name for name in record(net)["names"] if record(net)[f"grad/{level}/{name}"].dtype == np.float16}
    assert halves == theirs


@pytest.mark.parametrize("level", LEVELS)
def test_the_moving_statistics_are_mindspores_but_for_the_unbiased_variance(level):
    """MindSpore 2.0.0 on CPU takes the biased variance of the batch; minispore, like 2.7.0, the unbiased one."""
    vectors, (_, _, stats, _) = record("ResNet20"), locked_run("ResNet20", level)
    assert vectors["meta"]["moving_variance"] == "biased"
    for name in statistics(vectors):
        theirs = vectors[f"stats/{level}/{name}"]
        before = np.concatenate([vectors[f"init/{name}"][None], theirs[:-1]])
        count = 32 * (7 if "layer3" in name else 14 if "layer2" in name else 28) ** 2
        share = count / (count - 1) if "variance" in name else 1.0
        expected = 0.9 * before + (theirs - 0.9 * before) * share
        found = np.stack([after[name] for after in stats])
        np.testing.assert_allclose(
            found, expected, rtol=LOSS_TOLERANCE[level], atol=LOSS_TOLERANCE[level], err_msg=name
        )


@pytest.mark.parametrize("net", NETS)
def test_momentum_moves_each_recorded_state_to_the_next(net):
    trainer = Trainer(net, "O0")
    for step in range(record(net)["meta"]["steps"]):
        trainer.set_state(*states(net)[step])
        trainer.apply({name: record(net)[f"grad/O0/{name}"][step] for name in record(net)["names"]})
        weights, moments = states(net)[step + 1]
        for param, moment in zip(trainer.weights, trainer.optimizer.moments, strict=True):
            np.testing.assert_array_max_ulp(param.asnumpy(), weights[param.name], 1)
            np.testing.assert_array_max_ulp(moment.asnumpy(), moments[param.name], 1)


@EVERY_RECORD
def test_twenty_free_steps_stay_within_three_times_mindspores_own_spread(net, level):
    trainer, losses = Trainer(net, level), []
    for batch in batches():
        loss, grads = trainer.step(batch)
        trainer.apply(grads)
        losses.append(loss)
    theirs, moved = record(net)[f"free/{level}"], record(net)[f"free_moved/{level}"]
    spread = np.abs(moved - theirs).max()
    np.testing.assert_allclose(losses, theirs, rtol=LOSS_TOLERANCE["O0"], atol=3 * spread)
