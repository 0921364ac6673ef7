"""nn.Jvp and nn.Vjp; the expected values are those of MindSpore 2.0.0."""

import numpy as np
import pytest

from minispore import Tensor, nn

V = Tensor([1.0, 2.0])


class Cube(nn.Cell):
    def construct(self, x):
        return x * x * x


class Two(nn.Cell):
    def construct(self, x, y):
        return x * y, x


def values(nest):
    return [values(x) for x in nest] if isinstance(nest, tuple) else nest.asnumpy().tolist()


@pytest.mark.parametrize("kind", [nn.Jvp, nn.Vjp])
def test_one_input_gives_the_output_and_a_tensor(kind):
    assert values(kind(Cube())(V, V)) == [[1, 8], [3, 24]]
    assert values(kind(lambda x: x * x * x)(V, V)) == [[1, 8], [3, 24]]


def test_several_inputs_and_outputs():
    assert values(nn.Jvp(Two())(V, V * 2, (V, V))) == [[[2, 8], [1, 2]], [[3, 12], [1, 2]]]
    assert values(nn.Vjp(Two())(V, V * 2, (V, V))) == [[[2, 8], [1, 2]], [[3, 10], [1, 4]]]
    assert values(nn.Vjp(lambda x, y: x * y)(V, V * 2, V)) == [[2, 8], [[2, 8], [1, 4]]]


def test_a_cell_around_a_cell_has_its_parameters():
    net = nn.Dense(2, 1)
    assert nn.Vjp(net).trainable_params() == net.trainable_params()
    x = Tensor(np.ones((1, 2), np.float32))
    np.testing.assert_allclose(nn.Vjp(net)(x, Tensor([[1.0]]))[1].asnumpy(), net.weight.asnumpy())


@pytest.mark.parametrize("kind", [nn.Jvp, nn.Vjp])
def test_wrong_arguments_end_in_a_sentence(kind):
    with pytest.raises(TypeError, match="the 'fn' must be a function"):
        kind(3)
    with pytest.raises(TypeError, match="then a vector"):
        kind(Cube())(V)
    with pytest.raises(ValueError, match="must"):
        kind(Cube())(V, Tensor([1.0, 2.0, 3.0]))
