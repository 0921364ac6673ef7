"""LeNet-5 on the embedded images with convolutions in MXFP8: what the recipe does, the receipt, and a training.

python examples/low_bit/lenet5.py [RECIPE [EPOCHS [IMAGES]]]
"""

import sys

import minispore as ms
from minispore import amp, nn
from minispore.tools.cli.data import load_images
from minispore.tools.cli.networks import LeNet5

BATCH = 32


def batches(labelled, count):
    """The first images and labels, in batches."""
    x, y = labelled.images[:count], labelled.labels[:count]
    return [(ms.Tensor(x[i : i + BATCH]), ms.Tensor(y[i : i + BATCH])) for i in range(0, len(y), BATCH)]


def main(recipe="mxfp8(convolutions=yes; keep=last)", epochs="1", count="10000"):
    """Print the report and the receipt, then each epoch's loss and the accuracy."""
    ms.set_seed(1)
    network, loss, data = LeNet5(), nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), load_images()
    rows = batches(data.train, int(count))
    print(ms.insight.low_bit_report(network, loss, rows[0], recipe))
    optimizer = nn.Momentum(network.trainable_params(), 0.02, 0.9)
    step = amp.build_train_network(network, optimizer, loss, recipe=recipe)
    print(network.amp_report)
    for _ in range(int(epochs)):
        losses = [float(step(*row)) for row in rows]
        print(f"loss {sum(losses) / len(losses):.4f}")
    network.set_train(False)
    right = [(network(x).argmax(1) == y).sum().item() for x, y in batches(data.test, int(count))]
    print(f"accuracy {sum(right) / len(data.test.labels[: int(count)]):.1%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
