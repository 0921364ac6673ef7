"""The pause of the garbage collector: in threads, and while Python parses."""

import ast
import gc
import threading

import pytest

import minispore as ms
from minispore import nn
from minispore.rewrite.gc_paused import uncollected
from minispore.rewrite.resolve import compiled_code


def test_collection_is_paused_until_the_last_thread_leaves_and_then_goes_on():
    inside, go = threading.Event(), threading.Event()
    seen = []

    @uncollected
    def first():
        inside.set()
        go.wait(300)

    @uncollected
    def last(thread):
        go.set()
        thread.join()
        seen.append(gc.isenabled())

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait(300)
    last(thread)
    assert seen == [False] and gc.isenabled()


@pytest.fixture
def parsed_by_another():
    """Each search for garbage runs code that parses, as that of another thread may that gets its turn."""
    before = gc.get_threshold()
    interrupt = lambda phase, info: ast.parse("x")  # noqa: E731
    compiled_code._imported.cache_clear()
    gc.callbacks.append(interrupt)
    gc.set_threshold(20)
    yield
    gc.callbacks.remove(interrupt)
    gc.set_threshold(*before)


@pytest.mark.usefixtures("parsed_by_another")
@pytest.mark.parametrize("level", ["O1", "O2"])
def test_a_network_is_converted_whatever_is_parsed_between(level):
    net = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU(), nn.Dense(2, 2))
    converted = ms.amp.auto_mixed_precision(nn.WithLossCell(net, nn.MSELoss()), level)
    assert converted.amp_report.counts["float16"]
