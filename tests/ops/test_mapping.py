"""vmap over nests of inputs, numbers and ensembles of models: what 2.0.0 answers on the same inputs."""

import numpy as np
import pytest

import minispore as ms
from minispore import Parameter, Tensor, nn, ops

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
Y = Tensor(np.arange(6, 12, dtype=np.float32).reshape(2, 3))
V2, V3, COLUMNS = Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0]), Tensor(np.ones((3, 2), np.float32))


def plain(answer):
    """Outputs as lists, numbers as they are."""
    if isinstance(answer, tuple):
        return tuple(map(plain, answer))
    return answer.tolist() if isinstance(answer, Tensor) else answer


def pair(p, c):
    return p[0] + p[1] + c


def with_shared(a, b):
    return a + b, b


def nested(a):
    return (a, a * 2), a.sum()


OF_PAIRS = [
    (((0, None), 1), ((X, V3), COLUMNS), [[2, 4, 6], [5, 7, 9]]),
    ((0, None), ((X, Y), V3), [[7, 10, 13], [13, 16, 19]]),
    (([0, 0], None), ([X, Y], V3), [[7, 10, 13], [13, 16, 19]]),
    (([0, 0], None), ((X, Y), V3), [[7, 10, 13], [13, 16, 19]]),
    ((None, 0), ((V3, V3), X), [[2, 5, 8], [5, 8, 11]]),
    (((0, None), None), ((X, 3), 1.5), [[4.5, 5.5, 6.5], [7.5, 8.5, 9.5]]),
]


@pytest.mark.parametrize(("axes", "inputs", "expected"), OF_PAIRS)
def test_an_input_may_be_a_nest_with_axes_of_its_own(axes, inputs, expected):
    assert plain(ops.vmap(pair, axes)(*inputs)) == expected


def test_a_nest_may_be_deeper():
    mapped = ops.vmap(lambda p: p[0] + p[1][0], ((0, (0,)),))
    assert plain(mapped((X, (Y,)))) == [[6, 8, 10], [12, 14, 16]]
    seen = []
    ops.vmap(lambda p: seen.append(type(p)) or p[0], ((0,),))([X])
    assert seen == [list, list]


def test_numbers_that_come_out_are_stacked_or_given_once():
    assert plain(ops.vmap(lambda a: (a, 3), out_axes=(0, None))(X)) == (X.tolist(), 3)
    for value, kind in ((3, ms.int64), (1.5, ms.float32), (True, ms.bool_)):
        stacked = ops.vmap(lambda a, value=value: (a, value))(X)[1]
        assert (stacked.dtype, stacked.tolist()) == (kind, [value, value])
    assert plain(ops.vmap(lambda a: 3)(X)) == [3, 3]


def test_an_output_that_all_samples_share_is_given_once_or_repeated():
    summed = [[1, 3, 5], [4, 6, 8]]
    assert plain(ops.vmap(with_shared, (0, None), (0, None))(X, V3)) == (summed, [1, 2, 3])
    assert plain(ops.vmap(with_shared, (0, None))(X, V3)) == (summed, [[1, 2, 3], [1, 2, 3]])
    assert plain(ops.vmap(with_shared, (0, None), (0, 1))(X, V3)) == (summed, [[1, 1], [2, 2], [3, 3]])
    assert plain(ops.vmap(lambda a, b: b * 2, (0, None), None)(X, V3)) == [2, 4, 6]
    total = ms.grad(lambda b: ops.vmap(lambda a, b: (a * b, b * b), (0, None), (0, None))(X, b)[1].sum())
    assert plain(total(V3)) == [2, 4, 6]


def test_outputs_may_be_nests_with_axes_of_their_own():
    x, twice, turned = X.tolist(), (X * 2).tolist(), (X * 2).T.tolist()
    assert plain(ops.vmap(nested)(X)) == ((x, twice), [3, 12])
    assert plain(ops.vmap(nested, out_axes=((0, 1), 0))(X)) == ((x, turned), [3, 12])
    assert plain(ops.vmap(nested, out_axes=(1, 0))(X)) == ((X.T.tolist(), turned), [3, 12])


class Scaled(nn.Cell):
    def __init__(self, factor):
        super().__init__()
        self.w = Parameter(Tensor([factor] * 3), name="w")

    def construct(self, a, b=0.0):
        return a * self.w + b, (a * self.w).sum()


def ensemble(*factors):
    return nn.CellList([Scaled(factor) for factor in factors])


def test_each_model_of_an_ensemble_gets_its_sample():
    models = ensemble(1.0, 2.0)
    assert plain(ops.vmap(models)(X)) == ([[0, 1, 2], [6, 8, 10]], [3, 24])
    assert plain(ops.vmap(models, None)(V3)) == ([[1, 2, 3], [2, 4, 6]], [6, 12])
    assert plain(ops.vmap(models, (None, 0), (1, 0))(V3, V2)) == ([[2, 4], [3, 6], [4, 8]], [6, 12])
    assert plain(ops.vmap(ops.vmap(models, None), 0)(X))[1] == [[3, 6], [12, 24]]


class Noting(nn.Cell):
    """A model that keeps its last sample."""

    def __init__(self, last):
        super().__init__()
        self.last = last

    def construct(self, x):
        ops.assign(self.last, x)
        return self.last + x


def test_each_model_of_an_ensemble_writes_into_its_own_parameters():
    models = nn.CellList([Noting(ms.Parameter(ms.Tensor([0.0, 0.0]), name="last")) for _ in range(2)])
    x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    np.testing.assert_array_equal(ops.vmap(models)(x).asnumpy(), 2 * x.asnumpy())
    np.testing.assert_array_equal([model.last.asnumpy() for model in models], x.asnumpy())
    np.testing.assert_array_equal(ms.grad(ops.vmap(models))(x).asnumpy(), np.ones((2, 2)))


def test_models_of_an_ensemble_write_the_same_into_what_they_share():
    last = ms.Parameter(ms.Tensor([0.0, 0.0]), name="last")
    models = nn.CellList([Noting(last), Noting(last)])
    with pytest.raises(ValueError, match="must be the same for all"):
        ops.vmap(models)(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]))
    ops.vmap(models)(ms.Tensor([[1.0, 2.0], [1.0, 2.0]]))
    np.testing.assert_array_equal(last.asnumpy(), [1, 2])


def test_gradients_reach_each_model_of_an_ensemble():
    models = ensemble(1.0, 2.0)
    weights = models.trainable_params()
    assert [p.name for p in weights] == ["0.w", "1.w"]
    total = ms.value_and_grad(lambda x: ops.vmap(models)(x)[1].sum(), 0, weights)
    value, (of_x, of_weights) = total(X)
    assert (value, plain(of_x), plain(of_weights)) == (27, [[1, 1, 1], [2, 2, 2]], tuple(X.tolist()))


WRONG = [
    (ValueError, "must be equally long, as many as models, 2", lambda: ops.vmap(ensemble(1.0, 2.0))(COLUMNS)),
    (ValueError, "must be equally long, as many as models, 0", lambda: ops.vmap(nn.CellList(), None)(V3)),
    (ValueError, "at least one of them", lambda: ops.vmap(pair, None)((V3, V3), X)),
    (ValueError, "the 'in_axes' must be 2, one for each", lambda: ops.vmap(pair, ((0,), None))((X, Y), V3)),
    (TypeError, "the 'in_axes' of a Tensor must be an int", lambda: ops.vmap(lambda a: a, ((0, 0),))(X)),
    (TypeError, "the 'in_axes' must be an int", lambda: ops.vmap(pair, ((0, "a"), None))),
    (TypeError, "mapped over must be a Tensor, but got int", lambda: ops.vmap(pair)((X, 3), V3)),
    (ValueError, "the 'out_axes' must be 2, one for each", lambda: ops.vmap(nested, out_axes=(0, 0, 0))(X)),
    (ValueError, "the 'out_axes' must be 2, one for each", lambda: ops.vmap(nested, out_axes=((0, 0, 0), 0))(X)),
    (TypeError, "the 'out_axes' of one Tensor must be an int", lambda: ops.vmap(nested, out_axes=(0, (0, 1)))(X)),
    (ValueError, "differs from sample to sample, but got None", lambda: ops.vmap(lambda a: a, out_axes=None)(X)),
    (ValueError, "the 'out_axes' must be in", lambda: ops.vmap(lambda a: (a, 3), out_axes=(0, 1))(X)),
    (TypeError, "must return Tensors or numbers, but got str", lambda: ops.vmap(lambda a: "a")(X)),
]


@pytest.mark.parametrize(("kind", "part", "call"), WRONG)
def test_what_does_not_fit_is_refused(kind, part, call):
    with pytest.raises(kind, match=f"For 'vmap', .*{part}"):
        call()
