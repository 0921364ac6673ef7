"""Stream capture: work is recorded and not done, a graph does it later, and what CUDA forbids meanwhile is an error."""

import numpy as np
import pytest

from cpucuda import device

pytestmark = pytest.mark.cpucuda
UNSUPPORTED = "cudaErrorStreamCaptureUnsupported: operation not permitted when stream is capturing"


def steps(cupy, x, out):
    """Kernels of several kinds, a memset and a copy on the device."""
    out.fill(0)
    cupy.multiply(x, 3, out=out)
    cupy.exp(out, out=out)
    out += x.sum(axis=0, keepdims=True)
    out[0] = x[1]


def captured(stream, work, **mode):
    with stream:
        stream.begin_capture(**mode)
        work()
        return stream.end_capture()


@pytest.fixture
def x(cupy):
    return cupy.asarray(np.random.default_rng(0).standard_normal((3, 40)).astype(np.float32))


@pytest.fixture
def out(cupy):
    return cupy.zeros((3, 40), np.float32)


def test_a_captured_sequence_gives_the_bits_of_the_eager_one_for_each_input(cupy, stream, x, out):
    graph = captured(stream, lambda: steps(cupy, x, out))
    for _ in range(3):
        x *= 0.5
        graph.launch()
        replayed = out.get()
        steps(cupy, x, out)
        np.testing.assert_array_equal(replayed, out.get())


def test_a_captured_sort_sorts_again_in_each_launch(cupy, stream, x, out):
    order = cupy.zeros(x.shape, np.int64)

    def sort():
        order[...], out[...] = cupy.argsort(x, axis=1), cupy.sort(x, axis=1)

    graph = captured(stream, sort)
    for _ in range(2):
        x *= -1
        graph.launch()
        np.testing.assert_array_equal(out.get(), np.sort(x.get(), axis=1))
        np.testing.assert_array_equal(order.get(), np.argsort(x.get(), axis=1))


def test_nothing_is_done_during_a_capture(cupy, stream, x, out):
    with device.counted() as did:
        graph = captured(stream, lambda: steps(cupy, x, out))
    assert did["operations"] == 0 and not out.get().any()
    with device.counted() as did:
        graph.launch(stream)
    assert did["graph"] == did["operations"] == 1 and did["node"] == 6


def test_a_kernels_arguments_are_those_of_the_capture(cupy, stream, x, out):
    graphs = {n: captured(stream, lambda n=n: cupy.multiply(x, np.float32(n), out=out)) for n in (2, 5)}
    for factor, graph in graphs.items():
        graph.launch()
        np.testing.assert_array_equal(out.get(), x.get() * np.float32(factor))


@pytest.mark.parametrize(
    "action",
    [
        lambda cupy, stream, x: stream.synchronize(),
        lambda cupy, stream, x: cupy.cuda.runtime.deviceSynchronize(),
        lambda cupy, stream, x: cupy.cuda.runtime.memcpyAsync(
            np.empty(4).ctypes.data, x.data.ptr, 16, cupy.cuda.runtime.memcpyDeviceToHost, stream.ptr
        ),
    ],
    ids=["wait for the stream", "wait for the device", "copy to the host"],
)
def test_waits_and_copies_to_the_host_are_errors_that_spoil_the_capture(cupy, stream, x, action):
    stream.begin_capture()
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError, match=UNSUPPORTED):
        action(cupy, stream, x)
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError, match="cudaErrorStreamCaptureInvalidated"):
        stream.end_capture()


@pytest.mark.parametrize("read", [lambda x: x.get(), lambda x: float(x[0, 0]), lambda x: bool((x > 0).any())])
def test_cupy_itself_refuses_to_read_an_array_during_a_capture(stream, x, read):
    with stream:
        stream.begin_capture()
        with pytest.raises(RuntimeError, match="the current stream is capturing"):
            read(x)
        stream.end_capture()


def test_memory_may_be_allocated_in_the_relaxed_mode_alone(cupy, stream):
    runtime = cupy.cuda.runtime
    stream.begin_capture()
    runtime.free(runtime.malloc(512))
    stream.end_capture()
    stream.begin_capture(runtime.streamCaptureModeGlobal)
    with pytest.raises(runtime.CUDARuntimeError, match=UNSUPPORTED):
        runtime.malloc(512)
    with pytest.raises(runtime.CUDARuntimeError, match="Invalidated"):
        stream.end_capture()


def test_the_legacy_stream_may_not_be_used_while_a_stream_is_captured_that_it_waits_for(cupy, x):
    blocking = cupy.cuda.Stream()
    blocking.begin_capture()
    with pytest.raises(Exception, match="cudaErrorStreamCaptureImplicit"):
        cupy.negative(x)
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError, match="Invalidated"):
        blocking.end_capture()


def test_forked_work_is_in_the_graph_and_must_be_joined(cupy, stream, x, out):
    other, event = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Event()

    def fork(join):
        stream.begin_capture()
        event.record(stream)
        other.wait_event(event)
        with other:
            cupy.negative(x, out=out)
            event.record(other)
        if join:
            stream.wait_event(event)
        return stream.end_capture()

    fork(join=True).launch()
    np.testing.assert_array_equal(out.get(), -x.get())
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError, match="cudaErrorStreamCaptureUnjoined"):
        fork(join=False)
