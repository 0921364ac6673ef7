"""The parts of a product: neighbours, at the edges of BLAS's tiles, and more for the thread that begins at once."""

from hypothesis import given
from hypothesis import strategies as st

from minispore.ops.kernels import matmul_shared


@given(st.integers(0, 3000), st.integers(1, 9), st.integers(0, 1 << 20), st.sampled_from([1, 16]))
def test_pieces_are_neighbours_and_the_first_is_the_longest(length, parts, each, edge):
    pieces = [range(length)[piece] for piece in matmul_shared._pieces(length, parts, each, edge)]
    assert [i for piece in pieces for i in piece] == list(range(length))
    assert all(piece.start % edge == 0 for piece in pieces if piece)
    assert max(map(len, pieces)) == len(pieces[0])


def test_the_calling_thread_does_more_by_what_a_worker_needs_to_wake():
    assert matmul_shared._AHEAD == 1_500_000
    assert matmul_shared._pieces(500, 2, 60_000, edge=1) == [slice(0, 263), slice(263, 500)]
