"""BiDense multiplies two inputs as its formula says, in every mode and precision."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, amp, nn, ops

rng = np.random.default_rng(0)
X, Y = rng.standard_normal((2, 5, 3)).astype(np.float32), rng.standard_normal((2, 5, 4)).astype(np.float32)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("lead", [2, 1, 0])
def test_the_output_is_the_bilinear_form_and_the_bias(mode, lead, restored):
    ms.set_context(mode=mode)
    net = nn.BiDense(3, 4, 2)
    index = (0,) * (2 - lead)
    x, y = X[index], Y[index]
    expected = np.einsum("...i,oij,...j->...o", x, net.weight.asnumpy(), y) + net.bias.asnumpy()
    np.testing.assert_allclose(net(Tensor(x), Tensor(y)).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    by_x, by_y = ms.grad(lambda a, b: net(a, b).sum(), (0, 1))(Tensor(x), Tensor(y))
    weight = net.weight.asnumpy().sum(0)
    np.testing.assert_allclose(by_x.asnumpy(), np.einsum("ij,...j->...i", weight, y), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(by_y.asnumpy(), np.einsum("ij,...i->...j", weight, x), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("level", ["O1", "O2"])
def test_mixed_precision_computes_it(level):
    net = nn.SequentialCell([Both()])
    expected = net(Tensor(X)).asnumpy()
    found = amp.auto_mixed_precision(net, level)(Tensor(X)).asnumpy()
    np.testing.assert_allclose(found.astype(np.float32), expected, atol=0.02)


class Both(nn.Cell):
    """A BiDense of one input with itself."""

    def __init__(self):
        super().__init__()
        self.bilinear = nn.BiDense(3, 3, 2)

    def construct(self, x):
        return self.bilinear(x, x)


def test_parameters_are_drawn_within_the_bound_and_printed_as_mindspore_does():
    net = nn.BiDense(4, 30, 40)
    assert [(p.name, p.shape) for p in net.get_parameters()] == [("weight", (40, 4, 30)), ("bias", (40,))]
    assert 0.45 < np.abs(net.weight.asnumpy()).max() <= 0.5
    assert str(net) == "BiDense<in1_channels=4, in2_channels=30, output_channels=40, has_bias=True>"
    assert str(nn.BiDense(1, 2, 3, has_bias=False)) == "BiDense<in1_channels=1, in2_channels=2, output_channels=3>"


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda: nn.BiDense(0, 3, 4), ValueError),
        (lambda: nn.BiDense(2, 3.0, 4), TypeError),
        (lambda: nn.BiDense(2, 3, 4, has_bias=1), TypeError),
        (lambda: nn.BiDense(2, 3, 4, weight_init=ops.ones((3, 2, 3))), ValueError),
        (lambda: nn.BiDense(3, 4, 2)(Tensor(Y), Tensor(Y)), ValueError),
        (lambda: nn.BiDense(3, 4, 2)(Tensor(X), Tensor(Y[:1])), ValueError),
        (lambda: nn.BiDense(3, 4, 2)(X, Tensor(Y)), TypeError),
    ],
)
def test_wrong_arguments_are_refused(call, kind):
    with pytest.raises(kind, match=r"^For 'BiDense', the "):
        call()
