"""Guards of further arguments: what was guarded before keeps the state that it had then."""

from minispore.graph.guards import Guards


class Held:
    """An object with a number."""

    def __init__(self, number):
        self.number = number


def reads(held):
    return held.number


def test_an_argument_that_is_guarded_already_keeps_its_first_state():
    held = Held(1)
    guards = Guards(reads, [held])
    held.number = 2
    guards.add([held, 3, None])
    assert guards.changed()


def test_a_further_argument_is_guarded_too():
    first, further = Held(1), Held(1)
    guards = Guards(reads, [first])
    further.number = 2
    assert not guards.changed()
    guards.add([further])
    assert not guards.changed()
    further.number = 3
    assert guards.changed()
