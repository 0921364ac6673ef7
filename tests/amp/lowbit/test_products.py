"""The products as primitives: types, shapes, derivatives, biases, empty Tensors, convolutions."""

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn
from minispore.amp.lowbit.products import DGrad, FProp, Linear, WGrad
from minispore.amp.lowbit.quantized import Operand
from minispore.amp.lowbit.scales import Unscaled

RECIPES = [amp.CurrentFP8(keep=()), amp.BlockFP8(keep=()), amp.MXFP8(keep=()), amp.MXFP4(keep=()), amp.NVFP4(keep=())]
RNG = np.random.default_rng(0)
X, W = RNG.standard_normal((5, 40)).astype(np.float32), RNG.standard_normal((7, 40)).astype(np.float32)


def by(recipe):
    return recipe.name


@pytest.mark.parametrize("kind", [ms.float16, ms.bfloat16, ms.float32])
@pytest.mark.parametrize("recipe", RECIPES, ids=by)
def test_outputs_have_the_inputs_type_and_gradients_of_weights_are_float32(recipe, kind, restored):
    x, w = ms.Tensor(X).astype(kind), ms.Tensor(W).astype(kind)
    product = FProp(recipe, Linear())
    y, (dx, dw) = ms.ops.value_and_grad(lambda x, w: product(x, w), (0, 1))(x, w)
    assert (y.dtype, dx.dtype, dw.dtype) == (kind, kind, kind)  # the last cast is that of the derivative
    assert (y.shape, dx.shape, dw.shape) == ((5, 7), (5, 40), (7, 40))
    assert WGrad(recipe, Linear())(y, x, (7, 40), x.dtype.np).dtype == ms.float32


@pytest.mark.parametrize("kind", [ms.float64, ms.int32])
def test_other_types_are_refused(kind):
    product = FProp(amp.MXFP8(), Linear())
    with pytest.raises(TypeError, match="the 'x' must be float16, bfloat16 or float32"):
        product(ms.Tensor(X).astype(kind), ms.Tensor(W).astype(kind))
    with pytest.raises(TypeError, match="the 'w' must be float16, bfloat16 or float32, and both of one type"):
        product(ms.Tensor(X), ms.Tensor(W).astype(ms.float16))


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"'x' must be \(M, K\) and 'w' \(N, K\)"):
        FProp(amp.MXFP8(), Linear())(ms.Tensor(X), ms.Tensor(W.T))


@pytest.mark.parametrize("shape", [(0, 40, 7), (5, 0, 7), (5, 40, 0)])
@pytest.mark.parametrize("recipe", [*RECIPES, amp.DelayedFP8(keep=())], ids=by)
def test_empty_operands_give_zeros(recipe, shape, restored):
    m, k, n = shape
    ups = [ms.Tensor([1.0])] * 3 if recipe.is_delayed else []
    y = FProp(recipe, Linear())(ms.ops.ones((m, k)), ms.ops.ones((n, k)), *ups)
    dx = DGrad(recipe, Linear())(ms.ops.ones((m, n)), ms.ops.ones((n, k)), (m, k), np.dtype(np.float32), *ups)
    dw = WGrad(recipe, Linear())(ms.ops.ones((m, n)), ms.ops.ones((m, k)), (n, k), np.dtype(np.float32), *ups)
    for out, expected, terms in ((y, (m, n), k), (dx, (m, k), n), (dw, (n, k), m)):
        assert out.shape == expected
        assert terms or not out.asnumpy().any()


def test_with_exact_operands_the_products_have_the_derivatives_of_matmul():
    exact = Operand("e5m2", None, Unscaled())
    product, matmul = FProp(amp.Recipe("exact", exact, exact, exact), Linear()), ms.ops.MatMul(transpose_b=True)
    rng = np.random.default_rng(1)
    numbers = np.float32([-2, -1, -0.5, 0, 1, 1.5, 2])
    x, w, dy, dx, dw = (ms.Tensor(rng.choice(numbers, s)) for s in ((3, 4), (5, 4), (3, 5), (3, 4), (5, 4)))

    def second(op):
        def first(x, w, dy):
            by_x, by_w = ms.ops.grad(lambda x, w: (op(x, w) * dy).sum(), (0, 1))(x, w)
            return (by_x * dx).sum() + (by_w * dw).sum()

        return [op(x, w), first(x, w, dy), *ms.ops.grad(first, (0, 1, 2))(x, w, dy)]

    for a, b in zip(second(product), second(matmul), strict=True):
        assert np.array_equal(a.asnumpy(), b.asnumpy())


@pytest.mark.parametrize("kind", [ms.float16, ms.bfloat16])
def test_a_bias_is_added_before_the_only_rounding(kind):
    recipe = amp.CurrentFP8(keep=())
    net = nn.Dense(40, 7, weight_init=ms.Tensor(W), bias_init=ms.Tensor(RNG.standard_normal(7).astype(np.float32)))
    x = ms.Tensor(X)
    wide = FProp(recipe, Linear(), True)(x.astype(kind), ms.Tensor(W).astype(kind))
    bias = net.bias.astype(kind).astype(ms.float32)
    low = amp.auto_mixed_precision(nn.SequentialCell(net), "O3", kind, recipe=recipe)
    assert np.array_equal(low(x).asnumpy(), (wide + bias).astype(kind).astype(ms.float32).asnumpy())


@pytest.mark.parametrize("recipe", [*RECIPES, amp.DelayedFP8(keep=())], ids=by)
def test_the_output_of_zeros_is_the_bias_and_its_gradient_that_of_the_wide_layer(recipe, restored):
    net = nn.Dense(40, 7, bias_init=ms.Tensor(np.arange(7, dtype=np.float32)))
    low = amp.auto_mixed_precision(net, recipe=recipe)
    assert np.array_equal(low(ms.ops.zeros((3, 40))).asnumpy(), np.tile(np.arange(7, dtype=np.float32), (3, 1)))
    dy = ms.Tensor(RNG.standard_normal((5, 7)).astype(np.float32))
    grad = ms.ops.GradOperation(get_by_list=True, sens_param=True)(low, ms.ParameterTuple([net.bias]))
    assert np.array_equal(grad(ms.Tensor(X), dy)[0].asnumpy(), dy.sum(0).asnumpy())


def test_leading_axes_are_samples():
    net = amp.auto_mixed_precision(nn.Dense(40, 7), recipe=amp.MXFP8(keep=()))
    x = RNG.standard_normal((2, 3, 40)).astype(np.float32)
    assert np.array_equal(net(ms.Tensor(x)).asnumpy().reshape(6, 7), net(ms.Tensor(x.reshape(6, 40))).asnumpy())


def test_the_gradient_is_not_clipped_where_the_input_was():
    recipe = amp.Recipe.parse(
        "mine(x=e4m3/tensor/unscaled/even; w=e4m3/tensor/unscaled/even; dy=e5m2/tensor/current/even)"
    )
    product = FProp(recipe, Linear())
    dx = ms.ops.grad(lambda x: product(x, ms.ops.ones((1, 1))).sum())(ms.Tensor([[1e6]]))
    assert dx.asnumpy() == [[1.0]]


@pytest.mark.parametrize("recipe", [amp.MXFP8, amp.CurrentFP8, amp.DelayedFP8], ids=lambda make: make.__name__)
@pytest.mark.parametrize("stride", [1, 2])
def test_a_convolution_is_near_the_wide_one_forward_and_backward(recipe, stride):
    rng = np.random.default_rng(3)
    x, w = rng.standard_normal((9, 6, 12, 12)).astype(np.float32), rng.standard_normal((8, 6, 3, 3)).astype(np.float32)

    def all_three(net):
        given = ms.Tensor(x)
        grad = ms.ops.GradOperation(get_all=True, get_by_list=True)(net, ms.ParameterTuple([net.weight]))
        (dx,), (dw,) = grad(given)
        return net(given).asnumpy(), dx.asnumpy(), dw.asnumpy()

    def make():
        return nn.Conv2d(6, 8, 3, stride=stride, weight_init=ms.Tensor(w))

    low = amp.auto_mixed_precision(make(), recipe=recipe(keep=(), convolutions=True))
    for a, b in zip(all_three(low), all_three(make()), strict=True):
        assert a.shape == b.shape
        assert np.linalg.norm(a - b) < 0.06 * np.linalg.norm(b)


def test_conv1d_takes_a_recipe():
    net = nn.Conv1d(4, 4, 3)
    x = ms.Tensor(RNG.standard_normal((2, 4, 9)).astype(np.float32))
    wide = net(x).asnumpy()
    low = amp.auto_mixed_precision(net, recipe=amp.MXFP8(keep=(), convolutions=True))(x).asnumpy()
    assert low.shape == wide.shape and 0 < np.abs(low - wide).max() < 0.2


@pytest.mark.parametrize("recipe", [*RECIPES, amp.DelayedFP8(keep=())], ids=by)
def test_each_device_computes_the_same_codes_and_near_products(device, recipe, restored):
    ms.set_seed(1)
    net = amp.auto_mixed_precision(nn.Dense(40, 7, weight_init=ms.Tensor(W)), recipe=recipe).set_train()
    grad = ms.ops.GradOperation(get_all=True, get_by_list=True)(net, ms.ParameterTuple([net.weight]))
    (dx,), (dw,) = grad(ms.Tensor(X))
    y = net(ms.Tensor(X)).asnumpy()
    assert y.shape == (5, 7) and np.isfinite(y).all()
    assert dx.asnumpy().shape == X.shape and dw.asnumpy().shape == W.shape
    assert np.linalg.norm(y - X @ W.T - net.bias.asnumpy()) < 0.3 * np.linalg.norm(X @ W.T)


@pytest.mark.parametrize("level", ["O0", "O2"])
@pytest.mark.parametrize("recipe", [amp.MXFP8, amp.DelayedFP8], ids=lambda make: make.__name__)
def test_a_convolution_with_a_bias_adds_it_once(recipe, level):
    rng = np.random.default_rng(5)
    net = nn.Conv2d(3, 4, 3, has_bias=True, bias_init=ms.Tensor(rng.standard_normal(4).astype(np.float32)))
    x = ms.Tensor(rng.standard_normal((2, 3, 6, 6)).astype(np.float32))
    wide, bias = net(x).asnumpy(), net.bias
    low = amp.auto_mixed_precision(net, level, recipe=recipe(keep=(), convolutions=True))
    assert np.abs(low(x).asnumpy() - wide).max() < 0.3
    grad = ms.ops.GradOperation(get_by_list=True)(low, ms.ParameterTuple([bias]))(x)[0]
    assert np.array_equal(grad.asnumpy(), np.full(4, 72, np.float32))
