"""The bytes of a row's large fields: byte strings, float arrays, and int arrays with each int in its shortest."""

import numpy as np

from minispore.data.mindrecord.layout import joined, separated


def test_int_arrays_of_every_width_come_back():
    for bits in range(64):
        array = np.array([2**bits - 1, -(2**bits), 0, bits][: bits % 5], np.int64)
        assert separated(joined([array, b"x"], ["int64", "bytes"]), ["int64", "bytes"])[0].tolist() == array.tolist()
