"""The product of two small matrices by a warp, on every generation of chips."""

import numpy as np
import pytest

from minispore.core.dtype import bfloat16
from minispore.devices.cuda.launch import options, text_of, with_common

PRODUCT = """
template <typename T>
__global__ void product(const unsigned short* a, const unsigned short* b, float* out) {
  __shared__ __align__(16) unsigned short left[16 * GAP], right[8 * GAP];
  for (int i = threadIdx.x; i < 16 * BAND; i += WARP) left[i / BAND * GAP + i % BAND] = a[i];
  for (int i = threadIdx.x; i < 8 * BAND; i += WARP) right[i / BAND * GAP + i % BAND] = b[i];
  __syncthreads();
  float d[1][4] = {{1, 1, 1, 1}};
  multiply<T, 1>(d, left, 0, right, 0);
  for (int i = 0; i < 4; i++) out[(threadIdx.x / 4 + i / 2 * 8) * 8 + threadIdx.x % 4 * 2 + i % 2] = d[0][i];
}
"""
CHIPS = "__CUDA_ARCH__", "750", "700"  # the one that is there, and older ones
TYPES = {"float16": np.float16, "bfloat16": bfloat16.np}
A = np.random.default_rng(0).integers(-8, 9, (16, 32)).astype(np.float32)
B = np.random.default_rng(1).integers(-8, 9, (8, 32)).astype(np.float32)
FAULTS = {
    "registers of a": ("{%4, %5, %6, %7}", "{%4, %6, %5, %7}"),
    "registers of b": ("{%8, %9}", "{%9, %8}"),
    "registers of d": ("{%0, %1, %2, %3}, {%4", "{%0, %2, %1, %3}, {%4"),
    "rows of a": ("row + group + 8, k)", "row + group + 1, k)"),
    "columns of b": ("8 * j + group, k + 8", "8 * j + quad, k + 8"),
}


def product(xp, dtype, text):
    """1 + a b' as a kernel of this text computes it."""
    module = xp.RawModule(
        code=with_common(text) + PRODUCT, options=options(xp), name_expressions=(f"product<{dtype}>",)
    )
    out = xp.empty((16, 8), np.float32)
    a, b = (xp.asarray(x.astype(TYPES[dtype])) for x in (A, B))
    module.get_function(f"product<{dtype}>")((1,), (32,), (a, b, out))
    return out.get()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("chip", CHIPS)
def test_a_warp_multiplies_matrices_on_each_generation(on_cupy, chip, dtype):
    """The older ones' text, compiled for the chip that is there."""
    text = text_of("mma").replace("__CUDA_ARCH__", chip)
    np.testing.assert_array_equal(product(on_cupy, dtype, text), 1 + A @ B.T)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_number_in_a_wrong_place_shows(on_cupy, fault):
    right, wrong = FAULTS[fault]
    text = text_of("mma")
    assert right in text
    assert (product(on_cupy, "float16", text.replace(right, wrong)) != 1 + A @ B.T).any()
