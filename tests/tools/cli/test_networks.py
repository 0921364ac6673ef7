"""The networks: what they take and give, what they hold, and that each level trains them."""

import numpy as np
import pytest

import minispore as ms
from minispore.amp.policy import levels
from minispore.tools.cli.job import Job
from minispore.tools.cli.networks import NETWORKS, ResNet20
from minispore.tools.cli.precision_summary import count_cells

pytestmark = pytest.mark.usefixtures("restored")


@pytest.mark.parametrize("name, size", [("lenet5", 61_706), ("mlp", 235_146), ("resnet20", 272_186), ("lstm", 24_714)])
def test_a_network_gives_ten_outputs_an_image_and_has_as_many_weights_as_its_layers_say(name, size):
    ms.set_seed(1)
    network = NETWORKS[name]()
    assert network(ms.Tensor(np.zeros((3, 1, 28, 28), np.float32))).shape == (3, 10)
    assert sum(p.size for p in network.trainable_params()) == size


def test_the_width_of_resnet20_scales_every_stage():
    assert [ResNet20(width=width).fc.in_channels for width in (4, 16)] == [16, 64]


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_takes_images_of_another_shape(name):
    network = NETWORKS[name](shape=(3, 20, 14))
    assert network(ms.Tensor(np.zeros((2, 3, 20, 14), np.float32))).shape == (2, 10)


def test_images_that_lenet5_would_shrink_to_nothing_are_refused():
    with pytest.raises(ValueError, match=r"at least 12 pixels on a side, but got \[11, 28\]"):
        NETWORKS["lenet5"](shape=(1, 11, 28))


@pytest.mark.parametrize("level", levels.all_names())
@pytest.mark.parametrize("name", NETWORKS)
def test_every_network_learns_a_batch_by_heart_at_every_level(name, level, images, narrow_resnet20):
    ms.set_context(cpu_loss_scale=True)
    step = Job(net=name, lr=0.05, loss_scale=1024.0).new_step(level)
    batch = ms.Tensor(images.train.images[:8]), ms.Tensor(images.train.labels[:8])
    losses = [float(step(*batch)[0]) for _ in range(12)]
    assert np.isfinite(losses).all()
    assert losses[-1] < 0.9 * losses[0]


@pytest.mark.parametrize("name", NETWORKS)
def test_the_same_seed_gives_the_same_parameters_at_every_level(name):
    ms.set_context(cpu_loss_scale=True)
    first, *others = (Job(net=name).new_step(level).optimizer.parameters for level in levels.names())
    for parameters in others:
        for p, q in zip(first, parameters, strict=True):
            np.testing.assert_array_equal(p.asnumpy(), q.asnumpy())


@pytest.mark.parametrize(
    "name, cells",
    [
        ("lenet5", {"Conv2d": 2, "Dense": 3}),
        ("mlp", {"Dense": 3}),
        ("resnet20", {"Conv2d": 21, "Dense": 1}),
        ("lstm", {"LSTMCell": 1, "Dense": 1}),
    ],
)
def test_o1_lowers_every_cell_of_the_white_list_and_no_other(name, cells):
    network = Job(net=name).new_step("O1").network._backbone
    assert count_cells(network)["float16"] == cells


def test_o2_keeps_the_normalisations_of_resnet20_in_float32_and_o3_does_not():
    ms.set_context(cpu_loss_scale=True)
    counts = [count_cells(Job(net="resnet20").new_step(level).network._backbone) for level in ("O2", "O3")]
    assert counts[0]["float32"] == {"BatchNorm2d": 21}
    assert counts[1]["float16"]["BatchNorm2d"] == 21 and "float32" not in counts[1]
