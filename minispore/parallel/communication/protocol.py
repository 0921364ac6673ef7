"""Group: what a group of processes does with arrays; an engine (MPI) supplies how the arrays move.

Before an array moves, the processes agree. Each hands the others a digest of its coming call, and compares theirs with
its own. Processes that disagree all raise an error, in place of waiting without end or computing with arrays that do
not belong together.

What they hand to each other is a record: its kind, and a digest or a length. All records have one size, so that the
record of a process that has failed can meet any other. An agreement may begin long before it is awaited. It is awaited
before the next exchange, so that the processes' exchanges end in the order in which they begin.
"""

import os
from contextlib import contextmanager, suppress

import numpy as np

from minispore.core import backend
from minispore.core.context import settings
from minispore.core.dtype import NARROW_FLOATS, from_numpy
from minispore.core.errors import runtime_error

__all__ = []

_CALL, _FAILURE, _TEXT = b"c", b"f", b"t"  # the kinds of records, their first bytes
_DIGEST = 16  # bytes after the first
_FAILED = _FAILURE + bytes(_DIGEST)  # the process makes no call, since it has failed
_COMES = _CALL + bytes(_DIGEST)  # the process makes no call, but has not failed
_EXTREMES = ("max", "min")


def description(array):
    """An array's kind in words: ``Float32 (2, 3)``."""
    return f"{from_numpy(array.dtype)} {array.shape}"


class Group:
    """The processes ``ranks`` (their numbers among all), of which this one is number ``rank``: base of the engines.

    The arrays are those of the engine's array module ``xp``: NumPy's, unless an engine moves those of a GPU. An engine
    has the methods that begin with an underscore below; ``operation`` is the name that its errors bear.
    """

    rank, ranks, hosts = 0, (0,), ("",)
    xp = np
    _begun = None  # the function that waits for the agreement that has begun, until it is awaited

    def taken(self, array):
        """An array of the current device as one of the engine's."""
        return backend.to_host(array)

    @property
    def size(self):
        """The number of processes."""
        return len(self.ranks)

    def local(self):
        """``(number, count)`` of this process among those of the group on its machine."""
        here = [rank for rank, host in enumerate(self.hosts) if host == self.hosts[self.rank]]
        return here.index(self.rank), len(here)

    # The methods of an engine

    def _start_exchange(self, operation, record):
        """Begin to exchange; returns the function that waits, and returns every process's ``record``, in order.

        The records are bytes of one length. Here, as in :meth:`start_sum`, an engine may leave all to the wait.
        """
        raise NotImplementedError

    def start_sum(self, operation, array):
        """Begin to sum arrays on which the processes have agreed; returns the function that waits for the sum.

        The array is given away: the sum may have its memory.
        """
        return lambda: self._all_reduce(operation, array, "sum")

    def advance(self):
        """Let what has begun proceed, without waiting."""

    def give_up(self, operation):
        """Let the group be used no more, since what ``operation`` has begun is not awaited."""

    def _all_reduce(self, operation, array, op):
        """The arrays of all processes combined by "sum", "max", "min" or "prod"."""
        raise NotImplementedError

    def _all_gather(self, operation, array):
        """An array of shape ``(size, *array.shape)``: those of all processes."""
        raise NotImplementedError

    def _reduce_scatter(self, operation, array, op):
        """Part ``rank`` of ``size`` of the combined arrays, along axis 0."""
        raise NotImplementedError

    def _broadcast(self, operation, array, root):
        """The array of process ``root``."""
        raise NotImplementedError

    def _split(self, ranks):
        """The Group of the processes ``ranks`` among these, or None for a process outside; all of these call it."""
        raise NotImplementedError

    # Tools of the operations above

    def agree(self, operation, call):
        """Raise RuntimeError in every process unless all are about to make the same ``call``, a text of lines."""
        self.start_agreement(operation, call)()

    def start_agreement(self, operation, call):
        """Begin to :meth:`agree`; returns the function that waits for the others, and may be called again."""
        import hashlib  # not at the top: it brings OpenSSL into the import of minispore

        self._await_begun()
        digest = hashlib.blake2b(f"{operation}\n{call}".encode(), digest_size=_DIGEST).digest()
        exchanged, outcome = self._start_exchange(operation, _CALL + digest), []

        def finish():
            if not outcome:
                self._begun = None
                outcome.append(self._differing(operation, call, exchanged()))
            if outcome[0] is not None:
                raise outcome[0]

        self._begun = finish
        return finish

    def _await_begun(self):
        if self._begun is not None:
            self._begun()

    def fail(self, operation, error):
        """Tell the others, when they agree on what they do next, that this process has ended it by ``error``.

        They all raise RuntimeError then, unless they have failed too. An error that all of them have raised, since they
        disagree, needs no telling. Another error on the way, such as that a process does not come, does not matter:
        ``error`` came before it.
        """
        if getattr(error, "among", None) is self:
            return
        with suppress(RuntimeError):
            if set(self._exchange(operation, _FAILED)) != {_FAILED}:
                self.exchange_texts(operation, f"the error {type(error).__name__}: {error}")

    def failures(self, operation):
        """The failures that processes report by :meth:`fail`, by rank."""
        failed = [record == _FAILED for record in self._exchange(operation, _COMES)]
        texts = self.exchange_texts(operation, "")
        return {rank: text for rank, text, own in zip(self.ranks, texts, failed, strict=True) if own}

    @contextmanager
    def reporting_errors(self, operation):
        """Tell the others of an error in a ``with`` block that they do not run."""
        try:
            yield
        except Exception as error:
            self.fail(operation, error)
            raise

    def _differing(self, operation, call, records):
        """The error of a call of which the others tell by other records; None if they make the same."""
        if len(set(records)) == 1:
            return None
        self._check_kinds(operation, records, {_CALL, _FAILURE})
        return self._disagreement(operation, [f"{operation} of {line}" for line in call.split("\n")])

    def _check_kinds(self, operation, records, kinds):
        """Raise RuntimeError, and let the group be used no more, if a record is of another kind than these."""
        if not {record[:1] for record in records} <= kinds:
            self.give_up(operation)
            expected = f"all {self.size} ranks must exchange texts, or all must agree"
            raise runtime_error(
                operation, expected, f"on rank {self.ranks[self.rank]} that some do the one, some the other"
            )

    def _disagreement(self, operation, lines):
        """The error that shows the first line in which the processes differ, and who says what."""
        texts = [text.split("\n") for text in self.exchange_texts(operation, "\n".join(lines))]
        longest = max(map(len, texts))
        rows = zip(*[[*text, *["nothing more"] * (longest - len(text))] for text in texts], strict=True)
        differing = next(row for row in rows if len(set(row)) > 1)
        by_call = {}
        for rank, line in zip(self.ranks, differing, strict=True):
            by_call.setdefault(line, []).append(rank)
        said = "; ".join(f"rank {', '.join(map(str, ranks[:8]))}: {line}" for line, ranks in by_call.items())
        expected = f"all {self.size} ranks must make the same calls in the same order"
        error = runtime_error(operation, expected, f"on rank {self.ranks[self.rank]} that they differ: {said}")
        error.among = self  # all of them raise it
        return error

    def _exchange(self, operation, record):
        self._await_begun()
        return self._start_exchange(operation, record)()

    def exchange_texts(self, operation, text):
        """The ``text`` of every process, in order."""
        mine = text.encode()
        records = self._exchange(operation, _TEXT + len(mine).to_bytes(_DIGEST, "little"))
        self._check_kinds(operation, records, {_TEXT})
        lengths = [int.from_bytes(record[1:], "little") for record in records]
        texts = self._exchange(operation, mine.ljust(max(lengths), b"\0"))
        return [text[:n].decode() for text, n in zip(texts, lengths, strict=True)]

    def all_reduce(self, operation, array, op="sum", factor=1.0):
        """The arrays of all processes combined by ``op``, times ``factor``: narrow floats in float32, rounded once."""
        self.agree(operation, f"{op} over {description(array)}")
        return self._reduced(operation, array, op, factor)

    def _reduced(self, operation, array, op, factor):
        if op in _EXTREMES:  # NaN passes, which an engine's own maximum may drop
            return getattr(self.xp, op)(self._all_gather(operation, array), axis=0)
        return _rounded(self._all_reduce(operation, self._widened(array), op), array.dtype, factor)

    def all_gather(self, operation, array):
        """The arrays of all processes, along a new axis 0."""
        self.agree(operation, description(array))
        return self._all_gather(operation, array)

    def reduce_scatter(self, operation, array, op="sum"):
        """This process's part, along axis 0, of the arrays combined by ``op``."""
        self.agree(operation, f"{op} over {description(array)}")
        if op in _EXTREMES:
            return self.xp.split(self._reduced(operation, array, op, 1.0), self.size)[self.rank]
        return _rounded(self._reduce_scatter(operation, self._widened(array), op), array.dtype, 1.0)

    def broadcast(self, operation, arrays, root, names=None):
        """The arrays that process ``root`` has, as a list."""
        named = zip(names or map("x[{}]".format, range(len(arrays))), arrays, strict=True)
        self.agree(operation, "\n".join([f"root {root}", *[f"'{name}' {description(array)}" for name, array in named]]))
        return [self._broadcast(operation, array, root) for array in arrays]

    def reduce_flat(self, operation, buckets, factor):
        """The sums over the processes times ``factor``, of lists of arrays that travel as one flat array each."""
        self.agree(operation, "\n".join(description(array) for bucket in buckets for array in bucket))
        return [self._reduce_bucket(operation, bucket, factor) for bucket in buckets]

    def _reduce_bucket(self, operation, bucket, factor):
        flat = self.xp.concatenate([self._widened(array).reshape(-1) for array in bucket])
        summed = self._all_reduce(operation, flat, "sum")
        parts = self.xp.split(summed, np.cumsum([array.size for array in bucket])[:-1].tolist())
        return [
            _rounded(part.reshape(array.shape), array.dtype, factor) for part, array in zip(parts, bucket, strict=True)
        ]

    def _widened(self, array):
        wide = array.astype(np.float32) if array.dtype in NARROW_FLOATS else array
        return self.xp.asarray(wide, order="C")

    def barrier(self, operation):
        """Wait until all processes have come here."""
        self.agree(operation, "all ranks")

    def split(self, operation, name, ranks):
        """The Group of the processes ``ranks`` among these, or None for a process outside; all of these call it."""
        self.agree(operation, f"'{name}' with the ranks {list(ranks)}")
        return self._split(ranks)

    def close(self):
        """Release what the engine holds."""


class Alone(Group):
    """The group of one process, whose arrays go nowhere."""

    def _start_exchange(self, operation, record):
        return lambda: [record]

    def _all_reduce(self, operation, array, op):
        return array.copy()

    def _all_gather(self, operation, array):
        return array[None].copy()

    def _reduce_scatter(self, operation, array, op):
        return array.copy()

    def _broadcast(self, operation, array, root):
        return array.copy()

    def _split(self, ranks):
        return Alone()


def late(operation, group):
    """The error of a process that has waited for the others as long as ``op_timeout`` allows."""
    expected = f"all {group.size} ranks must come within the op_timeout of {settings['op_timeout']} seconds"
    waiting = f"rank {group.ranks[group.rank]} (process {os.getpid()}) waiting for ranks that have not"
    return runtime_error(operation, f"{expected} (set_context(op_timeout=...) changes it)", waiting)


def _rounded(array, dtype, factor):
    with np.errstate(all="ignore"):
        return (array if factor == 1.0 else array * array.dtype.type(factor)).astype(dtype, copy=False)
