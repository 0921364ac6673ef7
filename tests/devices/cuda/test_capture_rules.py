"""When a replay is captured, launched or left to operations: the rules, without a device."""

import gc
from contextlib import ExitStack, contextmanager, suppress
from types import SimpleNamespace

import numpy as np
import pytest

from minispore import ops
from minispore.core.journal import Journal
from minispore.devices.cuda import capture, persistent_buffers
from minispore.devices.cuda.capture import CapturedReplay, _Results
from minispore.graph.recorder import Guard, Step, Value
from minispore.graph.replay import Replay


class Own(ops.Primitive):
    """A primitive of the user's own."""


def step(primitive):
    return Step(primitive, (Value(0),), (Value(1),), True, False)


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        (step(ops.ReLU()), None),
        (step(Own("Own")), "'Own' is a primitive of the user's own, which may keep state in Python"),
        (step(ops.Custom(abs, lambda x: x, lambda x: x, "pyfunc")), "'Custom' runs Python in each call"),
        (Guard(Value(1), np.ones(1)), "it reads a value back to the host"),
    ],
)
def test_what_needs_python_or_the_host_is_not_captured_and_says_why(last, reason):
    recording = SimpleNamespace(steps=[step(ops.ReLU()), last])
    assert object.__new__(CapturedReplay)._refusal(recording) == reason


class PersistentBuffer:
    """A persistent buffer, which may be held by something else; it notes moves."""

    def __init__(self, held):
        self.array, self.held, self.moved = np.ones(1), held, 0

    def move(self):
        self.moved += 1


@pytest.fixture
def replay(monkeypatch):
    """A captured replay of Tensors with persistent buffers, and those that are filled."""
    made, filled = object.__new__(CapturedReplay), []
    made._held, made._check_outside = 0, lambda: filled.append("checked")
    monkeypatch.setattr(persistent_buffers, "is_shared", lambda buffer, in_buffer: buffer.held)
    monkeypatch.setattr(
        persistent_buffers, "fill", lambda xp, to_fill: filled.append([buffer for _, buffer in to_fill])
    )
    made.filled = filled
    return made


def placed(replay, *kinds):
    """Let the graph have buffers: each ``(in its buffer, written, held)``."""
    found = []
    for in_buffer, written, held in kinds:
        buffer = PersistentBuffer(held)
        found.append((SimpleNamespace(array=buffer.array if in_buffer else np.zeros(1)), buffer, written))
    replay._graph = SimpleNamespace(buffers=found)
    return [buffer for _, buffer, _ in found]


@pytest.mark.parametrize("in_buffer", [True, False])
@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize("held", [True, False])
def test_a_launch_waits_where_it_would_change_what_something_holds(replay, in_buffer, written, held):
    first, second = placed(replay, (in_buffer, written, held), (True, True, False))
    waits = held and (written or not in_buffer)
    assert replay._wait_for_holders() == waits
    assert replay.filled == ([] if waits or in_buffer else ["checked", [first]])
    assert replay._held == waits and not second.moved


def test_after_some_calls_in_a_row_the_buffer_moves_and_only_what_is_shared(replay):
    shared, alone = placed(replay, (True, True, True), (False, True, False))
    for call in range(1, capture._PATIENCE + 3):
        assert replay._wait_for_holders() and replay.filled == []
        assert shared.moved == max(0, call - capture._PATIENCE) and not alone.moved
    shared.held = False
    assert not replay._wait_for_holders() and replay._held == 0


@pytest.mark.parametrize(
    ("journal", "writes", "owned", "may"),
    [
        (None, True, False, True),
        ("outermost", False, False, True),
        ("outermost", True, True, True),
        ("outermost", True, False, False),
        ("inner", True, True, False),
        ("another's", True, True, False),
        ("nobody's", True, False, False),
    ],
)
def test_a_graph_that_writes_is_launched_where_nothing_will_ask_for_the_writes_to_be_undone(
    journal, writes, owned, may
):
    owner, made = object(), object.__new__(CapturedReplay)
    made._writes, made._owner = ["a write"] if writes else [], owner if owned else None
    of = {"another's": object(), "nobody's": None}.get(journal, owner)
    with ExitStack() as kept:
        if journal == "inner":
            kept.enter_context(Journal(object()))
        if journal is not None:
            kept.enter_context(Journal(of))
        assert made._may_write() == may


@pytest.mark.parametrize("ready", [True, False])
@pytest.mark.parametrize("may_write", [True, False])
@pytest.mark.parametrize("reason", [None, "a reason"])
def test_what_is_not_ready_to_be_launched_is_replayed_operation_by_operation(monkeypatch, reason, may_write, ready):
    made = object.__new__(CapturedReplay)
    made.reason, made._may_write, made._is_ready = reason, lambda: may_write, lambda inputs: ready
    made._launched = lambda inputs: ("launched", inputs)
    monkeypatch.setattr(Replay, "__call__", lambda self, inputs: ("operations", inputs))
    launched = reason is None and may_write and ready
    assert made([1]) == ("launched" if launched else "operations", [1])


@pytest.mark.parametrize("graph", ["none", "older", "present"])
@pytest.mark.parametrize("fails", [True, False])
@pytest.mark.parametrize("other_stream", [True, False])
@pytest.mark.parametrize("waits", [True, False])
def test_a_graph_is_captured_anew_once_a_buffer_has_moved(monkeypatch, graph, fails, other_stream, waits):
    here = SimpleNamespace(get_current_stream=lambda: SimpleNamespace(ptr=7))
    monkeypatch.setattr(capture, "backend", SimpleNamespace(xp=SimpleNamespace(cuda=here)))
    made, captured = object.__new__(CapturedReplay), []
    new = None if fails else SimpleNamespace(moves=persistent_buffers.moves, stream=8 if other_stream else 7)
    made._check_shared, made._wait_for_holders = lambda: None, lambda: waits
    made._captured = lambda inputs: captured.append(inputs) or new
    made._graph = {
        "none": None,
        "older": SimpleNamespace(moves=persistent_buffers.moves - 1, stream=7),
        "present": SimpleNamespace(moves=persistent_buffers.moves, stream=8 if other_stream else 7),
    }[graph]
    ready = not waits and not other_stream and (graph == "present" or not fails)
    assert made._is_ready([1]) == ready
    assert captured == ([] if graph == "present" else [[1]])


class Device:
    """An array module whose memory is numbers."""

    def __init__(self):
        self.blocks = []

    def empty(self, size, dtype):
        self.blocks.append(size)
        return SimpleNamespace(data=1_000_000 * len(self.blocks))

    def ndarray(self, shape, dtype, start):
        return start


def test_results_go_into_the_pieces_of_a_block_and_none_is_written_twice(monkeypatch):
    begun, device = [], Device()
    monkeypatch.setattr(capture.cuda.copies, "begin_block", lambda xp, slot, block: begun.append(block.data))
    results = _Results(device, "slot", [np.zeros(3, np.float32), np.zeros(5, np.float32)])  # 16 and 32 bytes
    pieces = min(capture._PIECES, capture._BLOCK // 48)
    for block in (1, 2):
        for number in range(pieces):
            starts, left = results.next(device)
            assert starts == [1_000_000 * block + 48 * number, 1_000_000 * block + 48 * number + 16]
            assert left == pieces - number - 1 and results.left == 0, "until the results are there"
            results.left = left
        assert begun == [1_000_000 * n for n in range(1, block + 1)] and device.blocks == [pieces * 48] * block
    results.next(device)
    results.left = 0  # the launch has failed: the device may have counted
    assert results.next(device)[0][0] == 4_000_000


def test_a_large_result_has_a_block_of_its_own(monkeypatch):
    monkeypatch.setattr(capture.cuda.copies, "begin_block", lambda *_: None)
    device, large = Device(), np.zeros(capture._BLOCK, np.uint8)
    assert _Results(device, "slot", [large, large]).next(device)[1] == 0
    assert device.blocks == [2 * capture._BLOCK]


def test_what_fills_a_buffer_is_cast_beside_it(monkeypatch):
    noted = []
    monkeypatch.setattr(persistent_buffers.cuda.copies, "copy_all", lambda xp, pairs: noted.append(("copy", pairs)))
    monkeypatch.setattr(persistent_buffers.cuda.copies, "cast_all", lambda xp, pairs: noted.append(("cast", pairs)))
    plain, cast = SimpleNamespace(array="a", narrow=None), SimpleNamespace(array="b", narrow="half b")
    first, second = SimpleNamespace(array="x"), SimpleNamespace(array="y")
    persistent_buffers.fill(None, [(first, plain), (second, cast)])
    assert noted == [("copy", [("a", "x"), ("b", "y")]), ("cast", [("half b", "b")])]
    assert (first.array, second.array) == ("a", "b")
    persistent_buffers.fill(None, [(first, plain)])
    assert noted[2:] == [("copy", [("a", "a")])]


class Stream:
    """A stream that notes for what it waits; in a ``with`` block it is the current one."""

    def __init__(self, name, device):
        self.name, self.device, self.waits = name, device, []

    def record(self):
        return self.name

    def wait_event(self, event):
        self.waits.append(event)

    def __enter__(self):
        self.device.streams.append(self)

    def __exit__(self, *_):
        self.device.streams.pop()


class Streams:
    """A device's streams, of which the last is the current one, as ``xp.cuda``."""

    def __init__(self):
        self.streams, self.collecting = [], []
        self.streams.append(Stream("main", self))
        self.side = Stream("side", self)
        self.runtime = SimpleNamespace(getDevice=lambda: 0)

    def get_current_stream(self):
        return self.streams[-1]

    @contextmanager
    def using_allocator(self, allocator):
        yield


@pytest.mark.parametrize("fails", [True, False])
def test_a_capture_aside_begins_after_what_others_began_and_they_go_on_after_it(monkeypatch, fails):
    cuda = Streams()
    xp, (main,), side = SimpleNamespace(cuda=cuda), cuda.streams, cuda.side
    monkeypatch.setattr(capture, "_last_user", {})
    monkeypatch.setattr(capture, "_side_stream", lambda xp, device: side)
    monkeypatch.setattr(capture.cuda.launch, "current_stream", lambda xp: xp.cuda.get_current_stream().name)
    capture._wait_for_others(xp)
    assert main.waits == [], "nobody has used what is shared"
    with suppress(ZeroDivisionError), capture._aside(xp, SimpleNamespace(malloc=None)) as stream:
        assert stream is side and cuda.get_current_stream() is side and not gc.isenabled()
        assert side.waits == ["main", "main"] and main.waits == []
        assert 1 / (not fails)
    assert gc.isenabled() and cuda.get_current_stream() is main and main.waits == ["side"]
    capture._wait_for_others(xp)
    assert main.waits == ["side"], "it was the last itself"
