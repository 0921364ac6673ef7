"""A data set that sinks gives, from a GPU's memory, the batches of its own iterator, or says why it cannot."""

import contextlib
import logging

import numpy as np
import pytest
from cpucuda import device as cpucuda

import minispore as ms
from minispore import dataset as ds
from minispore import nn
from minispore.data.dataset.engine.resident import ResidentIterator, sunk_iterator
from minispore.dataset import transforms, vision

pytestmark = pytest.mark.usefixtures("on_cupy", "restored")


def source(**options):
    random = np.random.default_rng(0)
    images = random.integers(0, 256, (23, 4, 4, 1)).astype(np.uint8)
    return ds.NumpySlicesDataset({"image": images, "label": np.arange(23)}, **options)


def scaled(data):
    return data.map([vision.Rescale(1 / 255, 0.5), vision.HWC2CHW()], "image").map(
        transforms.TypeCast(ms.int32), "label"
    )


PIPELINES = {
    "batch": lambda: source(shuffle=False).batch(4),
    "shuffled source": lambda: source().batch(5, drop_remainder=True),
    "window": lambda: source(shuffle=False).shuffle(7).batch(4),
    "transforms": lambda: scaled(source()).shuffle(5).batch(4),
    "orders around": lambda: scaled(source().skip(2).take(18)).repeat(2).batch(4).shuffle(3).skip(1),
    "columns": lambda: source().rename(["image"], ["x"]).project(["label", "x"]).batch(4),
    "shard": lambda: source(num_shards=2, shard_id=1).batch(3),
    "part": lambda: source().split([10, 13])[1].batch(3),
    "sizes": lambda: source().batch(lambda info: info.get_batch_num() + 1),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_resident_batches_are_those_of_the_data_sets_own_iterator(name):
    ms.set_seed(3)
    data = PIPELINES[name]()
    sunk, own = sunk_iterator(data, 3), data.create_tuple_iterator(num_epochs=3)
    assert isinstance(sunk, ResidentIterator)
    for _ in range(3):
        pairs = list(zip(sunk, own, strict=True))
        assert pairs
        for got, expected in pairs:
            for x, y in zip(got, expected, strict=True):
                assert x.dtype == y.dtype and x.asnumpy().tobytes() == y.asnumpy().tobytes() and x.shape == y.shape
    with pytest.raises(RuntimeError, match="num_epochs"):
        next(sunk)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lambda: source().map(lambda x: x, "image").batch(4), "a function of the user's own"),
        (lambda: source().map(transforms.Compose([lambda x: x]), "image").batch(4), "a function of the user's own"),
        (lambda: source().map(vision.RandomHorizontalFlip(), "image").batch(4), "random numbers"),
        (lambda: source(), "not a batch"),
        (lambda: source().batch(4).map(vision.Rescale(1.0, 0.0), "image"), "not a batch"),
        (lambda: ds.GeneratorDataset([(1.0,), (2.0,)], ["x"]).batch(1), "does not hold its rows as arrays"),
        (lambda: ds.NumpySlicesDataset(["a", "b"]).batch(1), "neither numbers nor bools"),
    ],
)
def test_what_cannot_stay_on_the_gpu_is_read_by_the_host_and_told(data, reason, caplog):
    with caplog.at_level(logging.WARNING, "minispore"):
        sunk = sunk_iterator(data(), 1)
    assert not isinstance(sunk, ResidentIterator)
    assert [reason in r.getMessage() for r in caplog.records] == [True]


def trained(sinks):
    """The bits of what a training ends with, and what its last four epochs of five steps asked of the device."""
    ms.set_seed(2)
    net = nn.SequentialCell(nn.Flatten(), nn.Dense(16, 23))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = ms.Model(net, loss, nn.Adam(net.trainable_params(), 0.01))
    data = scaled(source()).batch(4, True)
    model.train(1, data, dataset_sink_mode=sinks)
    with cpucuda.counted() if cpucuda.is_built() else contextlib.nullcontext({}) as did:
        model.train(4, data, dataset_sink_mode=sinks)
    return [p.asnumpy().tobytes() for p in net.get_parameters()], did


def test_training_on_a_data_set_that_sinks_gives_the_same_numbers_and_sends_no_batch():
    ms.set_context(mode=ms.GRAPH_MODE)
    (own, _), (sunk, did) = trained(False), trained(True)
    assert own == sunk
    if did:
        sent = 2 + 4  # the rows, by column, and the order of each epoch
        assert (did["graph"], did["h2d"], did["d2h"], did["sync"]) == (20, sent, 0, 0)
