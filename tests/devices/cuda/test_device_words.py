"""A GPU's own generator: the host's words in one launch, and streams that a recorded launch counts on the device."""

import numpy as np
import pytest

import minispore as ms
from minispore import ops
from minispore.core import seeds
from minispore.devices.cuda.device_words import counted_on_device, state_of_draws
from minispore.ops.kernels.random_streams import Stream, next_stream

pytestmark = pytest.mark.usefixtures("restored")


@pytest.mark.parametrize("name", [((0, 0), 0, 0), ((2**64 - 1, 2**64 - 1), 2**64 - 1, 2), ((5, 2**63), 7, 3)])
def test_a_kernel_gives_the_words_of_the_host_wherever_it_starts(on_cupy, name):
    host, there = Stream(*name).words(2000), Stream(*name, on_cupy)
    found = [there.words(count).get() for count in (0, 1, 2, 6, 4, 3, 1000, 984)]
    np.testing.assert_array_equal(np.concatenate(found), host)


@pytest.fixture
def recorded(on_cupy):
    """A function that records others on a stream of its own, with the count on the device; gives what to launch."""
    stream = on_cupy.cuda.Stream(non_blocking=True)

    def record(step, draws):
        state = on_cupy.asarray(state_of_draws())
        with stream:
            step()  # compiles
            seeds.seed.draws -= draws
            stream.begin_capture()
            with counted_on_device(state) as counting:
                out = step()
                assert counting.covers_all_draws
            state[1:] += np.uint64(draws)
            return stream.end_capture(), stream, state, out

    return record


def played(graph, stream):
    graph.launch(stream)
    stream.synchronize()


# Each draws one stream
STEPS = {
    "dropout": lambda x: ops.Dropout(0.6)(x)[0],
    "dropout_of_a_seed": lambda x: ops.Dropout(0.6, 3, 4)(x)[0],
    "dropout_of_channels": lambda x: ops.Dropout2D(0.5)(x)[0],
    "uniform": lambda x: ops.UniformReal()((3, 5)),
    "in_float64": lambda x: ops.Dropout(0.6)(x.astype(ms.float64))[0],
}


@pytest.mark.parametrize("name", STEPS)
def test_a_graph_draws_in_each_launch_what_eager_calls_draw(recorded, name):
    x = ops.ones((2, 9, 3, 2), ms.float16)

    def draws():
        return STEPS[name](x)

    ms.set_seed(4)
    eager = [draws().asnumpy() for _ in range(3)]
    ms.set_seed(4)
    graph, stream, _, out = recorded(draws, 1)
    for expected in eager:
        played(graph, stream)
        np.testing.assert_array_equal(out.asnumpy(), expected)
    assert not np.array_equal(eager[0], eager[1])


def test_a_graph_follows_the_seed_that_is_set_between_launches(recorded):
    x = ops.ones((40,), ms.float32)
    ms.set_seed(1)
    graph, stream, state, out = recorded(lambda: ops.Dropout(0.5)(x)[0], 1)
    ms.set_seed(2)
    state.set(state_of_draws())
    played(graph, stream)
    np.testing.assert_array_equal(out.asnumpy(), ops.Dropout(0.5)(x)[0].asnumpy())


def test_a_stream_that_no_kernel_draws_is_told(on_cupy):
    with counted_on_device(on_cupy.asarray(state_of_draws())) as counting:
        next_stream(on_cupy).words(3)
        assert counting.covers_all_draws
        next_stream(np).words(3)
    assert not counting.covers_all_draws


def test_streams_named_by_seeds_alone_are_the_same_in_each_launch(on_cupy):
    expected = Stream((3, 4), domain=1).words(5)
    with counted_on_device(on_cupy.asarray(state_of_draws())):
        np.testing.assert_array_equal(Stream((3, 4), domain=1, xp=on_cupy).words(5).get(), expected)
