"""The engine of derivatives: what it returns, in which structure, of any order, at any depth, and what it leaves.

The structures of results are what MindSpore 2.0.0 was observed to give. Deliberate differences: one Parameter in a
tuple or list gives a tuple of one, and a tuple, list or dict of Tensors as an input gets a nest like itself.
"""

import gc
import itertools
import threading
import tracemalloc
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Parameter, ParameterTuple, Tensor, nn, ops
from minispore.core import nest
from minispore.core.records import Tape
from minispore.core.running import running, under
from minispore.core.tape import flatten


class Net(nn.Cell):
    """x * y * w + v with w = 2 and v = 3, beside a Parameter that it does not use."""

    def __init__(self):
        super().__init__()
        self.w, self.v = Parameter([2.0], name="w"), Parameter([3.0], name="v")
        self.unused = Parameter([4.0], name="u", requires_grad=False)

    def construct(self, x, y):
        return x * y * self.w + self.v


class Two(Net):
    def construct(self, x, y):
        return x * y * self.w, x + self.v


class Single(Net):
    def construct(self, x):
        return x * self.w


class Inputless(Net):
    def construct(self):
        return self.w * self.w


def one(value):
    return Tensor([float(value)])


X, Y, SENS = 5, 7, 10


def plain(result):
    """Numbers in the place of one-element Tensors, so that a structure reads like the observation."""
    if isinstance(result, Tensor):
        return result.asnumpy().item()
    return nest.map_leaves(plain, result) if nest.is_nest(result) else result


def weights_of(net):
    return ParameterTuple(net.trainable_params())


# GradOperation

FLAGS = {  # (get_all, get_by_list): the result with two inputs, and with one
    (False, False): (14.0, 2.0),
    (False, True): ((35.0, 1.0), (5.0, 0.0)),
    (True, False): ((14.0, 10.0), (2.0,)),
    (True, True): (((14.0, 10.0), (35.0, 1.0)), ((2.0,), (5.0, 0.0))),
}


def times_ten(structure):
    return tuple(map(times_ten, structure)) if isinstance(structure, tuple) else 10 * structure


@pytest.mark.parametrize("sens", [False, True])
@pytest.mark.parametrize("flags", FLAGS)
def test_grad_operation_nests_its_result_as_mindspore(flags, sens):
    for net, inputs, expected in zip((Net(), Single()), ((X, Y), (X,)), FLAGS[flags], strict=True):
        gradient = (
            ops.GradOperation(*flags, sens)(net, weights_of(net)) if flags[1] else ops.GradOperation(*flags, sens)(net)
        )
        found = gradient(*map(one, inputs), *([one(SENS)] if sens else []))
        assert plain(found) == (times_ten(expected) if sens else expected)


@pytest.mark.parametrize(
    "choose, expected",
    [
        (lambda net: [net.w, net.v], (35.0, 1.0)),
        (lambda net: net.w, 35.0),
        (lambda net: ParameterTuple([net.w]), (35.0,)),
        (lambda net: [net.w, net.unused], (35.0, 0.0)),
    ],
)
def test_gradients_by_list_follow_the_list(choose, expected):
    net = Net()
    assert plain(ops.GradOperation(get_by_list=True)(net, choose(net))(one(X), one(Y))) == expected


def test_without_inputs_there_are_no_gradients_of_inputs():
    net = Inputless()
    assert ops.GradOperation(get_all=True)(net)() == ()
    assert plain(ops.GradOperation(True, True)(net, weights_of(net))()) == ((), (4.0, 0.0))


def test_of_several_outputs_the_sum_is_differentiated_or_what_sens_says():
    assert plain(ops.GradOperation(True)(Two())(one(X), one(Y))) == (15.0, 10.0)
    sens = (one(1), one(10))
    assert plain(ops.GradOperation(True, False, True)(Two())(one(X), one(Y), sens)) == (24.0, 10.0)


def test_inputs_that_hold_no_tensor_take_no_place_and_nests_get_nests():
    gradient = ops.GradOperation(get_all=True)
    assert plain(gradient(lambda x, n, y: x * n * y)(one(X), 3.0, one(Y))) == (21.0, 15.0)
    assert plain(gradient(lambda pair, k: pair[0] * pair[1] * k)((one(X), one(Y)), 2.0)) == ((14.0, 10.0),)
    assert plain(gradient(lambda x, nothing: x + x)(one(X), None)) == (2.0,)
    product = lambda x, n: x * n  # noqa: E731 - four lines use it
    assert plain(ms.grad(product, (0, 1))(one(X), 3.0)) == 3.0
    assert plain(ms.grad(product, (0, 1), return_ids=True)(3.0, one(X))) == (1, 3.0)
    assert ms.grad(product, 1)(one(X), 3.0) == ops.GradOperation()(product)(3.0, one(X)) == ()
    assert ms.value_and_grad(product)(3.0, 2.0) == (6.0, ())


def test_a_constant_output_gives_zeros():
    for constant in (1.5, Tensor(1.5)):
        assert plain(ms.grad(lambda x: constant)(one(X))) == 0.0  # noqa: B023
        assert plain(ops.GradOperation()(lambda x: constant)(one(X))) == 0.0  # noqa: B023
        assert plain(ms.vjp(lambda x: constant, one(X))[1](Tensor(1.0))) == (0.0,)  # noqa: B023
    assert plain(ms.grad(lambda x: x > 0)(one(X))) == 0.0
    assert plain(ms.grad(lambda x: (x * x, 1.5))(one(X))) == 10.0


def test_by_list_without_weights_takes_the_networks_trainable_parameters():
    net = Net()
    assert plain(ops.GradOperation(get_by_list=True)(net)(one(X), one(Y))) == (35.0, 1.0)
    assert plain(ops.GradOperation(True, True)(net)(one(X), one(Y))) == ((14.0, 10.0), (35.0, 1.0))
    assert ops.GradOperation(get_by_list=True)(net, [])(one(X), one(Y)) == ()


# Dicts


class Named(nn.Cell):
    """{"product": a * b, "parts": [a]} of {"a": a, "b": b}."""

    def construct(self, inputs):
        return {"product": inputs["a"] * inputs["b"], "parts": [inputs["a"] * 10]}


NAMED, OF_NAMED = {"a": 5.0, "b": 7.0}, {"a": 17.0, "b": 5.0}


def named():
    return {name: one(value) for name, value in NAMED.items()}


def test_dicts_as_inputs_and_outputs_have_gradients():
    net = Named()
    assert plain(ops.GradOperation()(net)(named())) == OF_NAMED
    assert plain(ops.GradOperation(get_all=True)(net)(named())) == (OF_NAMED,)
    assert plain(ms.grad(net)(named())) == OF_NAMED
    value, found = ms.value_and_grad(net)(named())
    assert (plain(value), plain(found)) == ({"product": 35.0, "parts": [50.0]}, OF_NAMED)
    out, along = ms.jvp(net, (named(),), (named(),))
    assert (plain(out), plain(along)) == (plain(value), {"product": 70.0, "parts": [50.0]})


def test_the_gradients_of_a_dict_of_outputs_are_given_by_name():
    expected, sens = {"a": 7.0 + 100, "b": 5.0}, {"parts": [one(10)], "product": one(1)}
    assert plain(ops.GradOperation(sens_param=True)(Named())(named(), sens)) == expected
    pull_back = ms.vjp(Named(), named())[1]
    assert plain(pull_back(sens)) == plain(pull_back(one(1), one(10))) == (expected,)


def test_a_tuple_of_parameters_as_an_input_gets_a_tuple():
    net = Net()
    found = ms.grad(lambda weights: weights[0] * weights[1])(weights_of(net))
    assert (type(found), plain(found)) == (tuple, (3.0, 2.0))


# Keywords


def test_keyword_inputs_have_gradients_in_the_order_of_the_parameters():
    first, every = ops.GradOperation(), ops.GradOperation(get_all=True)
    for function in (Net(), lambda x, y: x * y * 2):
        assert plain(first(function)(x=one(X), y=one(Y))) == 14.0
        assert plain(first(function)(y=one(Y), x=one(X))) == 14.0
        assert plain(every(function)(one(X), y=one(Y))) == (14.0, 10.0)
        assert plain(ms.grad(function, 1)(y=one(Y), x=one(X))) == 10.0
        assert plain(ms.grad(ms.grad(function, 1), 0)(y=one(Y), x=one(X))) == 2.0
    assert plain(every(lambda x, *, scale: x * scale)(scale=one(Y), x=one(X))) == (7.0, 5.0)
    sens = ops.GradOperation(True, sens_param=True)
    assert plain(sens(Net())(one(X), y=one(Y), sens=one(SENS))) == (140.0, 100.0)


# Integers


def integers(*values):
    return Tensor(np.array(values, np.int32))


def test_an_integer_input_has_an_integer_gradient():
    square = lambda x: x * x  # noqa: E731 - each line uses it
    for kind in (np.int8, np.uint8, np.int32, np.int64):
        x = Tensor(np.array([3], kind))
        for found in (
            ms.grad(square)(x),
            ops.GradOperation()(square)(x),
            ops.GradOperation(get_all=True)(square)(x)[0],
            ms.vjp(square, x)[1](ops.ones_like(x))[0],
            ms.jvp(square, x, ops.ones_like(x))[1],
        ):
            assert (found.asnumpy().dtype, plain(found)) == (kind, 6)
    assert plain(ms.grad(ms.grad(lambda x: x * x * x))(integers(3))) == 18
    assert plain(ops.GradOperation(sens_param=True)(square)(integers(3), integers(10))) == 60
    with pytest.raises(TypeError, match="the sens must have its output's dtype, Int32, but got Float32"):
        ops.GradOperation(sens_param=True)(square)(integers(3), one(1.5))


def test_integers_beside_floats_get_truncated_gradients_and_indices_zeros():
    every = ops.GradOperation(get_all=True)
    found = every(lambda n, x: n * x)(integers(3), one(2.5))
    assert [g.dtype for g in found] == [ms.int32, ms.float32]
    assert plain(found) == (2, 3.0)
    found = every(lambda x, i: ops.gather(x, i, 0))(Tensor([1.0, 2.0]), integers(1))
    assert (found[0].asnumpy().tolist(), found[1].dtype, plain(found[1])) == ([0.0, 1.0], ms.int32, 0)
    logits, labels = Tensor(np.eye(2, dtype=np.float32)), integers(0, 1)
    for loss in (ops.cross_entropy, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")):
        found = every(loss)(logits, labels)
        np.testing.assert_array_equal(found[0].asnumpy(), ms.grad(loss)(logits, labels).asnumpy())
        assert (found[1].dtype, found[1].asnumpy().tolist()) == (ms.int32, [0, 0])


def test_a_bool_input_has_a_bool_gradient():
    every = ops.GradOperation(get_all=True)
    found = every(lambda c, x: ops.select(c, x, x * 2))(Tensor([True]), one(3))
    assert (found[0].dtype, plain(found)) == (ms.bool_, (False, 1.0))
    assert plain(ms.grad(lambda c: c.astype(ms.float32) * 2)(Tensor([True]))) is True


def test_each_output_has_its_sens_whatever_its_dtype():
    gradient = ops.GradOperation(sens_param=True)
    x = Tensor([1.0, 2.0])
    index_and_square = lambda x: (x.argmax(), x * x)  # noqa: E731 - two lines use it
    found = gradient(index_and_square)(x, (Tensor(1, ms.int64), ops.ones_like(x)))
    np.testing.assert_array_equal(found.asnumpy(), [2, 4])
    with pytest.raises(ValueError, match="must hold 2 Tensors"):
        gradient(index_and_square)(x, ops.ones_like(x))
    assert plain(gradient(lambda x: x.astype(ms.int32))(one(3), integers(2))) == 2.0
    assert plain(gradient(lambda x: x > 1)(one(3), Tensor([True]))) == 0.0


class OfIntegers(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return x * 0 + 7, y * 0 + 8


def test_a_cells_own_bprop_is_called_for_integer_inputs():
    assert plain(ops.GradOperation(get_all=True)(OfIntegers())(integers(3), one(2))) == (7, 8.0)
    assert plain(ops.GradOperation()(OfIntegers())(integers(3), integers(2))) == 7


# grad and value_and_grad

POSITIONS = [
    ((0, None), 14.0),
    ((1, None), 10.0),
    (((0,), None), 14.0),
    (((0, 1), None), (14.0, 10.0)),
    (((1, 0), None), (10.0, 14.0)),
    ((0, "all"), (14.0, (35.0, 1.0))),
    (((0, 1), "all"), ((14.0, 10.0), (35.0, 1.0))),
    ((None, "all"), (35.0, 1.0)),
    ((None, "one"), 35.0),
    ((0, "one"), (14.0, 35.0)),
    (((0, 1), "one"), ((14.0, 10.0), 35.0)),
]


@pytest.mark.parametrize("arguments, expected", POSITIONS)
def test_grad_and_value_and_grad_nest_their_results_as_mindspore(arguments, expected):
    net = Net()
    position, choice = arguments
    weights = {"all": weights_of(net), "one": net.w, None: None}[choice]
    assert plain(ms.grad(net, position, weights)(one(X), one(Y))) == expected
    value, found = ms.value_and_grad(net, position, weights)(one(X), one(Y))
    assert (plain(value), plain(found)) == (73.0, expected)


def test_with_has_aux_only_the_first_output_is_differentiated():
    assert plain(ms.grad(Two(), 0, None, True)(one(X), one(Y))) == (14.0, (8.0,))
    value, found = ms.value_and_grad(Two(), (0, 1), None, True)(one(X), one(Y))
    assert (plain(value), plain(found)) == ((70.0, 8.0), (14.0, 10.0))


@pytest.mark.parametrize("outputs", [lambda x: x, lambda x: (x,), lambda x: [x, x], lambda x: ops.stack([x, x])])
def test_has_aux_asks_for_a_tuple_of_several_outputs(outputs):
    message = "with 'has_aux' the function must return several outputs"
    for differentiate in (ms.grad, ms.value_and_grad):
        with pytest.raises(ValueError, match=message):
            differentiate(outputs, has_aux=True)(Tensor([1.0, 2.0]))
    if isinstance(outputs(one(1)), list):  # as MindSpore, which takes it here
        assert plain(ms.vjp(outputs, one(1), has_aux=True)[2]) == 1.0
    else:
        with pytest.raises(ValueError, match=message):
            ms.vjp(outputs, Tensor([1.0, 2.0]), has_aux=True)


def test_an_empty_collection_of_weights_has_an_empty_tuple_of_gradients():
    square = lambda x: x * x  # noqa: E731 - each line uses it
    for weights in ([], (), ParameterTuple([])):
        assert plain(ms.grad(square, 0, weights)(one(X))) == (10.0, ())
        assert plain(ms.value_and_grad(square, 0, weights)(one(X))) == (25.0, (10.0, ()))
        assert ms.grad(square, None, weights)(one(X)) == ()


def test_return_ids_pairs_gradients_with_positions_and_names():
    net = Net()
    assert plain(ms.grad(net, 0, return_ids=True)(one(X), one(Y))) == (0, 14.0)
    found = ms.grad(net, (0, 1), weights_of(net), return_ids=True)(one(X), one(Y))
    assert plain(found) == (((0, 14.0), (1, 10.0)), (("w", 35.0), ("v", 1.0)))


BAD_CALLS = [
    (lambda net: ms.grad(net, None), ValueError, "'grad_position' and 'weights' must be given"),
    (lambda net: ms.grad(net, -1), ValueError, "'grad_position' must be at least 0"),
    (lambda net: ms.grad(net, (0, 0)), ValueError, "each once"),
    (lambda net: ms.grad(net, [0, 1]), TypeError, "'grad_position' must be an int or a tuple"),
    (lambda net: ms.grad(net, "a"), TypeError, "'grad_position' must be an int or a tuple"),
    (lambda net: ms.grad(net, True), TypeError, "'grad_position' must be an int or a tuple"),
    (lambda net: ms.grad(net, 2)(one(1), one(1)), ValueError, "below the number of inputs, 2"),
    (lambda net: ms.grad(3), TypeError, "must be a function or a Cell"),
    (lambda net: ms.grad(net, 0, weights=[3]), TypeError, "'weights' must be Parameters"),
    (lambda net: ms.grad(net, ()), ValueError, "'grad_position' must name an input"),
    (lambda net: ms.value_and_grad(net, (), net.w), ValueError, "'grad_position' must name an input"),
    (lambda net: ms.grad(lambda x: None)(one(1)), TypeError, "must return Tensors or numbers"),
    (lambda net: ms.grad(lambda x: ())(one(1)), TypeError, "must return Tensors or numbers"),
    (lambda net: ops.GradOperation()(lambda x: "x")(one(1)), TypeError, "must return Tensors or numbers"),
    (lambda net: ms.vjp(net, one(1), 2.0), TypeError, "'inputs' must be Tensors"),
    (lambda net: ms.jvp(net, (one(1), 2.0), (one(1), one(1))), TypeError, "'inputs' must be Tensors"),
    (lambda net: ms.jvp(net, (one(1), one(1)), (one(1), 2.0)), TypeError, "'v' must be Tensors"),
    (lambda net: ops.GradOperation(1), TypeError, "'get_all' must be a bool"),
    (lambda net: ops.GradOperation()(3), TypeError, "'fn' must be a function or a Cell"),
    (lambda net: ops.GradOperation(get_by_list=True)(net.construct), ValueError, "of a function must be given"),
    (lambda net: ops.GradOperation(sens_param=True)(Two())(one(1), one(1), one(1)), ValueError, "must hold 2 Tensors"),
    (
        lambda net: ops.GradOperation(sens_param=True)(net)(one(1), one(1), ops.ones((3, 2))),
        ValueError,
        "must have its output's shape",
    ),
    (lambda net: ms.vjp(net, one(1), one(1))[1](ops.ones(3)), ValueError, "must have its output's shape"),
]


@pytest.mark.parametrize("call, kind, message", BAD_CALLS)
def test_wrong_arguments_are_refused_by_name(call, kind, message):
    with pytest.raises(kind, match=f"^For '.*{message}"):
        call(Net())


def test_keyword_arguments_reach_the_function():
    assert plain(ms.grad(lambda x, *, scale: x * scale)(one(X), scale=3.0)) == 3.0


# vjp and jvp


def test_vjp_pulls_back_as_often_as_it_is_asked():
    out, pull_back = ms.vjp(lambda x: x * x, Tensor([1.0, 2.0]))
    np.testing.assert_array_equal(out.asnumpy(), [1, 4])
    for scale in (1.0, 10.0):
        np.testing.assert_array_equal(pull_back(Tensor([scale, scale]))[0].asnumpy(), [2 * scale, 4 * scale])
    net = Net()
    _, pull_back = ms.vjp(net, one(X), one(Y), weights=weights_of(net))
    assert plain(pull_back(one(1))) == ((14.0, 10.0), (35.0, 1.0))
    _, pull_back, aux = ms.vjp(Two(), one(X), one(Y), has_aux=True)
    assert (plain(pull_back(one(1))), plain(aux)) == ((14.0, 10.0), 8.0)
    _, _, aux = ms.vjp(lambda x: (x, x + 1, x + 2), one(X), has_aux=True)
    assert plain(aux) == (6.0, 7.0)


def test_a_pull_back_gives_a_tuple_even_of_one():
    net = Single()
    assert plain(ms.vjp(lambda x: x**3, one(2))[1](one(1))) == (12.0,)
    assert plain(ms.vjp(net, one(X), weights=net.w)[1](one(1))) == ((2.0,), 5.0)
    assert plain(ms.vjp(net, one(X), weights=[net.w])[1](one(1))) == ((2.0,), (5.0,))


def test_a_pull_back_computes_with_the_values_of_the_forward_run():
    net, factor = Single(), one(3)
    for weights, expected in ((None, (6.0,)), (net.w, ((6.0,), 15.0))):
        net.w.set_data(one(2))
        factor[0] = 3
        _, pull_back = ms.vjp(lambda x: net(x) * factor, one(X), weights=weights)
        net.w.set_data(one(100))
        factor[0] = 1000
        assert plain(pull_back(one(1))) == plain(pull_back(one(1))) == expected
    assert net.w._tape is None


def test_a_pull_back_inside_a_derivative_reaches_the_parameters():
    net = Single()  # x * w: the pull-back of 1 is w, and of w itself w * w
    gradient = ms.grad(lambda x: ms.vjp(net, x)[1](one(1))[0] * ms.vjp(net, x)[1](net.w)[0], None, net.w)
    assert plain(gradient(one(X))) == 3 * 4.0


def test_jvp_pushes_a_direction_forward():
    out, along = ms.jvp(lambda x, y: (x * y, x.sin()), (one(2), one(3)), (one(1), one(10)))
    assert plain(out[0]) == 6.0
    np.testing.assert_allclose(plain(along), (23.0, np.cos(2.0)), rtol=1e-6)
    out, along, aux = ms.jvp(lambda x: (x * x, x), one(3), one(1), has_aux=True)
    assert (plain(out), plain(along), plain(aux)) == (9.0, 6.0, 3.0)


# What a derivative is


def test_derivatives_of_any_order():
    function, value = (lambda x: x.exp() * x), 0.5
    for order in range(1, 6):
        function = ms.grad(function)
        np.testing.assert_allclose(function(Tensor(value, ms.float64)).asnumpy(), np.exp(value) * (value + order))


def test_a_shared_input_accumulates():
    assert plain(ms.grad(lambda x: x * x + x + x)(one(3))) == 8.0
    same = one(3)
    assert plain(ops.GradOperation(True)(lambda x, y: x * x * y)(same, same)) == (18.0, 9.0)


def test_a_parameter_that_is_an_input_too_keeps_both_gradients_apart():
    net = Single()
    by_input, by_weight = ms.grad(net, 0, net.w)(net.w)
    assert (plain(by_input), plain(by_weight)) == (2.0, 2.0)


def test_an_input_without_a_path_gets_zeros_of_its_own_dtype():
    x = Tensor([[1.0, 2.0]], ms.float16)
    for function in (lambda x, y: y, lambda x, y: y + ops.stop_gradient(x).astype(ms.float32).sum()):
        found = ms.grad(function)(x, one(1))
        assert (found.shape, found.dtype) == ((1, 2), ms.float16)
        assert not found.asnumpy().any()


def test_a_cast_rounds_the_gradient_to_the_dtype_of_its_input():
    x, scale = Tensor([1.0, 2.0]), Tensor([1.0001, 3.0], ms.float32)
    down = ms.grad(lambda x: x.astype(ms.float16).astype(ms.float32) * scale)(x)
    assert down.dtype == ms.float32
    np.testing.assert_array_equal(down.asnumpy(), scale.asnumpy().astype(np.float16).astype(np.float32))
    assert plain(ms.grad(lambda x: x * x.astype(ms.int32).astype(ms.float32))(one(3))) == 6.0  # as MindSpore


def test_stop_gradient_stops_one_path_only():
    assert plain(ms.grad(lambda x: x * ops.stop_gradient(x))(one(3))) == 3.0
    assert plain(ms.grad(ms.grad(lambda x: x * x * ops.stop_gradient(x)))(one(3))) == 6.0


def test_assignment_to_elements_is_differentiated():
    def function(x, v):
        y = x * 2
        before = y * y
        y[1] = v
        return before.sum() + (y * y).sum()

    dx, dv = ops.GradOperation(True)(function)(Tensor([1.0, 2.0]), Tensor(3.0))
    np.testing.assert_array_equal(dx.asnumpy(), [16, 16])  # 8 x from before, and 8 x from after where x still stands
    assert plain(dv) == 6.0


@pytest.mark.parametrize("assigned, expected", [(0, [0, 4, 6, 8]), (1, [2, 4, 0, 8])])
def test_assignment_to_one_of_two_outputs_is_differentiated(assigned, expected):
    def function(x):
        both = ops.Split(0, 2)(x * x)
        both[assigned][0] = 0
        return both[0].sum() + both[1].sum()

    np.testing.assert_array_equal(ms.grad(function)(Tensor([1.0, 2.0, 3.0, 4.0])).asnumpy(), expected)


def test_assignment_to_a_parameter_or_a_constant_is_differentiated():
    net, constant = Single(), one(2)

    def function(x):
        before = x * net.w * constant
        net.w[0] = x[0]
        constant[0] = 10.0
        return before + net.w * constant

    for _ in range(2):
        net.w.set_data(one(3))
        constant[0] = 2.0
        by_input, by_weight = ms.grad(function, 0, net.w)(one(X))
        assert (plain(by_input), plain(by_weight)) == (3 * 2 + 10, 5 * 2)
        assert (net.w._tape, constant._tape) == (None, None)


def test_a_parameter_that_is_assigned_to_and_returned_keeps_its_gradient():
    net = Single()

    def function(x):
        net.w[0] = x[0] * 2
        return net.w

    assert plain(ms.grad(function)(one(X))) == 2.0
    assert plain(ms.grad(ms.grad(lambda x: function(x) * x))(one(X))) == 4.0
    assert (net.w._tape, running.followed) == (None, {})


def test_assignment_into_an_argument_leaves_the_callers_tensor_alone():
    x = Tensor([1.0, 2.0])

    def function(x):
        x[0] = 5.0
        return x * x

    np.testing.assert_array_equal(ms.grad(function)(x).asnumpy(), [0, 4])
    np.testing.assert_array_equal(x.asnumpy(), [1, 2])


def test_a_derivative_inside_a_derivative_is_not_confused_with_it():
    """The classic case: d/dx (x * d/dy (x + y)) is 1, not 2."""
    assert plain(ms.grad(lambda x: x * ms.grad(lambda y: x + y)(one(1)))(one(3))) == 1.0
    assert plain(ms.grad(lambda x: x * ms.grad(lambda y: x * y * y)(x))(one(3))) == 6 * 9.0


def test_a_gradient_as_a_penalty_trains_parameters():
    net = Single()

    def penalty(x):
        return ms.grad(net)(x) ** 2

    assert plain(ms.grad(penalty, None, net.w)(one(X))) == 4.0


# Operations that write a Parameter


def written(operation, updates, *others):
    """The Parameter [1, 2, 3] after an operation on its first element, doubled."""
    w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")
    indices = Tensor(np.zeros((1, 1) if "_nd_" in operation else (1,), np.int32))
    run = lambda u, w: getattr(ops, operation)(w, indices, u, *others) * 2  # noqa: E731 - two calls use it
    by_updates, by_w = ms.grad(lambda u: run(u, w), 0, w)(one(updates))
    assert w._tape is None
    return plain(by_updates), by_w.asnumpy().tolist()


@pytest.mark.parametrize(
    "operation, updates, others, expected",
    [
        ("scatter_update", 5, (), (2.0, [0, 2, 2])),
        ("scatter_nd_update", 5, (), (2.0, [0, 2, 2])),
        ("index_add", 5, (0,), (2.0, [2, 2, 2])),
        ("scatter_max", 5, (), (2.0, [0, 2, 2])),
        ("scatter_max", 0, (), (0.0, [2, 2, 2])),
        ("scatter_min", 5, (), (0.0, [2, 2, 2])),
        ("scatter_min", 0, (), (2.0, [0, 2, 2])),
    ],
)
def test_writing_a_parameter_passes_gradients_to_the_updates_and_to_what_stands(operation, updates, others, expected):
    assert written(operation, updates, *others) == expected


def test_of_updates_to_one_row_the_last_has_the_gradient():
    w, indices = Parameter(Tensor([[1.0], [2.0]]), name="w"), integers(1, 1)
    found = ms.grad(lambda u: ops.scatter_update(w, indices, u))(Tensor([[3.0], [4.0]]))
    assert found.asnumpy().tolist() == [[0], [1]]
    along = ms.grad(lambda y: ops.index_add(w, indices, y, 0) * Tensor([[3.0], [5.0]]))(Tensor([[3.0], [4.0]]))
    assert along.asnumpy().tolist() == [[5], [5]]


def test_what_was_computed_before_a_write_keeps_the_values_from_before():
    w = Parameter(Tensor([3.0]), name="w")

    def function(x):
        before = x * w
        return before + ops.scatter_update(w, integers(0), x * 10) * x

    assert plain(ms.grad(function)(one(X))) == 3 + 2 * 10 * X


WITHOUT_A_RULE = ["scatter_add", "scatter_sub", "scatter_mul", "scatter_div", "scatter_nd_add", "scatter_nd_sub"]


@pytest.mark.parametrize("operation", [name for name in WITHOUT_A_RULE if hasattr(ops, name)])
def test_a_gradient_asked_for_through_a_write_without_a_rule_is_an_error(operation):
    with pytest.raises(NotImplementedError, match=r"For 'Scatter.*', the rule 'bprop' is not defined\."):
        written(operation, 5)


def test_a_gradient_asked_for_through_a_shuffle_or_unique_is_an_error():
    x = Tensor([1.0, 2.0])
    for operation in (ops.RandomShuffle(), lambda x: ops.Unique()(x)[0]):
        assert operation(x).shape == (2,)
        assert ms.grad(lambda x: operation(x).sum() * 0 + x.sum(), None, [])(x) == ()  # noqa: B023
        with pytest.raises(NotImplementedError, match="the rule 'bprop' is not defined"):
            ms.grad(operation)(x)


# What hands its input on


def test_stop_gradient_and_depend_hand_on_nests_and_all_that_is_no_tensor():
    x, y = one(X), one(Y)
    for hand_on in (ops.stop_gradient, ops.StopGradient(), lambda value: ops.depend(value, x)):
        for value in (True, 3, 2.5, "name", None, (), (1, [2.0])):
            assert hand_on(value) == value
        found = hand_on((x, [y, 3], {"k": x}))
        assert plain(found) == (5.0, [7.0, 3], {"k": 5.0})
    assert plain(ms.grad(lambda x: ops.depend((x, x * 2), x)[1])(x)) == 2.0
    assert plain(ms.grad(lambda x: ops.stop_gradient((x, x * 2))[1] * x)(x)) == 10.0


# Custom rules and hooks


class Doubled(nn.Cell):
    """x * y, with a rule of its own that is wrong on purpose."""

    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return dout * 100, out * dout


def test_a_cell_with_a_bprop_is_differentiated_by_it():
    assert plain(ops.GradOperation(True)(Doubled())(one(X), one(Y))) == (100.0, 35.0)
    assert plain(ms.grad(ms.grad(Doubled(), 1), 0)(one(X), one(Y))) == 100.0


@pytest.mark.parametrize(
    "returned, kind, message",
    [
        (lambda dout: (dout,), ValueError, "must return 2 gradients, one for each input, but got 1"),
        (lambda dout: (), ValueError, "must return 2 gradients, one for each input, but got 0"),
        (lambda dout: (dout, dout, dout), ValueError, "must return 2 gradients, one for each input, but got 3"),
        (lambda dout: (ops.ones((2, 2)), dout), ValueError, r"a gradient of shape \(1,\) for input 0"),
        (lambda dout: (dout, 1.0), TypeError, "a Tensor or None for input 1, but got float"),
    ],
)
def test_a_bprop_that_does_not_fit_is_refused(returned, kind, message):
    class Bad(Doubled):
        def bprop(self, x, y, out, dout):
            return returned(dout)

    with pytest.raises(kind, match=message):
        ms.grad(Bad(), (0, 1))(one(1), one(1))


@pytest.fixture
def check_bprop():
    ms.set_context(check_bprop=True)
    yield
    ms.set_context(check_bprop=False)


class Brief(Doubled):
    """Leaves out the last gradient, and gives the first in float16."""

    def bprop(self, x, y, out, dout):
        return (dout.astype(ms.float16),)


def test_a_bprop_may_leave_out_the_last_gradients_that_nobody_asks_for():
    found = ms.grad(Brief())(one(1), one(1))
    assert (plain(found), found.dtype) == (1.0, ms.float32)


def test_with_check_bprop_number_and_dtype_are_checked_too(check_bprop):
    with pytest.raises(ValueError, match="'Brief', the 'bprop' must return 2 gradients"):
        ms.grad(Brief())(one(1), one(1))
    with pytest.raises(TypeError, match="a gradient of dtype Float32 for input 0, but got Float16"):
        ms.grad(UsersProduct(lambda x, y, dout: (dout.astype(ms.float16), dout)))(one(2), one(5))
    assert plain(ms.grad(Doubled())(one(X), one(Y))) == 100.0


class OfNests(nn.Cell):
    """pair[0] * pair[1] * named["k"], with gradients nested as the inputs are."""

    def construct(self, pair, named, *, scale=1.0):
        return pair[0] * pair[1] * named["k"] * scale

    def bprop(self, pair, named, out, dout):
        return (dout * 2, dout * 3), {"k": dout * 4, "n": None}


def test_a_bprop_has_the_gradients_of_nests_of_tensors():
    every = ops.GradOperation(get_all=True)
    found = every(OfNests())((one(X), one(Y)), {"k": one(1), "n": 3})
    assert plain(found) == ((2.0, 3.0), {"k": 4.0, "n": None})
    assert plain(OfNests()((one(X), one(Y)), {"k": one(1)}, scale=2.0)) == 70.0

    class Uneven(OfNests):
        def bprop(self, pair, named, out, dout):
            return (dout,), {"k": dout, "n": None}

    with pytest.raises(ValueError, match="a gradient for input 0 that is nested as the input is, but got 1 gradients"):
        every(Uneven())((one(X), one(Y)), {"k": one(1), "n": 3})


def test_a_users_primitive_is_an_operation_like_any_other():
    class Cube(ops.Primitive):
        def infer(self, x):
            return x

        def compute(self, xp, x):
            return x * x * x

        def bprop(self, x, out, dout):
            return dout * x * x * 3

    assert plain(ms.grad(ms.grad(Cube()))(one(2))) == 12.0


class UsersProduct(ops.Primitive):
    """x * y as a user writes it, with the rule that it is given."""

    def __init__(self, rule):
        self.rule = rule

    def infer(self, x, y):
        return x

    def compute(self, xp, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return self.rule(x, y, dout)


def test_a_list_from_a_users_primitive_is_read_as_a_tuple():
    product = UsersProduct(lambda x, y, dout: [y * dout, None])
    assert plain(ms.grad(product, (0, 1))(one(2), one(5))) == (5.0, 0.0)


@pytest.mark.parametrize("count", [1, 3])
def test_a_users_primitive_with_another_number_of_gradients_is_refused(count):
    message = rf"For 'UsersProduct', the 'bprop' must return 2 gradients, one for each input, but got {count}\."
    with pytest.raises(ValueError, match=message):
        ms.grad(UsersProduct(lambda x, y, dout: (dout,) * count), (0, 1))(one(2), one(5))


def test_a_users_primitive_with_a_gradient_of_another_shape_is_refused():
    message = r"For 'UsersProduct', the 'bprop' must return a gradient of shape \(1,\) for input 1, but got \(2, 2\)\."
    with pytest.raises(ValueError, match=message):
        ms.grad(UsersProduct(lambda x, y, dout: (dout, ops.ones((2, 2)))))(one(2), one(5))


def test_a_user_may_build_a_rule_on_that_of_the_package():
    class Tenfold(ops.Mul):
        def bprop(self, x, y, out, dout):
            return [g * 10 for g in super().bprop(x, y, out, dout)]

    assert plain(ms.grad(Tenfold(), (0, 1))(one(2), one(5))) == (50.0, 20.0)


def test_the_packages_own_primitives_record_their_rules_unwrapped():
    kinds = [kind for kind in vars(ops).values() if isinstance(kind, type) and issubclass(kind, ops.Primitive)]
    assert len(kinds) > 50
    assert all(kind._rule is kind.bprop for kind in kinds)


def test_forward_hooks_see_and_replace_inputs_and_outputs():
    net, seen = Single(), []
    net.register_forward_pre_hook(lambda cell, inputs: seen.append(plain(inputs)) or (inputs[0] + 1,))
    handle = net.register_forward_hook(lambda cell, inputs, out: seen.append(plain(out)) or out * 10)
    assert plain(net(one(1))) == 40.0
    assert seen == [(1.0,), 4.0]
    handle.remove()
    assert plain(net(one(1))) == 4.0
    assert plain(ms.grad(net)(one(1))) == 2.0


def test_a_backward_hook_sees_the_gradients_that_arrive_and_leave_and_may_replace_the_latter():
    net, seen = Single(), []
    net.register_backward_hook(lambda cell, arriving, leaving: seen.append((plain(arriving), plain(leaving))))
    assert plain(ms.grad(lambda x: net(x) * 3)(one(X))) == 6.0
    assert seen == [((3.0,), (6.0,))]
    net.register_backward_hook(lambda cell, arriving, leaving: leaving[0] * 10)
    assert plain(ms.grad(lambda x: net(x) * 3)(one(X))) == 60.0


def test_a_backward_hook_sees_keyword_inputs_and_a_cell_with_its_own_bprop():
    net, seen = Doubled(), []
    net.register_backward_hook(lambda cell, arriving, leaving: seen.append((plain(arriving), plain(leaving))))
    assert plain(ops.GradOperation(get_all=True)(net)(one(X), y=one(Y))) == (100.0, 35.0)
    assert seen == [((1.0,), (100.0, 35.0))]


def test_hook_operations_show_and_change_the_passing_gradient():
    seen = []
    watch = ops.HookBackward(lambda cell, arriving, leaving: seen.append(plain(arriving)), "here")
    assert plain(ms.grad(lambda x: watch(x * 2) * 3)(one(1))) == 6.0
    assert seen == [(3.0,)]
    clip = ops.InsertGradientOf(lambda dx: ops.minimum(dx, 1.0))
    assert plain(ms.grad(lambda x: clip(x) * 3)(one(1))) == 1.0


# Depth, memory, failure


def test_a_chain_of_a_hundred_thousand_operations_is_differentiated():
    def chain(x):
        y = x
        for _ in range(100_000):
            y = y + x
        return y

    assert plain(ms.grad(chain)(one(1))) == 100_001.0


def test_a_derivative_keeps_nothing_of_its_intermediates():
    held = []

    def function(x):
        y = x * x
        held.append(weakref.ref(y))
        return (y * y).sum()

    gc.disable()  # freed by reference counts alone, so memory does not wait for the collector
    try:
        result = ms.grad(function)(Tensor([1.0, 2.0]))
        assert held[0]() is None
    finally:
        gc.enable()
    assert result.shape == (2,)


def test_memory_is_freed_while_the_sweep_goes_on():
    size = 1 << 20

    def chain(x):
        for _ in range(20):
            x = x.sin()
        return x.sum()

    x = Tensor(np.ones(size // 4, np.float32))
    tracemalloc.start()
    try:
        ms.grad(chain)(x)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 26 * size, "20 intermediates, and a handful of gradients at a time"
    assert after < 2 * size


def test_a_thousand_steps_do_not_grow():
    net = nn.Dense(4, 4)
    weights = weights_of(net)
    step = ms.value_and_grad(lambda x: net(x).tanh().sum(), None, weights)
    x = Tensor(np.ones((2, 4), np.float32))

    def run(times):
        for _ in range(times):
            _, gradients = step(x)
            for w, g in zip(weights, gradients, strict=True):
                ops.assign_sub(w, g * 0.01)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        held = [run(100), *(run(300) for _ in range(3))]
        growth = min(after - before for before, after in itertools.pairwise(held))
        assert growth < 300 * 16, "less than the smallest object for each step"
    finally:
        tracemalloc.stop()


def test_a_failure_inside_the_function_leaves_no_tape_behind():
    net = Single()

    def function(x):
        net(x)
        raise KeyError("mine")

    for _ in range(2):
        with pytest.raises(KeyError, match="mine"):
            ms.grad(function, 0, net.w)(one(1))
        assert (running.tape, net.w._tape) == (None, None)
    assert plain(ms.grad(net, 0, net.w)(one(X))) == (2.0, 5.0)


def test_infinities_inside_a_derivative_raise_no_warning():
    big = Tensor(np.full(3, 6e4, np.float16))
    found = ms.grad(lambda x: x * x - x * x)(big)
    assert found.shape == (3,)


# Random graphs against a naive oracle

UNARY = {
    "sin": (np.sin, np.cos),
    "tanh": (np.tanh, lambda a: 1 - np.tanh(a) ** 2),
    "square": (np.square, lambda a: 2 * a),
    "neg": (np.negative, lambda a: -np.ones_like(a)),
}
BINARY = {
    "add": (np.add, lambda a, b: (1, 1)),
    "sub": (np.subtract, lambda a, b: (1, -1)),
    "mul": (np.multiply, lambda a, b: (b, a)),
}
STEPS = st.lists(
    st.tuples(st.sampled_from([*UNARY, *BINARY]), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=12
)


def dual_numbers(steps, values, direction):
    """The derivative along a direction, by pairs of a value and its derivative."""
    pairs = list(zip(values, direction, strict=True))
    for name, i, j in steps:
        (a, da), (b, db) = pairs[i % len(pairs)], pairs[j % len(pairs)]
        if name in UNARY:
            function, slope = UNARY[name]
            pairs.append((function(a), slope(a) * da))
        else:
            function, local_grads = BINARY[name]
            by_a, by_b = local_grads(a, b)
            pairs.append((function(a, b), by_a * da + by_b * db))
    return pairs[-1]


def in_the_library(steps):
    def function(*tensors):
        tensors = list(tensors)
        for name, i, j in steps:
            a, b = tensors[i % len(tensors)], tensors[j % len(tensors)]
            tensors.append(getattr(ops, name)(a) if name in UNARY else getattr(ops, name)(a, b))
        return tensors[-1]

    return function


@given(steps=STEPS, seed=st.integers(0, 2**32 - 1))
def test_random_graphs_have_the_derivatives_of_dual_numbers(steps, seed):
    values, direction = np.random.default_rng(seed).uniform(-1, 1, (2, 3, 2))
    inputs = [Tensor(v) for v in values]
    expected_value, expected = dual_numbers(steps, values, direction)
    function = in_the_library(steps)
    value, found = ms.value_and_grad(function, (0, 1, 2))(*inputs)
    np.testing.assert_allclose(value.asnumpy(), expected_value, rtol=1e-12)
    along = sum((g.asnumpy() * d).sum() for g, d in zip(found, direction, strict=True))
    np.testing.assert_allclose(along, expected.sum(), rtol=1e-9, atol=1e-9)
    _, pushed = ms.jvp(function, inputs, [Tensor(d) for d in direction])
    np.testing.assert_allclose(flatten(pushed)[0].asnumpy(), expected, rtol=1e-9, atol=1e-9)


def test_jvp_runs_the_function_once():
    calls = []

    def cube(x):
        calls.append(1)
        return x * x * x

    out, along = ms.jvp(cube, Tensor(2.0), Tensor(10.0))
    assert (float(out), float(along), calls) == (8.0, 120.0, [1])
    assert float(ms.grad(lambda x: ms.jvp(cube, x, Tensor(1.0))[1])(Tensor(2.0))) == 12.0


def test_a_sum_of_gradients_that_is_handed_on_is_not_added_to():
    def function(x):
        y = x * 1
        z = y + x  # y's sum of gradients goes on to z's inputs as it is
        return z * 2 + z * 3 + z * 5 + y * 7 + x * 11 + x * 13

    assert plain(ms.grad(function)(one(1))) == 2 * 10 + 7 + 24
    kept = []

    def watched(x):
        y = ops.InsertGradientOf(lambda g: kept.append(g) or g)(x * 1)
        return y * 2 + y * 3 + y * 5, x * 7

    assert plain(ms.grad(lambda x: sum(watched(x)))(one(1))) == 17
    assert plain(kept[0]) == 10


def param(*values, name="p"):
    return Parameter(Tensor(list(values)), name=name)


def test_the_gradients_of_two_inputs_are_two_tensors_and_the_sens_is_another():
    a, b = ms.grad(lambda a, b: a + b, (0, 1))(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    a[0] = 100.0
    assert b.asnumpy().tolist() == [1, 1]
    sens = Tensor([1.0, 1.0])
    gradient = ms.vjp(lambda a: a + 1, Tensor([1.0, 2.0]))[1](sens)[0]
    gradient[0] = 9.0
    assert sens.asnumpy().tolist() == [1, 1]


def test_a_function_that_returns_a_parameter_has_its_gradient():
    p = param(2.0, 3.0)
    assert ms.grad(lambda a: p, None, weights=p)(Tensor([1.0])).asnumpy().tolist() == [1, 1]


def test_two_threads_differentiate_by_one_parameter():
    w, found, barrier = param(2.0), {}, threading.Barrier(2)

    def work(name):
        def function(x):
            barrier.wait()
            y = x * w
            barrier.wait()
            return y

        found[name] = float(ms.grad(function, None, weights=w)(Tensor([3.0])))

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"a": 3.0, "b": 3.0}


def test_assigning_into_an_output_leaves_the_pull_back_alone():
    out, pull_back = ms.vjp(lambda a: a * a, Tensor([1.0, 2.0]))
    out[0] = 0.0
    assert pull_back(Tensor([1.0, 1.0]))[0].asnumpy().tolist() == [2, 4]


def test_a_gradient_can_be_written_to():
    gradient = ms.grad(lambda a: a.sum())(Tensor([1.0, 2.0])).asnumpy()
    gradient[0] = 5
    assert gradient.tolist() == [5, 1]


def test_assigning_again_and_again_takes_time_in_proportion():
    """Counted, not timed: how many records an assignment looks at does not grow with the tape."""
    looked = []

    class Counting(Tape):
        def __getitem__(self, index):
            looked[-1] += 1
            return super().__getitem__(index)

    def function(a):
        y = a * 1
        for i in range(60):
            looked.append(0)
            y[i % 3] = a[0] * i
        return y

    with under(tape=Counting()):
        x = Tensor([1.0, 2.0, 3.0])
        x._tape = running.tape
        function(x)
    assert max(looked[5:]) <= 8
    gradient = ms.grad(function)(Tensor([1.0, 2.0, 3.0]))
    assert gradient.asnumpy().tolist() == [57 + 58 + 59, 0, 0]
