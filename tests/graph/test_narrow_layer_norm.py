"""A layer normalization gives the cast of its output where nothing else reads it."""

import numpy as np
from support.passes import replayed

import minispore as ms
from minispore import Tensor, ops
from minispore.graph.narrow_layer_norm import with_layer_norms_cast

norm = ops.LayerNorm()
X = Tensor(np.random.default_rng(0).standard_normal((3, 8)).astype(np.float32))
W = Tensor(np.random.default_rng(1).standard_normal(8).astype(np.float32))


def test_a_cast_output_is_written_narrow():
    names, made, right = replayed(lambda x, w: norm(x, w, w)[0].astype(ms.float16), [with_layer_norms_cast], X, W)
    assert (names, made) == (["NarrowLayerNorm"], right)


def test_an_output_that_is_read_otherwise_stays_wide():
    def both(x, w):
        y, mean, _ = norm(x, w, w)
        return y.astype(ms.float16), y + mean

    names, made, right = replayed(both, [with_layer_norms_cast], X, W)
    assert made == right and "LayerNorm" in names
    names, made, right = replayed(lambda x, w: norm(x, w, w)[0].astype(ms.int32), [with_layer_norms_cast], X, W)
    assert made == right and "LayerNorm" in names
