"""Accuracy: the share of images that a network classifies correctly."""

from minispore.core.tensor import Tensor

__all__ = ["accuracy"]


def accuracy(network, labelled, batch_size=250):
    """The share of images whose largest output is their class: ``mean(argmax(network(images)) == labels)``.

    The network runs in evaluation mode, and is then set back to its previous mode.

    Args:
        network (Cell): From images (n, 1, 28, 28) to outputs (n, classes).
        labelled (Labelled): Images and labels.
        batch_size (int): Images at a time. Default: 250.

    Returns:
        float between 0 and 1.
    """
    images, labels = labelled
    before = network.training
    network.set_train(False)
    try:
        starts = range(0, len(images), batch_size)
        return sum(_right(network, images, labels, slice(i, i + batch_size)) for i in starts) / len(images)
    finally:
        network.set_train(before)


def _right(network, images, labels, part):
    outputs = network(Tensor(images[part])).asnumpy()
    return int((outputs.argmax(1) == labels[part]).sum())
