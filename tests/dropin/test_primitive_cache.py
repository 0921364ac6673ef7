"""Primitives that are made once for each set of arguments."""

from minispore import ops
from minispore.dropin._primitive_cache import _get_cache_prim


def test_equal_arguments_give_the_same_primitive():
    assert _get_cache_prim(ops.ReduceSum)(True) is _get_cache_prim(ops.ReduceSum)(True)
    assert _get_cache_prim(ops.ReduceSum)(True) is not _get_cache_prim(ops.ReduceSum)(False)
    assert _get_cache_prim(ops.ReduceSum)(True).keep_dims


def test_arguments_that_are_no_key_make_a_new_one():
    assert isinstance(_get_cache_prim(ops.NeighborExchange)([0], [0], ([2],), ([2],), "float32"), ops.NeighborExchange)
