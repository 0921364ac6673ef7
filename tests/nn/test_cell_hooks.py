"""Hooks and custom ``bprop``: what they are shown, what they may change, and the errors of a wrong one."""

import numpy as np
import pytest
from support.constructs.listed_calls import Aliased

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.core import tape as autograd


class Double(nn.Cell):
    def construct(self, x):
        return x * 2


class Product(nn.Cell):
    def construct(self, x, y):
        return x * y


X, Y = [3.0], [5.0]


def tensors(*values):
    return tuple(ms.Tensor(value) for value in values)


def numbers(values):
    """Tensors of one element, nested in tuples, as numbers."""
    return tuple(map(numbers, values)) if isinstance(values, tuple) else float(values.asnumpy().item())


def test_a_forward_pre_hook_sees_the_inputs_as_a_tuple_and_the_cells_id():
    seen, cell = [], Product()
    cell.register_forward_pre_hook(lambda cell_id, inputs: seen.append((cell_id, numbers(inputs))))
    assert numbers(cell(*tensors(X, Y))) == 15
    ((cell_id, inputs),) = seen
    assert cell_id.startswith("Product(")
    assert inputs == (3, 5)


@pytest.mark.parametrize("replace", [lambda i, xs: xs[0] + 1, lambda i, xs: (xs[0] + 1,)], ids=["Tensor", "tuple"])
def test_what_a_forward_pre_hook_returns_replaces_the_inputs(replace):
    cell = Double()
    cell.register_forward_pre_hook(replace)
    assert numbers(cell(*tensors(X))) == 8


def test_a_forward_hook_sees_inputs_and_output_and_may_replace_the_output():
    seen, cell = [], Double()
    cell.register_forward_hook(lambda cell_id, inputs, out: seen.append((numbers(inputs), numbers(out))))
    cell.register_forward_hook(lambda cell_id, inputs, out: out + 100)
    cell.register_forward_hook(lambda cell_id, inputs, out: seen.append(numbers(out)))
    assert numbers(cell(*tensors(X))) == 106
    assert seen == [((3,), 6), 106]


def test_a_forward_hook_sees_the_inputs_that_a_pre_hook_put_in():
    seen, cell = [], Double()
    cell.register_forward_pre_hook(lambda cell_id, inputs: inputs[0] + 1)
    cell.register_forward_hook(lambda cell_id, inputs, out: seen.append(numbers(inputs)))
    cell(*tensors(X))
    assert seen == [(4,)]


def test_gradients_pass_through_what_forward_hooks_put_in():
    cell = Double()
    cell.register_forward_pre_hook(lambda cell_id, inputs: inputs[0] * 10)
    assert numbers(ms.grad(cell)(*tensors(X))) == 20


def test_a_backward_hook_sees_the_gradient_that_came_in_and_the_gradients_that_go_out():
    seen, cell = [], Product()
    cell.register_backward_hook(lambda cell_id, came, go: seen.append((cell_id, numbers(came), numbers(go))))
    sens = ms.Tensor([10.0])
    found = ops.GradOperation(get_all=True, sens_param=True)(cell)(*tensors(X, Y), sens)
    assert numbers(found) == (50, 30)
    ((cell_id, came, go),) = seen
    assert cell_id.startswith("Product(")
    assert (came, go) == ((10,), (50, 30))


def test_what_a_backward_hook_returns_replaces_the_gradients_of_the_inputs():
    cell = Double()
    cell.register_backward_hook(lambda cell_id, came, go: (ms.Tensor([7.0]),))
    assert numbers(ms.grad(cell)(*tensors(X))) == 7


def test_a_backward_hook_sees_nothing_where_nothing_is_differentiated():
    seen, cell = [], Double()
    cell.register_backward_hook(lambda *all_of_them: seen.append(all_of_them))
    assert numbers(cell(*tensors(X))) == 6
    assert seen == []


def test_a_list_from_a_backward_hook_is_read_as_a_tuple():
    cell = Product()
    cell.register_backward_hook(lambda cell_id, came, go: [go[0] * 10, go[1]])
    cell.register_backward_hook(lambda cell_id, came, go: (go[0] + 1, go[1]) if isinstance(go, tuple) else None)
    assert numbers(ops.GradOperation(get_all=True)(cell)(*tensors(X, Y))) == (51, 3)


@pytest.mark.parametrize("kind", [tuple, list])
@pytest.mark.parametrize("count", [1, 3])
def test_a_backward_hook_with_another_number_of_gradients_is_a_value_error(kind, count):
    cell = Product()
    cell.register_backward_hook(lambda cell_id, came, go: kind(go[:1]) * count)
    with pytest.raises(ValueError, match=rf"the hook must return 2 gradients or None, but got {count}\."):
        ms.grad(cell, (0, 1))(*tensors(X, Y))


def test_a_backward_hook_on_a_cell_without_tensor_outputs_leaves_it_running():
    class Size(nn.Cell):
        def construct(self, x):
            return x.size, [None]

    cell = Size()
    cell.register_backward_hook(lambda *_: pytest.fail("no gradient passes here"))
    assert cell(*tensors(X)) == (1, [None])
    assert numbers(ms.grad(lambda x: x * cell(x)[0])(*tensors(X))) == 1


def test_hooks_do_not_change_the_gradients_of_parameters():
    layer = nn.Dense(2, 2, weight_init="ones", bias_init="zeros")
    layer.register_backward_hook(lambda cell_id, came, go: (go[0] * 0,))
    by_x, by_weight = ms.grad(layer, 0, layer.weight)(ops.ones((1, 2), ms.float32))
    assert not by_x.asnumpy().any()
    np.testing.assert_array_equal(by_weight.asnumpy(), np.ones((2, 2)))


@pytest.mark.parametrize("kind", ["forward_pre_hook", "forward_hook", "backward_hook"])
def test_a_removed_hook_is_not_called_and_may_be_removed_again(kind):
    cell = Double()
    handle = getattr(cell, f"register_{kind}")(lambda *_: pytest.fail("a removed hook was called"))
    handle.remove()
    handle.remove()
    assert numbers(ms.grad(cell)(*tensors(X))) == 2


@pytest.mark.parametrize("kind", ["forward_pre_hook", "forward_hook", "backward_hook"])
def test_a_hook_that_is_no_function_is_a_type_error(kind):
    with pytest.raises(TypeError, match=r"For 'Double', the hook must be a function, but got int\."):
        getattr(Double(), f"register_{kind}")(3)


# bprop


class Ruled(Product):
    """A product with the rule that it is given."""

    def __init__(self, rule):
        super().__init__()
        self.rule = rule

    def bprop(self, x, y, out, dout):
        return self.rule(x, y, out, dout)


def gradients(rule):
    return ops.GradOperation(get_all=True)(Ruled(rule))(*tensors(X, Y))


def test_a_cells_own_bprop_takes_the_place_of_its_derivative():
    assert numbers(gradients(lambda x, y, out, dout: (x * 10, y * dout))) == (30, 5)


def test_bprop_gets_inputs_output_and_gradient():
    seen = []
    gradients(lambda *given: seen.append(numbers(given)) or given[:2])
    assert seen == [(3, 5, 15, 1)]


def test_a_none_from_bprop_is_a_gradient_of_zeros():
    assert numbers(gradients(lambda x, y, out, dout: (None, y))) == (0, 5)


def test_bprop_is_called_only_where_something_is_differentiated():
    assert numbers(Ruled(lambda *_: pytest.fail("bprop was called"))(*tensors(X, Y))) == 15


def test_bprop_may_be_differentiated_itself():
    cell = Ruled(lambda x, y, out, dout: (y * x * dout, x * dout))
    assert numbers(ms.grad(ms.grad(cell))(*tensors(X, Y))) == 5


def test_a_cell_that_returns_its_input_may_have_a_bprop():
    class Reversed(nn.Cell):
        def construct(self, x):
            return x

        def bprop(self, x, out, dout):
            return (-dout,)

    assert numbers(ms.grad(lambda x: Reversed()(x) * x)(*tensors(X))) == 3 - 3


@pytest.mark.parametrize("nest", [lambda a, b: [a, b], lambda a, b: ((a, b), a), lambda a, b: [(a,), b]])
def test_bprop_gets_output_and_gradient_nested_as_construct_returns(nest):
    seen = []

    class Both(nn.Cell):
        def construct(self, x):
            return nest(x * 2, x * 3)

        def bprop(self, x, out, dout):
            seen.extend([out, dout])
            return sum(autograd.flatten(dout)) * 7

    def shape(tree):
        return type(tree), list(map(shape, tree)) if isinstance(tree, (tuple, list)) else None

    (x,) = tensors(X)
    expected = nest(x, x)
    assert numbers(ms.grad(lambda x: sum(autograd.flatten(Both()(x))))(x)) == 7 * len(autograd.flatten(expected))
    assert shape(Both()(x)) == shape(seen[0]) == shape(seen[1]) == shape(expected)


@pytest.mark.parametrize("count", [1, 3])
def test_bprop_with_another_number_of_gradients_is_a_value_error(count):
    message = rf"For 'Ruled', the 'bprop' must return 2 gradients, one for each input, but got {count}\."
    with pytest.raises(ValueError, match=message):
        gradients(lambda x, y, out, dout: (x,) * count)


def test_bprop_with_a_gradient_of_another_shape_is_a_value_error():
    message = r"For 'Ruled', the 'bprop' must return a gradient of shape \(1,\) for input 0, but got \(2,\)\."
    with pytest.raises(ValueError, match=message):
        gradients(lambda x, y, out, dout: (ms.Tensor([1.0, 2.0]), y))


@pytest.mark.usefixtures("restored")
def test_what_a_conversion_registers_runs_in_graph_mode_too():
    net, x = ms.amp.auto_mixed_precision(Aliased(), "O1"), ops.ones((3, 1))
    expected = net(x)[0]
    ms.set_context(mode=ms.GRAPH_MODE)
    for _ in range(4):
        assert net(x)[0].dtype == expected.dtype == ms.float32
        np.testing.assert_array_equal(net(x)[0].asnumpy(), expected.asnumpy())


def test_a_watched_cell_may_return_no_tensor():
    class Number(nn.Cell):
        def construct(self, x):
            return 3

    cell = Number()
    cell.register_backward_hook(lambda *arguments: None)
    assert cell(Tensor(1.0)) == 3
