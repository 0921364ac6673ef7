"""Capture: a replay as one CUDA graph, which a GPU runs by one launch and without the host.

The first call runs the replay on its own stream and in its own memory pool, then once more while the stream is
captured. A graph knows addresses only. So it reads copies of the inputs. Tensors that outlive the call have persistent
buffers (``persistent_buffers.py``). The graph's last kernel copies the writes into these, but not in a skipped step. It
also copies the results to a fresh output buffer of the call; its address is passed to the graph on the device.

A replay that cannot be captured runs as before; ``reason`` says why.
"""

import gc
import logging
import threading
import traceback
import weakref
from contextlib import contextmanager, suppress
from functools import cache, partial

import numpy as np

from minispore.core import backend, nest
from minispore.core.dtype import NARROW_FLOATS
from minispore.core.journal import journals
from minispore.core.parameter import Parameter
from minispore.core.running import under
from minispore.core.seeds import rewind, seed
from minispore.core.silence import silent
from minispore.core.tensor import Tensor, wrap
from minispore.devices import cuda, device_memory, transfers
from minispore.devices.cuda import persistent_buffers
from minispore.devices.cuda.device_draws import draws_of
from minispore.devices.cuda.elementwise_group import is_elementwise
from minispore.graph import facts, jit_function
from minispore.graph.constant_steps import with_constants_computed
from minispore.graph.elementwise_groups import with_elementwise_groups
from minispore.graph.narrow_layer_norm import with_layer_norms_cast
from minispore.graph.one_launch import with_scale_rules_merged
from minispore.graph.outputs import RefusedError
from minispore.graph.recorder import Guard, Value, values_of
from minispore.graph.replay import SOURCE_NAME, Replay
from minispore.graph.sums_together import with_sums_together
from minispore.graph.unscaled_update import with_updates_unscaled
from minispore.ops.casting import Cast

__all__ = []

_WARM = 2  # runs before a capture: they compile kernels, and fill the pool with the memory that the capture takes
_TRIES = 2  # number of captures; one of them must find all of its memory in the pool
_PATIENCE = 2  # calls to wait until nothing else holds the arrays of its persistent buffers
_MOVES, _WORTH = 8, 32  # captures allowed at first, and launches that pay for one more
_WARNING = "'%s' is replayed operation by operation, not as one graph: %s."
_reported = set()  # pairs of a function's name and a reported reason
_BLOCK, _PIECES, _GRAIN = 1 << 16, 256, 16  # bytes of a block of results, most pieces in one, bytes between results


class CapturedReplay(Replay):
    """A :class:`Replay` that is captured by its first call.

    Args:
        first (Recording): The record of one run.
        second (Recording): The record of the next run.
        name (str): The function's name in the warning that says why it is not captured.
        owner (object): The cell whose call ends with the function, or None.
    """

    passes = (
        *(with_updates_unscaled, with_layer_norms_cast, with_sums_together),
        *(partial(with_elementwise_groups, is_elementwise=is_elementwise), with_constants_computed),
    )

    def __init__(self, first, second, name, owner=None):
        super().__init__(with_scale_rules_merged(first), with_scale_rules_merged(second))
        self._name, self._owner, self._graph = name, owner, None
        self._held, self._captures, self._launches = 0, 0, 0
        self.narrow_inputs = _casts_of_inputs(second)
        self.reason = None
        self._refuse(self._refusal(second))

    def _refuse(self, reason):
        """Leave the replay without a graph, and report the reason, once; None for no reason."""
        self.reason = reason
        if reason is not None and (self._name, reason) not in _reported:
            _reported.add((self._name, reason))
            logging.getLogger("minispore").warning(_WARNING, self._name, reason)

    def _refusal(self, recording):
        """The recording's reason against a capture, or None."""
        for step in recording.steps:
            if isinstance(step, Guard):
                return "it reads a value back to the host"
            if facts.runs_python(step.primitive):
                return f"'{step.primitive.name}' runs Python in each call"
            if not step.primitive.ours:
                return f"'{step.primitive.name}' is a primitive of the user's own, which may keep state in Python"
        return None

    def __call__(self, inputs):
        """The function's output for ``inputs``, a list of Tensors; LeftPathError has no effect."""
        if self.reason is None and self._may_write():
            with _one_at_a_time:
                if self._is_ready(inputs):
                    return self._launched(inputs)
        return super().__call__(inputs)

    def _may_write(self):
        """True if the writes will not be undone: the only journal belongs to a call that ends here."""
        kept = journals() if self._writes else ()
        return not kept or (self._owner is not None and len(kept) == 1 and kept[0].owner is self._owner)

    def _is_ready(self, inputs):
        """True if the graph may be launched now: it is captured, and all Tensors hold their persistent buffers."""
        self._check_shared()
        graph = self._graph
        if graph is None or graph.moves != persistent_buffers.moves:
            graph = self._graph = self._captured(inputs)
        if graph is None or graph.stream != backend.xp.cuda.get_current_stream().ptr:
            return False
        return not self._wait_for_holders()

    def _wait_for_holders(self):
        """Bring Tensors back to their buffers; True if this, or a launch, would change an array that others hold."""
        to_fill, shared = [], []
        for t, buffer, written in self._graph.buffers:
            in_buffer = t.array is buffer.array
            if not in_buffer:
                to_fill.append((t, buffer))
            if (written or not in_buffer) and persistent_buffers.is_shared(buffer, in_buffer):
                shared.append(buffer)
        self._held = self._held + 1 if shared else 0
        if self._held > _PATIENCE:
            for buffer in shared:
                buffer.move()
        if not shared and to_fill:
            self._check_outside()
            persistent_buffers.fill(backend.xp, to_fill)
        return bool(shared)

    def _launched(self, inputs):
        self._launches += 1
        _wait_for_others(backend.xp)
        self._graph.load(inputs)
        arrays = iter(self._graph.launch(backend.xp))
        leaves = [y if isinstance(y, Parameter) else wrap(next(arrays)) for y in self._returned]
        return leaves[0] if self._bare else nest.replace_leaves(Tensor, self._nest, leaves)

    def _captured(self, inputs):
        """The graph; None where it cannot be made, with the reason in ``reason``."""
        self._check_outside()
        self._captures += 1
        try:
            if self._captures > _MOVES + self._launches // _WORTH:
                raise RefusedError("other Tensors hold the arrays of its Parameters from call to call")
            if any(other() is not None and id(t) not in self._constant for t, other in self._also):
                raise RefusedError("Tensors that it uses share their memory")
            return _Graph(self, inputs)
        except RefusedError as reason:
            self._refuse(str(reason))
            return None

    # The parts of a graph

    def tensors(self):
        """Triples: a Tensor that outlives the call, its persistent buffer, and True if the replay writes it."""
        written = {id(t) for t in self._writes}
        known = {id(t): t for t in (*self._live, *self._writes) if id(t) not in self._constant}
        return [(t, persistent_buffers.buffer_of(t), key in written) for key, t in known.items()]

    def values(self):
        """The arrays of the outside Tensors: persistent buffers, or for constants the arrays themselves."""
        return [t.array if id(t) in self._constant else persistent_buffers.buffer_of(t).array for t in self._live]

    def computed(self, inputs, values):
        """The replay's results and writes, each a list of arrays, and the flag to skip the writes, or None."""
        with silent(), under(cast_cache={}):
            arrays = self._run(backend.xp, inputs, values)
        count, skip = len(self._returned), self._skip
        returned = [y for y, value in zip(arrays, self._returned, strict=False) if isinstance(value, Value)]
        return returned, arrays[count:], None if skip is None else arrays[skip.index]

    @property
    def may_skip(self):
        """True if a run may skip its writes."""
        return self._skip is not None

    def is_skipped(self, tensor):
        """True if a skipped step leaves out the write of this Tensor."""
        return self.may_skip and all(tensor is not t for t in self._skip.but)

    @property
    def written(self):
        """The Tensors that the replay writes."""
        return self._writes

    @property
    def most_copies(self):
        """At least the number of the results, the writes, and the writes' narrow copies."""
        return len(self._returned) + 2 * len(self._writes)

    def place_of(self, error):
        """The name of the operation that raised ``error``, or None."""
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if frame.filename == SOURCE_NAME:
                return self.source.splitlines()[frame.lineno - 1].rpartition("# ")[2]
        return None


class _Graph:
    """A captured replay: the graph, the buffers that it reads and writes, and the memory for results."""

    def __init__(self, replay, inputs):
        xp = backend.xp
        self.stream = xp.cuda.get_current_stream().ptr
        self.buffers = replay.tensors()
        _check_rows([*(t.array for t, _, _ in self.buffers), *(x.array for x in inputs)])
        narrow = replay.narrow_inputs
        self.inputs = [xp.empty(x.shape, narrow.get(i, x.array.dtype)) for i, x in enumerate(inputs)]
        self.load(inputs)
        self._fill_all(xp)
        values = replay.values()
        self._draws = draws_of(xp, xp.cuda.runtime.getDevice()) if replay.is_random else None
        self._may_skip = replay.may_skip
        if self._draws is not None:
            self._draws.hand_over()
        narrow = [buffer.narrow for _, buffer, _ in self.buffers if buffer.narrow is not None]
        self._protected = {id(x.data.mem): x.data.mem for x in (*self.inputs, *values, *narrow)}
        self._slot = xp.empty(2, np.int64)
        self._delivery = cuda.copies.Delivery(xp, 1 + replay.most_copies)
        self._pool = xp.cuda.MemoryPool()  # its own pool: later arrays must not lie in the graph's memory
        device_memory.count_pool(xp, self._pool)
        weakref.finalize(self, device_memory.release_pool, xp, self._pool).atexit = False  # it then has gone itself
        with _aside(xp, self._pool) as stream, transfers.asked_numbers() as self._numbers:
            self._graph = self._captured(xp, stream, replay, values)
        device_memory.figures(xp)  # the peak may be now
        if any(cuda.narrow_copies.narrow_of(buffer.array) is not buffer.narrow for _, buffer, _ in self.buffers):
            raise RefusedError("one of its Parameters is cast to two types")
        self.moves = persistent_buffers.moves

    def load(self, inputs):
        """Copy the inputs into the graph's input buffers, rounded where it reads only their cast."""
        for copy, x in zip(self.inputs, inputs, strict=True):
            if copy.dtype == x.array.dtype:
                copy.data.copy_from_device_async(x.array.data, copy.nbytes)
            else:
                cuda.copies.cast_all(backend.xp, [(copy, x.array)])

    def launch(self, xp):
        """Launch the graph; returns arrays that will hold the results."""
        results, left = self._results.next(xp)
        if self._draws is not None:
            self._draws.hand_over()
            if self._may_skip:
                self._draws.leave()
            else:
                self._draws.take(self._taken)
        self._graph.launch()
        self._results.left = left
        return results

    def _fill_all(self, xp):
        """Bring all Tensors to their persistent buffers; to new buffers if something else holds the old arrays."""
        for t, buffer, _ in self.buffers:
            if persistent_buffers.is_shared(buffer, t.array is buffer.array):
                buffer.move()
        persistent_buffers.fill(xp, [(t, buffer) for t, buffer, _ in self.buffers if t.array is not buffer.array])

    def _captured(self, xp, stream, replay, values):
        """The graph of one run; the runs before it fill the pool with the memory that it takes."""
        try:
            for _ in range(_WARM):
                self._rehearse(xp, replay, *self._computed(replay, values))
            for _ in range(_TRIES):
                held = self._pool.total_bytes()
                with _capturing(stream) as captured:
                    self._deliver(xp, replay, *self._computed(replay, values))
                if self._pool.total_bytes() == held:
                    self._delivery.send()
                    return captured[0]
        except RefusedError:
            raise
        except Exception as error:
            name, what = replay.place_of(error), f"{type(error).__name__}: {error}".splitlines()[0]
            raise RefusedError(f"'{name}' cannot be captured ({what})" if name else what) from None
        raise RefusedError("the memory that it takes differs from run to run")

    def _computed(self, replay, values):
        """Run the replay; the random streams that it takes are numbered by the device's count, and given back."""
        if self._draws is None:
            return replay.computed([*self.inputs], values)
        begun = seed.draws
        try:
            with self._draws.counting() as counting:
                found = replay.computed([*self.inputs], values)
            self._taken = seed.draws - begun
            if not counting.covers_all_draws:
                raise RefusedError("the host draws some of its random numbers")
        finally:
            rewind(begun)
        return found

    def _rehearse(self, xp, replay, returned, written, skip):
        """Compile the kernels of :meth:`_deliver`, and take its memory: nothing is copied."""
        self._results = _Results(xp, self._slot, returned)
        self._results.next(xp)
        always, unless = self._copies_into_buffers(xp, replay, written)
        self._results.pairs(xp, returned, [y for y, _ in (*always, *unless)])
        nothing = [xp.empty(0, np.uint8)] * 2
        self._delivery.launch(xp, self._slot, 0, (), (nothing,), (), None)
        if self._draws is not None:
            self._draws.advance(0, skip)

    def _deliver(self, xp, replay, returned, written, skip):
        """Copy the results to their address, and the writes to the buffers."""
        if self._draws is not None:
            self._draws.advance(self._taken, skip)
        always, unless = self._copies_into_buffers(xp, replay, written)
        results = self._results.pairs(xp, returned, [y for y, _ in (*always, *unless)])
        if results or always or unless:
            self._delivery.launch(xp, self._slot, self._results.piece, results, always, unless, skip)

    def _copies_into_buffers(self, xp, replay, written):
        """Pairs of a buffer and an array of new values: always copied, and left out in a skipped step."""
        always, unless = [], []
        for t, new in zip(replay.written, written, strict=True):
            buffer = persistent_buffers.buffer_of(t)
            if (new.shape, new.dtype) != (buffer.array.shape, buffer.array.dtype):
                raise RefusedError("the shape or the type of a Parameter changes")
            new = xp.array(new, order="C") if id(new.data.mem) in self._protected else xp.ascontiguousarray(new)
            pairs = unless if replay.is_skipped(t) else always
            pairs.append((buffer.array, new))
            if buffer.narrow is not None:
                pairs.append((buffer.narrow, _cast_of(new, buffer.narrow.dtype)))
        return [pair for pair in always if pair[0].size], [pair for pair in unless if pair[0].size]


def _casts_of_inputs(recording):
    """Index of an input -> the narrow dtype to which each of its readers casts it."""
    readers = {}
    for step in recording.steps:
        for x in values_of(step):
            is_cast = not isinstance(step, Guard) and type(step.primitive) is Cast
            readers.setdefault(x.number, set()).add(step.arguments[1] if is_cast else None)
    kept = {y.number for y in recording.returned if isinstance(y, Value)} | {v.number for _, v in recording.writes}
    single = {i: readers[i] for i in range(recording.inputs) if i not in kept and len(readers.get(i, ())) == 1}
    wide = {i: kinds for i, kinds in single.items() if recording.memories[i].dtype == np.float32}
    return {i: next(iter(kinds)) for i, kinds in wide.items() if kinds <= NARROW_FLOATS}


def _cast_of(array, dtype):
    """The narrow copy of a Parameter's new values: written by the optimizer's kernel, or made here."""
    narrow = cuda.narrow_copies.narrow_of(array)
    return narrow if narrow is not None and narrow.dtype == dtype else array.astype(dtype)


class _Results:
    """Memory for results: pieces of a block, of a new one when all are used; none is written twice."""

    def __init__(self, xp, slot, arrays):
        self._kinds, self.piece = [], 0
        for y in arrays:
            self._kinds.append((y.shape, y.dtype, self.piece))
            self.piece += -(-y.nbytes // _GRAIN) * _GRAIN
        self._pieces = max(1, min(_PIECES, _BLOCK // max(1, self.piece)))
        self._slot, self.left = slot, 0  # pieces that are left; 0 where the device may count otherwise

    def next(self, xp):
        """The arrays of the coming results, and how many pieces are left once they are there."""
        left, self.left = self.left, 0
        if not left:
            self._block, left = xp.empty(self._pieces * self.piece, np.uint8), self._pieces
            cuda.copies.begin_block(xp, self._slot, self._block)
        start = self._block.data + (self._pieces - left) * self.piece
        return [xp.ndarray(shape, dtype, start + offset) for shape, dtype, offset in self._kinds], left - 1

    def pairs(self, xp, arrays, overwritten):
        """Pairs of a result, laid out row by row, and its place in a piece.

        Of what lies in ``overwritten`` memory only a whole array can be read while it is overwritten: else a copy is.
        """
        whole = {y.data.ptr: y.nbytes for y in overwritten}
        memories, found = {id(y.data.mem) for y in overwritten}, []
        for y, (_, _, place) in zip(arrays, self._kinds, strict=True):
            y = xp.ascontiguousarray(y)
            if id(y.data.mem) in memories and whole.pop(y.data.ptr, None) != y.nbytes:
                y = xp.array(y, order="C")
            if y.size:
                found.append((y, place))
        return found


def _check_rows(arrays):
    if not all(x.flags.c_contiguous for x in arrays):
        raise RefusedError("one of its inputs, or a Parameter, is not laid out row by row")


_one_at_a_time = threading.RLock()  # for captures and launches: graphs share buffers, counters and memory
_last_user = {}  # device -> the stream that used these last, and a key of it


def _wait_for_others(xp):
    """Let the current stream wait for another one that uses the shared buffers, counters and memory."""
    device, here = xp.cuda.runtime.getDevice(), cuda.launch.current_stream(xp)
    last, known = _last_user.get(device, (None, None))
    if known == here:
        return
    stream = xp.cuda.get_current_stream()
    if last is not None:
        stream.wait_event(last.record())
    _last_user[device] = stream, here


@cache
def _side_stream(xp, device):
    """The stream of a device for captures."""
    return xp.cuda.Stream(non_blocking=True)


@contextmanager
def _aside(xp, pool):
    """Compute on the stream of captures, in a pool; earlier work comes before it, later work after it."""
    stream = _side_stream(xp, xp.cuda.runtime.getDevice())
    here, collecting = xp.cuda.get_current_stream(), gc.isenabled()
    stream.wait_event(here.record())
    gc.disable()  # freeing an object meanwhile may call CUDA
    try:
        with stream, xp.cuda.using_allocator(pool.malloc):
            _wait_for_others(xp)
            yield stream
    finally:
        if collecting:
            gc.enable()
        _wait_for_others(xp)


@contextmanager
def _capturing(stream):
    """Capture the work on the current stream into a list of one graph."""
    captured = []
    stream.begin_capture()
    try:
        yield captured
    except BaseException:
        with suppress(Exception):  # the capture may be invalid by now: the first error is the one to report
            stream.end_capture()
        raise
    captured.append(stream.end_capture())


jit_function.captured_replay = CapturedReplay
