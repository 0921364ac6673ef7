"""Kernels on the CPU's CUDA: threads, warps and blocks wait as on a GPU, so that a planted fault shows."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from cpucuda import device, nvrtc_check
from minispore.devices.cuda import launch

pytestmark = pytest.mark.cpucuda

# The sum of a block of 256 in shared memory. BARRIER stands for __syncthreads().
TREE = """
extern "C" __global__ void tree(const float* x, float* out) {
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int n = 128; n; n /= 2) {
    if (t < n) part[t] += part[t + n];
    BARRIER
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
"""
WARP = """
extern "C" __global__ void warp(const float* x, float* out) {
  float v = x[threadIdx.x];
  for (int n = 16; n; n /= 2) v += __shfl_down_sync(0xffffffff, v, n);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}
"""
TEMPLATE = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
template <class T, int N> __global__ void scale(const T* x, T* out, int n) {
  extern __shared__ float staged[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  staged[threadIdx.x] = i < n ? (float)x[i] : 0.f;
  __syncthreads();
  if (i < n) out[i] = T(staged[threadIdx.x] * N);
}
"""


@pytest.fixture
def x(cupy):
    return cupy.asarray(np.random.default_rng(0).integers(0, 9, 512).astype(np.float32))


def tree_sums(cupy, x, barrier):
    out = cupy.zeros(2, np.float32)
    cupy.RawKernel(TREE.replace("BARRIER", barrier), "tree")((2,), (256,), (x, out))
    return out.get()


def test_threads_wait_for_their_block(cupy, x):
    np.testing.assert_array_equal(tree_sums(cupy, x, "__syncthreads();"), x.get().reshape(2, 256).sum(1))


def test_a_missing_barrier_shows(cupy, x):
    assert (tree_sums(cupy, x, "") != x.get().reshape(2, 256).sum(1)).any()


def test_a_warp_shuffles_among_its_threads(cupy, x):
    out = cupy.zeros(2, np.float32)
    cupy.RawKernel(WARP, "warp")((1,), (64,), (x, out))
    np.testing.assert_array_equal(out.get(), x.get()[:64].reshape(2, 32).sum(1))


@pytest.mark.parametrize("name, dtype", [("__half", "float16"), ("float", "float32"), ("double", "float64")])
def test_instances_of_a_template_are_called_by_their_expressions(cupy, x, name, dtype):
    expression = f"scale<{name}, 3>"
    module = cupy.RawModule(code=TEMPLATE, options=("--std=c++17",), name_expressions=[expression])
    given = x.astype(dtype)
    out = cupy.zeros_like(given)
    module.get_function(expression)((8,), (64,), (given, out, 512), shared_mem=64 * 4)
    np.testing.assert_array_equal(out.get(), given.get() * 3)


def test_what_gcc_cannot_compile_is_cupys_error_with_the_log(cupy):
    with pytest.raises(cupy.cuda.compiler.CompileException, match="nonsense"):
        cupy.RawKernel('extern "C" __global__ void f() { nonsense; }', "f").compile()


def test_a_launch_that_no_gpu_takes_is_an_error(cupy, x):
    kernel = cupy.RawKernel(WARP, "warp")
    for grid, block in (((1,), (2048,)), ((1, 70000), (32,)), ((1,), (1, 1, 128))):
        with pytest.raises(cupy.cuda.driver.CUDADriverError):
            kernel(grid, block, (x, x))


def test_float32_subnormals_are_zeros_as_cupy_compiles_its_kernels(cupy):
    tiny = np.array([1e-40, 1e-30], np.float32)
    assert (cupy.asarray(tiny) * 1 > 0).get().tolist() == [False, True]
    assert (cupy.asarray(tiny.astype(np.float64)) > 0).all()


def test_new_memory_holds_no_zeros(cupy):
    pool = cupy.cuda.MemoryPool()
    with cupy.cuda.using_allocator(pool.malloc):
        assert (cupy.empty(1 << 20, np.uint8) == 0xA5).all()


def test_counters_tell_launches_products_copies_and_waits(cupy):
    a = cupy.ones((4, 4), np.float32)
    with device.counted() as did:
        (a @ a).get()
    assert (did["gemm"], did["d2h"], did["sync"], did["operations"]) == (1, 1, 1, 2)


def test_a_dry_run_does_nothing_on_the_device(cupy):
    a = cupy.ones(3)
    with device.dry():
        a += 1
    assert a.get().tolist() == [1, 1, 1]


def test_the_trace_names_each_operation(cupy, tmp_path):
    a = cupy.ones((4, 4), np.float32)
    with device.traced(tmp_path / "trace"):
        cupy.negative(a @ a).get()
    kinds = [line.split()[0] for line in (tmp_path / "trace").read_text().splitlines()]
    assert kinds == ["gemm", "launch", "copy", "sync"]


def test_any_order_of_warps_gives_the_same(cupy, x):
    """The order is read when the driver starts, so a process of its own."""
    script = (
        "import sys; sys.path[:0] = ['tests']\n"
        "from cpucuda import device; device.activate()\n"
        "import cupy, numpy as np\n"
        "from cpucuda.test_kernels import tree_sums\n"
        "x = cupy.asarray(np.random.default_rng(0).integers(0, 9, 512).astype(np.float32))\n"
        "print(*tree_sums(cupy, x, '__syncthreads();'), *cupy.cumsum(x)[-1:].get())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=device.HERE.parents[1],
        env={**os.environ, "CPUCUDA_ORDER": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    expected = [*x.get().reshape(2, 256).sum(1), x.get().sum()]
    assert [float(v) for v in done.stdout.split()] == expected


def test_nvidias_compiler_takes_a_kept_kernel_and_refuses_a_planted_fault(cupy, tmp_path, monkeypatch):
    pytest.importorskip("nvidia.cuda_nvrtc")
    monkeypatch.setenv("CPUCUDA_SOURCES", str(tmp_path))
    options = ("--std=c++17", f"-DUNIQUE={os.getpid()}")  # so that no cache has it
    cupy.RawModule(code=WARP, options=options).get_function("warp")
    (kept,) = (path for path in tmp_path.glob("*.cu") if "void warp" in path.read_text())
    assert list(nvrtc_check.refused(tmp_path, "sm_90")) == []
    kept.write_text(kept.read_text().replace("float v =", "__half v = INFINITY +"))
    assert [path for path, _ in nvrtc_check.refused(tmp_path, "sm_90")] == [kept]


def test_registers_that_nvidias_compiler_keeps_in_memory_are_told_by_function(tmp_path):
    pytest.importorskip("nvidia.cuda_nvrtc")
    sums = "".join(f"float a{i} = x[{i}] * x[{i + 1}];" for i in range(60))
    total = " + ".join(f"a{i} * a{(7 * i) % 60}" for i in range(60))
    wide = f'extern "C" __global__ void wide(float* x) {{ {sums} __syncthreads(); x[threadIdx.x] = {total}; }}'
    plain = 'extern "C" __global__ void plain(float* x) { x[0] = 1; }'
    (tmp_path / "a.cu").write_text(f"//OPTION --maxrregcount=16\n{plain}\n{wide}")
    ((_, compiles, log),) = nvrtc_check.compiled(tmp_path, "sm_90")
    assert compiles and list(nvrtc_check.spilled(log)) == ["wide"]
    assert list(nvrtc_check.compiled(tmp_path, "sm_90", marks=("no such mark",))) == []


def whole_steps(cupy, without=None):
    """An LSTM's step of several tiles by the kernel's text, without one of its barriers."""
    text = (Path(launch.__file__).parent / "recurrent.cu").read_text()
    head, *others = text.split("__syncthreads();")
    parts = [head, *[("" if k == without else "__syncthreads();") + part for k, part in enumerate(others)]]
    code, name = launch.with_common("".join(parts)), "lstm_whole_step<float>"
    function = cupy.RawModule(code=code, options=launch.options(cupy), name_expressions=(name,)).get_function(name)
    random, (samples, width, length) = np.random.default_rng(0), (9, 40, 70)
    shapes = [(samples, length), *[(samples, width)] * 2, (4 * width, length), (4 * width, width)]
    x, h, c, w_ih, w_hh = (cupy.asarray(random.standard_normal(shape).astype(np.float32) / 8) for shape in shapes)
    saved, new_h, new_c = (cupy.zeros((samples, k * width), np.float32) for k in (5, 1, 1))
    sizes = np.int64(length), np.int32(0), *[np.int32(size) for size in (samples, width, length)]
    function((2, 2), (256,), (x, sizes[0], h, c, w_ih, w_hh, c, c, *sizes[1:], saved, new_h, new_c))
    return new_h.get()


@pytest.mark.parametrize("barrier", [0, 1])
def test_a_barrier_that_a_recurrent_step_lacks_shows(cupy, barrier):
    right = whole_steps(cupy)
    np.testing.assert_array_equal(whole_steps(cupy), right)
    assert np.abs(whole_steps(cupy, without=barrier) - right).max() > 1e-3
