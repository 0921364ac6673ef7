"""LessBN: the cells that it changes, and the numbers of its last layer, as MindSpore 2.0.0 has them."""

import numpy as np
import pytest

import minispore as ms
from minispore import boost, nn
from minispore.boost.less_batch_normalization import CommonHeadLastFN


class Net(nn.Cell):
    """A Dense, and two more in a cell of its own."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Dense(2, 2), nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2))
        self.norm = nn.BatchNorm1d(2)

    def construct(self, x):
        return self.norm(self.b(self.a(x)))


def kinds(net):
    return [type(cell).__name__ for _, cell in net.cells_and_names()]


def test_the_last_dense_of_each_cell_is_normalized():
    net = Net()
    weight = net.b[1].weight.asnumpy()
    made = boost.LessBN(net, fn_flag=True)
    assert kinds(made) == [
        "LessBN", "Net", "CommonHeadLastFN", "SequentialCell", "Dense", "CommonHeadLastFN", "BatchNorm1d"
    ]  # fmt: skip
    names = [p.name for p in made.trainable_params()]
    assert names[:3] == ["network.a.weight", "network.a.multiplier", "network.b.0.weight"]
    assert "network.b.1.multiplier" in names and len(set(names)) == len(names)
    np.testing.assert_array_equal(net.b[1].weight.asnumpy(), weight)
    assert made(ms.ops.ones((3, 2))).shape == (3, 2)


def test_a_container_runs_the_normalized_layer_and_trains_it():
    net = boost.LessBN(nn.SequentialCell(nn.ReLU(), nn.Dense(2, 2)), fn_flag=True)
    x = ms.Tensor([[1.0, 2.0]], ms.float32)
    np.testing.assert_allclose(net(x).asnumpy(), net(x * 10).asnumpy(), rtol=1e-6)  # it compares directions
    weights = ms.grad(net, None, net.trainable_params())(x)
    assert all(np.abs(gradient.asnumpy()).max() > 0 for gradient in weights)


def test_without_the_flag_the_numbers_stay():
    net, x = Net().set_train(False), ms.Tensor([[1.0, 2.0]], ms.float32)
    before = net(x).asnumpy()
    made = boost.LessBN(net)
    np.testing.assert_array_equal(made.set_train(False)(x).asnumpy(), before)
    assert net.a.get_flags()["less_bn"]


def test_a_dense_with_an_activation_stays():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2, activation="relu"))
    assert kinds(boost.LessBN(net, True))[2:] == ["CommonHeadLastFN", "Dense", "ReLU"]


def test_the_normalized_layer_has_mindspores_numbers_and_gradients():
    head = CommonHeadLastFN(3, 2)
    for parameter, value in [
        (head.multiplier, [2.5]),
        (head.bias, [1.0, -1.0]),
        (head.weight, [[1.0, 2.0, -1.0], [0.5, 0.1, 3.0]]),
    ]:
        parameter.set_data(ms.Tensor(value, ms.float32))
    x = ms.Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ms.float32)
    expected = [[3.0455446243286133, -0.37018343806266785], [3.4304842948913574, -0.5806994438171387]]
    np.testing.assert_allclose(head(x).asnumpy(), expected, rtol=1e-5)
    np.testing.assert_array_equal(head(ms.ops.zeros((1, 3))).asnumpy(), [[2.5, -2.5]])
    by_x, by_weights = ms.grad(lambda x: head(x)[:, 0].sum(), 0, ms.ParameterTuple(head.trainable_params()))(x)
    expected = [[0.2338048666715622, 0.4676097333431244, -0.38967475295066833],
                [0.06797368079423904, 0.17219999432563782, -0.18881578743457794]]  # fmt: skip
    np.testing.assert_allclose(by_x.asnumpy(), expected, rtol=1e-4)
    by_name = {p.name: g.asnumpy() for p, g in zip(head.trainable_params(), by_weights, strict=True)}
    expected = [[0.49200960993766785, 0.6350876688957214, 1.7621848583221436], [0, 0, 0]]
    np.testing.assert_allclose(by_name["weight"], expected, rtol=1e-4)
    np.testing.assert_allclose(by_name["multiplier"], [2.59041166305542], rtol=1e-5)
    np.testing.assert_allclose(by_name["bias"], [5, 0])


def test_what_is_refused():
    with pytest.raises(TypeError, match="the 'network' must be a Cell, but got int"):
        boost.LessBN(3)
    with pytest.raises(TypeError, match="'fn_flag' must be a bool"):
        boost.LessBN(nn.ReLU(), 3)
    with pytest.raises(ValueError, match="'out_channels' must be"):
        CommonHeadLastFN(2, 0)
