"""Histograms of several coordinates."""

import minispore as ms
import minispore.numpy as mnp


def test_the_rows_of_a_matrix_are_the_ends_along_each_axis():
    points, ends = ms.Tensor([[1.0, 1.0], [1.0, 2.0]]), ms.Tensor([[0, 1, 2], [0, 2, 3]], ms.int32)
    counts, edges = mnp.histogramdd(points, bins=ends)
    assert counts.asnumpy().tolist() == [[0, 0], [1, 1]]
    assert [each.asnumpy().tolist() for each in edges] == [[0, 1, 2], [0, 2, 3]]
