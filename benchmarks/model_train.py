"""What ``Model.train`` costs beside a hand-written loop over the same training step and data: a ratio of medians.

``python benchmarks/model_train.py [--rounds 15]``: epochs of both, one after the other, on LeNet-5's size of batch. The
ratio must be at most 1.02, with and without LossMonitor's read of the loss, which the loop then does, too.
"""

import argparse
import contextlib
import io
import statistics
import time

import minispore as ms  # before NumPy, whose BLAS it sets up

import numpy as np  # isort: skip
from minispore import dataset, nn, train


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Conv2d(1, 6, 5, pad_mode="valid"),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Conv2d(6, 16, 5, pad_mode="valid"),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Flatten(),
            nn.Dense(400, 120),
            nn.ReLU(),
            nn.Dense(120, 84),
            nn.ReLU(),
            nn.Dense(84, 10),
        )

    def construct(self, x):
        return self.layers(x)


def parts():
    """A network, its loss and its optimizer."""
    ms.set_seed(1)
    net = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return net, loss, nn.Momentum(net.trainable_params(), 0.01, 0.9)


def data(samples=640):
    """Batches of 32 images."""
    draw = np.random.RandomState(0)
    images, labels = draw.rand(samples, 1, 32, 32).astype(np.float32), draw.randint(0, 10, samples).astype(np.int32)
    return dataset.NumpySlicesDataset({"data": images, "label": labels}, shuffle=False).batch(32)


def loop(rows, prints):
    """A function that trains one epoch by hand."""
    net, loss_fn, optimizer = parts()
    step = ms.amp.build_train_network(net, optimizer, loss_fn)

    def epoch():
        for number, row in enumerate(rows.create_tuple_iterator(num_epochs=1)):
            loss = step(*row)
            if prints:
                print(f"step: {number + 1}, loss is {float(loss.asnumpy())}", flush=True)

    return epoch


def model(rows, prints):
    """A function that trains one epoch by Model."""
    trained = train.Model(*parts())
    callbacks = [train.LossMonitor()] if prints else []
    return lambda: trained.train(1, rows, callbacks)


def seconds(function):
    """How long a call takes."""
    with contextlib.redirect_stdout(io.StringIO()):
        begin = time.perf_counter()
        function()
        return time.perf_counter() - begin


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    rows = data()
    for prints in (False, True):
        both = loop(rows, prints), model(rows, prints)
        for function in both:
            seconds(function)
        times = [[seconds(function) for function in both] for _ in range(rounds)]
        by_hand, by_model = (statistics.median(column) for column in zip(*times, strict=True))
        told = "with LossMonitor" if prints else "without callbacks"
        print(f"{told}: loop {by_hand * 1e3:.1f} ms, Model {by_model * 1e3:.1f} ms an epoch, {by_model / by_hand:.3f}")


if __name__ == "__main__":
    main()
