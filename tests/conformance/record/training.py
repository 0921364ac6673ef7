"""Record training steps of the real MindSpore.

``python -m conformance.record.training --data-dir DIR [--out DIR] [--nets ...]``.

Runs with MindSpore 2.0.0's Python and writes ``training_<net>.npz``. Each of the 20 steps is locked: it starts from a
state that a reader rebuilds in float32 NumPy by replaying ``m = 0.9 * m + g; p -= 0.01 * m`` on the recorded O0
gradients. Those are stored with 17 bits of mantissa, and the stored ones are what MindSpore's own Momentum applied, so
the states are exact (the recorder checks it). O1, O2 and O3 start each step from the same states; of their gradients,
scaled by ``sens``, a fixed sample of elements is kept: float16 where they are float16 values, which is lossless.
``spread`` is MindSpore against itself with every weight moved by one ulp.
"""
# ruff: noqa: B905 - the Python 3.9 of MindSpore 2.0.0 has no strict zip

import argparse
import gzip
import json
import os
import pathlib
import tempfile

import mindspore as ms
import numpy as np
from conformance.cases import training_networks
from mindspore import amp, nn

STEPS, BATCH, RATE, MOMENTUM, SENS, DRAWS, SAMPLE, BITS = 20, 32, 0.01, 0.9, 1024.0, 4, 240, 17
LEVELS = ("O0", "O1", "O2", "O3")
NETS = {"LeNet5": training_networks.LeNet5, "MLP": training_networks.MLP, "ResNet20": training_networks.ResNet20}


def read_batches(folder):
    """The first images in file order as 20 batches of float32 in [0, 1], (32, 1, 28, 28), with int32 labels."""
    images = gzip.decompress((folder / "train-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((folder / "train-labels-idx1-ubyte.gz").read_bytes())
    count = STEPS * BATCH
    pixels = np.frombuffer(images, np.uint8, offset=16)[: count * 784].reshape(STEPS, BATCH, 1, 28, 28)
    targets = np.frombuffer(labels, np.uint8, offset=8)[:count].reshape(STEPS, BATCH)
    return list(zip(pixels.astype(np.float32) / np.float32(255), targets.astype(np.int32)))


def initial_values(network, rng):
    """U(±1/sqrt(fan_in)) for weights and biases; gamma and beta a little off 1 and 0, so that they matter."""
    values, bound = {}, 1.0
    for param in network.get_parameters():
        kind = param.name.rsplit(".", 1)[-1]
        if kind in ("moving_mean", "moving_variance"):
            values[param.name] = param.asnumpy().copy()
            continue
        if kind == "weight":
            bound = 1 / np.sqrt(np.prod(param.shape[1:]))
        spread, centre = (0.2, float(kind == "gamma")) if kind in ("gamma", "beta") else (bound, 0.0)
        values[param.name] = (centre + rng.uniform(-spread, spread, param.shape)).astype(np.float32)
    return values


def round_mantissa(array):
    """Float32 values to the nearest with ``BITS`` bits of mantissa, so that they compress."""
    drop = 23 - BITS
    words = np.ascontiguousarray(array, np.float32).view(np.uint32)
    return ((words + np.uint32(1 << (drop - 1))) >> drop << drop).view(np.float32).reshape(array.shape)


def move(values, rng):
    """Every weight moved by one float32 ulp, up or down at random; the moving statistics stay."""
    towards = {n: np.where(rng.random(v.shape) < 0.5, -np.inf, np.inf).astype(np.float32) for n, v in values.items()}
    return {n: v if "moving_" in n else np.nextafter(v, towards[n]) for n, v in values.items()}


def replay(weight, moment, grad):
    """One step of Momentum in float32 NumPy: the new weight and the new moment."""
    moment = np.float32(MOMENTUM) * moment + grad
    return weight - np.float32(RATE) * moment, moment


def relative(a, b):
    """The relative L2 difference of ``a`` from ``b``."""
    return np.linalg.norm(np.subtract(a, b, dtype=np.float64)) / max(np.linalg.norm(b), 1e-30)


class Trainer:
    """One network at one level: its state can be set, and a step reports loss, gradients and moving statistics."""

    def __init__(self, make, level):
        raw = make()
        self.params = {p.name: p for p in raw.get_parameters()}
        self.weights = [p for p in raw.get_parameters() if p.requires_grad]
        self.network = raw if level == "O0" else amp.auto_mixed_precision(raw, level)
        self.network.set_train(True)
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        scaled = lambda x, y: loss(self.network(x), y) * SENS  # noqa: E731 - 2.0.0 cannot read a nested def here
        self.run = ms.value_and_grad(scaled, None, ms.ParameterTuple(self.weights))
        self.momentum = nn.Momentum(self.weights, RATE, MOMENTUM)

    def set_state(self, values, moments=None):
        """Put weights and statistics, and the moments (zeros when they are left out)."""
        for name, value in values.items():
            self.params[name].set_data(ms.Tensor(value))
        for i, slot in enumerate(self.momentum.moments):
            slot.set_data(ms.Tensor(np.zeros(slot.shape, np.float32) if moments is None else moments[i]))

    def state(self):
        """Weights and statistics by name, and the list of moments."""
        weights = {n: p.asnumpy().copy() for n, p in self.params.items()}
        return weights, [m.asnumpy().copy() for m in self.momentum.moments]

    def step(self, batch):
        """(loss, gradients, moving statistics afterwards) of a batch; the weights do not move."""
        loss, grads = self.run(*(ms.Tensor(part) for part in batch))
        grads = [g.asnumpy() / np.float32(SENS) for g in grads]
        if not all(np.isfinite(g).all() for g in grads):
            raise ValueError("a gradient overflowed: lower SENS")
        stats = {n: p.asnumpy().copy() for n, p in self.params.items() if "moving_" in n}
        return float(loss.asnumpy()) / SENS, grads, stats

    def apply(self, grads):
        """MindSpore's own Momentum."""
        self.momentum(tuple(ms.Tensor(g) for g in grads))


def record_trajectory(trainer, values, batches):
    """The (weights, moments) before each step of the O0 run."""
    trainer.set_state(values)
    states = []
    for batch in batches:
        states.append(trainer.state())
        trainer.apply([round_mantissa(g) for g in trainer.step(batch)[1]])
    return states


def check_replay(out, names, states):
    """Fails unless replaying the stored gradients gives MindSpore's own weights and moments, bit for bit."""
    for i, name in enumerate(names):
        weight, moment = out[f"init/{name}"], np.float32(0)
        for k, (weights, moments) in enumerate(states):
            np.testing.assert_array_equal(weights[name], weight)
            np.testing.assert_array_equal(moments[i], np.broadcast_to(moment, weight.shape))
            weight, moment = replay(weight, moment, out[f"grad/O0/{name}"][k])


def locked_steps(trainer, states, batches, change=lambda values: values):
    """One step from each recorded state, with its weights changed."""
    steps = []
    for (weights, moments), batch in zip(states, batches):
        trainer.set_state(change(weights), moments)
        steps.append(trainer.step(batch))
    return steps


def free_losses(trainer, values, batches):
    """The losses of 20 steps in a row."""
    trainer.set_state(values)
    losses = []
    for batch in batches:
        loss, grads, _ = trainer.step(batch)
        trainer.apply(grads)
        losses.append(loss)
    return losses


def check_float16(out, level, names):
    """Fails unless all convolution and dense weights have float16 values as gradients, as in a converted layer."""
    for name in names:
        if out[f"init/{name}"].ndim > 1 and out[f"grad/{level}/{name}"].dtype != np.float16:
            raise ValueError(f"{name} was not converted to float16")


def record_gradients(out, level, names, steps):
    """The gradients of a level: whole at O0; the picked elements, scaled by SENS and lossless, elsewhere."""
    for i, name in enumerate(names):
        rows = np.stack([grads[i] for _, grads, _ in steps])
        if level == "O0":
            out[f"grad/O0/{name}"] = round_mantissa(rows)
            continue
        picked = rows.reshape(len(rows), -1)[:, out[f"pick/{name}"]] * np.float32(SENS)
        half = picked.astype(np.float16)
        out[f"grad/{level}/{name}"] = half if np.array_equal(half, picked) else picked


def record_spread(out, level, trainer, values, batches, states, steps):
    """MindSpore against itself with moved weights: losses (draw, step) and gradients (draw, step, parameter)."""
    rng = np.random.default_rng(7)
    losses, grads = [], []
    for _ in range(DRAWS):
        moved = locked_steps(trainer, states, batches, lambda v: move(v, rng))
        losses.append([abs(b[0] / a[0] - 1) for a, b in zip(steps, moved)])
        grads.append([[relative(h, g) for g, h in zip(a[1], b[1])] for a, b in zip(steps, moved)])
    out[f"spread/loss/{level}"] = np.array(losses)
    out[f"spread/grad/{level}"] = np.array(grads, np.float32)
    out[f"free/{level}"] = np.array(free_losses(trainer, values, batches))
    out[f"free_moved/{level}"] = np.array([free_losses(trainer, move(values, rng), batches) for _ in range(DRAWS)])


def batchnorm_variance():
    """Which variance of the batch this MindSpore's moving_variance takes: "biased" or "unbiased"."""
    layer, x = nn.BatchNorm2d(1, momentum=0.0), np.arange(4, dtype=np.float32).reshape(4, 1, 1, 1)
    layer.set_train(True)
    layer(ms.Tensor(x))
    return "biased" if abs(layer.moving_variance.asnumpy()[0] - x.var()) < 0.1 else "unbiased"


def record(make, batches):
    """The whole record of one network, as the dictionary that becomes its npz."""
    trainer = Trainer(make, "O0")
    names = [p.name for p in trainer.weights]
    values = initial_values(trainer.network, np.random.default_rng(2023))
    out = {f"init/{name}": value for name, value in values.items()}
    rng = np.random.default_rng(11)
    out.update({f"pick/{p.name}": np.sort(rng.permutation(p.size)[:SAMPLE]).astype(np.int32) for p in trainer.weights})
    states = record_trajectory(trainer, values, batches)
    for level in LEVELS:
        trainer = Trainer(make, level)
        steps = locked_steps(trainer, states, batches)
        out[f"loss/{level}"] = np.array([loss for loss, _, _ in steps])
        out.update({f"stats/{level}/{n}": np.stack([s[n] for _, _, s in steps]) for n in steps[0][2]})
        record_gradients(out, level, names, steps)
        check_replay(out, names, states) if level == "O0" else check_float16(out, level, names)
        record_spread(out, level, trainer, values, batches, states, steps)
    out["names"] = np.array(names)
    return out


def metadata(name, width):
    """What a reader needs to know of a record, as JSON."""
    known = {"network": name, "width": width, "mindspore": ms.__version__, "moving_variance": batchnorm_variance()}
    known.update(steps=STEPS, batch=BATCH, rate=RATE, momentum=MOMENTUM, sens=SENS, draws=DRAWS, mantissa_bits=BITS)
    return np.array(json.dumps(known))


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "vectors")
    parser.add_argument("--nets", nargs="*", default=list(NETS))
    parser.add_argument("--width", type=int, default=8, help="width of ResNet20")
    args = parser.parse_args()
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    batches, out = read_batches(args.data_dir), args.out.resolve()
    out.mkdir(exist_ok=True)
    os.chdir(tempfile.mkdtemp())  # MindSpore's rewrite leaves its generated files in the working directory
    for name in args.nets:
        make = (lambda: training_networks.ResNet20(width=args.width)) if name == "ResNet20" else NETS[name]
        path = out / f"training_{name.lower()}.npz"
        np.savez_compressed(path, meta=metadata(name, args.width), **record(make, batches))
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB", flush=True)


if __name__ == "__main__":
    main()
