"""Bytes that operations move, counted from the driver's trace and CuPy's blocks."""

import numpy as np
import pytest

from cpucuda import traffic

pytestmark = pytest.mark.cpucuda


@pytest.fixture
def blocks(cupy):
    with traffic.watched(cupy) as blocks:
        yield blocks


def kinds(operations):
    return [(operation.kind, operation.bytes, operation.multiplications) for operation in operations]


def test_an_elementwise_operation_moves_its_inputs_and_outputs(cupy, blocks):
    x, y = cupy.ones(1000, np.float32), cupy.ones(1000, np.float32)
    assert kinds(traffic.moved(blocks, lambda: x + y)) == [("launch", 12000, 0)]
    assert kinds(traffic.moved(blocks, lambda: cupy.add(x, y, out=x))) == [("launch", 8000, 0)]


def test_a_product_moves_its_matrices(cupy, blocks):
    a, b = cupy.ones((8, 16), np.float32), cupy.ones((16, 4), np.float32)
    assert kinds(traffic.moved(blocks, lambda: a @ b)) == [("gemm", 4 * (8 * 16 + 16 * 4 + 8 * 4), 8 * 16 * 4)]


def test_places_within_tables_count_and_memory_that_was_used_anew_counts_as_what_it_is(cupy, blocks):
    text = """struct Two { float* place[2]; };
    extern "C" __global__ void first(Two two) { two.place[0][0] = two.place[1][0]; }"""
    table = np.dtype([("place", np.int64, 2)], align=True)
    kernel = cupy.RawKernel(text, "first")

    def copy():
        for length in (100, 128, 300):
            x, y = cupy.empty(length, np.float32), cupy.empty(length, np.float32)
            kernel((1,), (1,), (np.array(([x.data.ptr, y.data.ptr],), table)[()],))

    copy()
    assert [moved.bytes for moved in traffic.moved(blocks, copy)] == [800, 1024, 2400]


def test_copies_and_memsets_move_what_they_say(cupy, blocks):
    x = cupy.ones(64, np.float32)
    found = traffic.moved(blocks, lambda: (cupy.zeros(64, np.float32), x.get()))
    assert kinds(found) == [("memset", 256, 0), ("copy", 256, 0)]
