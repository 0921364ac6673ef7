"""Transforms of tokens: into numbers, into fewer, more or longer ones."""

import numpy as np
import pytest

from minispore.dataset import text


@pytest.mark.parametrize(
    ("most", "lengths", "left"), [(5, (4, 3), (3, 2)), (3, (4, 3), (2, 1)), (5, (4, 1), (4, 1)), (5, (1, 9), (1, 4))]
)
def test_a_pair_is_cut_at_its_longer_part(most, lengths, left):
    out = text.TruncateSequencePair(most)(*map(np.arange, lengths))
    assert tuple(map(len, out)) == left
