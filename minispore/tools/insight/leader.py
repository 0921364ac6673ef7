"""The leader: among the processes that rerun a data-parallel step, the one that decides by its own observations.

Each run waits for all processes: so all must run the step in the same ways. All know if it overflowed. Other facts,
such as the operation that made a nan, one process sends to the others.
"""

import json

from minispore.parallel.communication import world
from minispore.parallel.communication.protocol import Alone

__all__ = []


def processes_of(step):
    """The Group of the processes that make a subject, a training step, together."""
    return world.world() if step.shared else Alone()


def elected(operation, members, saw):
    """The leader: the first process that ``saw`` something, otherwise the first of all."""
    seen = [text == "yes" for text in members.exchange_texts(operation, "yes" if saw else "no")]
    return Leader(operation, members, seen)


class Leader:
    """The process that sends its findings to the others.

    Args:
        operation (str): The name in error messages.
        members (Group): The processes.
        seen (list[bool]): For each process True if it has seen something: the first such process leads.

    Attributes:
        ranks (tuple): Their numbers; empty in a single process.
    """

    def __init__(self, operation, members, seen):
        self._operation, self._members, self._alone = operation, members, members.size == 1
        self._number = seen.index(True) if True in seen else 0
        self.ranks = () if self._alone else tuple(rank for rank, saw in zip(members.ranks, seen, strict=True) if saw)

    def broadcast(self, look):
        """The leader's result of ``look()``, in all processes; of JSON's types, except in a single process."""
        if self._alone:
            return look()
        mine = json.dumps(look()) if self._members.rank == self._number else ""
        return json.loads(self._members.exchange_texts(self._operation, mine)[self._number])

    def chosen(self, look, among):
        """The leader's choice ``look()`` from the list ``among``; in the others the object at the same index."""
        if self._alone:
            return look()

        def index():
            found = look()
            return next((i for i, x in enumerate(among) if x is found), None)

        found = self.broadcast(index)
        return None if found is None else among[found]

    def gather(self, lines):
        """The different lines of all processes."""
        if self._alone:
            return lines
        texts = self._members.exchange_texts(self._operation, json.dumps(lines))
        return list(dict.fromkeys(line for text in texts for line in json.loads(text)))
