"""A function with a rule of its own has the rule's gradients; the values are MindSpore 2.0.0's in graph mode."""

import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn
from minispore.nn.custom_vjp import custom_vjp

X, Y = Tensor(3.0), Tensor(4.0)
MODES = pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])


def product(x, y):
    return x * y


def ruled(x, y, out, dout):
    return x * dout * 10, y * dout + out


def with_rule(function=product, rule=ruled):
    found = custom_vjp(function)
    assert found.defbwd(rule) is None
    return found


@MODES
def test_the_output_is_the_functions_and_the_gradients_are_the_rules(mode, restored):
    ms.set_context(mode=mode)
    function = with_rule()
    for _ in range(2):
        assert float(function(X, Y)) == 12
        out, gradients = ms.value_and_grad(function, (0, 1))(X, Y)
        assert (float(out), *map(float, gradients)) == (12, 30, 16)


@MODES
def test_it_stands_in_a_cell_and_passes_gradients_to_parameters(mode, restored):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w, self.product = Parameter(Tensor(2.0), name="w"), with_rule()

        def construct(self, x):
            return self.product(x, self.w)

    ms.set_context(mode=mode)
    net = Net()
    of_x, (of_w,) = ms.grad(net, 0, net.trainable_params())(X)
    assert (float(of_x), float(of_w)) == (30, 8)


@MODES
def test_another_rule_takes_the_place_of_the_first(mode, restored):
    ms.set_context(mode=mode)

    @custom_vjp()
    def square(x):
        return x * x

    for factor in (7, 8):
        square.defbwd(lambda x, out, dout, factor=factor: (dout * factor,))
        assert float(ms.grad(square)(X)) == factor


def test_without_a_rule_it_is_called_and_not_differentiated():
    assert float(custom_vjp(product)(X, Y)) == 12
    with pytest.raises(TypeError, match=r"^For 'custom_vjp', the gradient's rule must be defined by 'defbwd'"):
        ms.grad(custom_vjp(product))(X, Y)


def test_what_cannot_be_called_is_refused():
    with pytest.raises(TypeError, match=r"^For 'custom_vjp', the 'fn' must be a function"):
        custom_vjp(3)
    with pytest.raises(TypeError, match=r"^For 'defbwd', the 'bprop' must be a function"):
        custom_vjp(product).defbwd(None)
