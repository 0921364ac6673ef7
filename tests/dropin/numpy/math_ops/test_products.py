"""Products of vectors, at the shapes that NumPy's own functions leave out or take by the way."""

import minispore as ms
import minispore.numpy as mnp


def test_cross_of_vectors_of_two_numbers_is_the_third_number_alone():
    a, b = ms.Tensor([[0.0, 1.0], [2.0, 3.0]]), ms.Tensor([[5.0, 4.0], [3.0, 2.0]])
    assert mnp.cross(a, b).asnumpy().tolist() == [-5.0, -5.0]


def test_convolve_takes_a_number_for_a_row_of_one():
    assert mnp.convolve(ms.Tensor([1.0, 2.0]), 3).asnumpy().tolist() == [3.0, 6.0]
    assert mnp.convolve(3.0, 4.0).asnumpy().tolist() == [12.0]
