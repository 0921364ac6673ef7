"""Transforms of one string: into tokens, and into another form."""

import numpy as np

from minispore.dataset import text


def test_offsets_count_bytes():
    tokens, starts, limits = text.WhitespaceTokenizer(True)("  lead 中文\tx\n")
    assert (tokens.tolist(), starts.tolist(), limits.tolist()) == (["lead", "中文", "x"], [2, 7, 14], [6, 13, 15])
    assert starts.dtype == np.uint32
