"""Matlab's files (level 5): the arrays of numbers that they hold, by their names."""

import numpy as np
import pytest
from conformance.cases.source_folders import matlab, pixels

from minispore.data.dataset.engine.sources.matlab import matlab_arrays


@pytest.mark.parametrize("arrays", [1, 3])
def test_a_small_matlab_file_does_not_become_a_large_one_in_memory(arrays):
    content = matlab({f"X{i}": np.zeros(2**26 // arrays, np.uint8) for i in range(arrays)})
    assert len(content) < 2**17
    with pytest.raises(ValueError, match=f"{len(content)} bytes decompress to more than {2**25}"):
        matlab_arrays(content)


def test_a_matlab_file_of_equal_numbers_and_a_large_one_are_read():
    assert matlab_arrays(matlab({"X": np.zeros(2**20, np.uint8)}))["X"].shape == (2**20,)
    pixels = np.random.default_rng(0).integers(0, 256, 2**25 + 9, np.uint8)
    np.testing.assert_array_equal(matlab_arrays(matlab({"X": pixels}))["X"], pixels)


def test_the_bytes_of_a_broken_matlab_file_end_in_a_value_error():
    content, rng = matlab({"X": pixels(1), "y": np.array([[1]], np.uint8)}), np.random.default_rng(0)
    for _ in range(300):
        changed = np.frombuffer(content, np.uint8).copy()
        changed[rng.integers(len(changed), size=2)] = rng.integers(256, size=2)
        try:
            matlab_arrays(changed[: rng.integers(len(changed))].tobytes() if rng.random() < 0.3 else changed.tobytes())
        except ValueError as error:
            assert str(error)
