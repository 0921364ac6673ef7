"""Speaker: of the processes that run a data-parallel step again, the one that decides by what it alone has seen.

Each run waits for all processes, so that all must run the step in the same ways. Whether it overflowed they know alike;
what else a decision depends on, such as the operation from which a nan comes, one tells the others.
"""

import json

from minispore.parallel.communication import world
from minispore.parallel.communication.protocol import Alone

__all__ = []


def processes_of(step):
    """The Group of the processes that make a training step together, which is a subject."""
    return world.world() if step.shared else Alone()


def elected(operation, members, saw):
    """The first of the processes that ``saw`` something, as a Speaker; the first of all if none did."""
    seen = [text == "yes" for text in members.exchange_texts(operation, "yes" if saw else "no")]
    return Speaker(operation, members, seen)


class Speaker:
    """One process, which tells the others.

    Args:
        operation (str): The name that errors bear.
        members (Group): The processes.
        seen (list[bool]): Which of them have seen something: the first of these speaks.

    Attributes:
        ranks (tuple): The numbers of those that have; empty where there is one process alone.
    """

    def __init__(self, operation, members, seen):
        self._operation, self._members, self._alone = operation, members, members.size == 1
        self._number = seen.index(True) if True in seen else 0
        self.ranks = () if self._alone else tuple(rank for rank, saw in zip(members.ranks, seen, strict=True) if saw)

    def told(self, look):
        """The result of ``look()`` in this process, in all of them: of JSON's types, unless there is one alone."""
        if self._alone:
            return look()
        mine = json.dumps(look()) if self._members.rank == self._number else ""
        return json.loads(self._members.exchange_texts(self._operation, mine)[self._number])

    def chosen(self, look, among):
        """The object of the list ``among`` that ``look()`` gives here; in the others the one at the same place."""
        if self._alone:
            return look()

        def place():
            found = look()
            return next((i for i, x in enumerate(among) if x is found), None)

        found = self.told(place)
        return None if found is None else among[found]

    def of_all(self, lines):
        """The lines of all processes, each once."""
        if self._alone:
            return lines
        told = self._members.exchange_texts(self._operation, json.dumps(lines))
        return list(dict.fromkeys(line for text in told for line in json.loads(text)))
