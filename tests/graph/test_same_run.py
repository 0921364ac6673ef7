"""Two runs are equal in all that a replay repeats; each difference is refused with its reason."""

from types import SimpleNamespace

import numpy as np
import pytest

from minispore import Tensor, ops
from minispore.graph.outputs import RefusedError
from minispore.graph.recorder import Guard, Skip, Step, Value
from minispore.graph.same_run import check_equal

X, W, OTHER = Tensor([1.0]), Tensor([2.0]), Tensor([3.0])


def run(**changes):
    """A recording of ``relu(x + w)`` that reads a number back; ``changes`` replace parts of it."""
    parts = {
        "add": ops.Add(),
        "arguments": (Value(0), Value(1)),
        "results": (Value(2),),
        "constant": (Value(2), 0.0, np.float32([1, 2])),
        "guard": Guard(Value(3), np.float32([np.nan, 1.0])),
        "nest": (X, 1),
        "outside": {1: (W, W.array)},
        "returned": [Value(3), W],
        "skip": None,
        "writes": [(W, Value(3))],
        "more": [],
    } | changes
    first = Step(parts["add"], parts["arguments"], parts["results"], True, False)
    second = Step(ops.ReLU(), parts["constant"], (Value(3),), True, False)
    steps = [first, second, parts["guard"], *parts["more"]]
    return SimpleNamespace(steps=steps, **{k: parts[k] for k in ("nest", "outside", "returned", "skip", "writes")})


class Own(ops.Add):
    """An operation of another class."""


def attributed(value):
    add = ops.Add()
    add.add_prim_attr("mark", value)
    return add


OPERATIONS, ARGUMENTS = "did not take the same operations", "gave 'Add' different arguments"
CONSTANTS, READ, RETURNED = "gave 'ReLU' different arguments", "reads back to the host changes", "different values"
TENSORS = "did not use the same Tensors"
DIFFERENT = [
    ({}, {"more": [run().steps[0]]}, OPERATIONS),
    ({"guard": run().steps[0]}, {}, OPERATIONS),
    ({}, {"guard": run().steps[0]}, OPERATIONS),
    ({}, {"add": Own()}, "gave 'Own' different arguments"),
    ({"add": attributed(1)}, {"add": attributed(2)}, ARGUMENTS),
    ({"add": attributed(0.0)}, {"add": attributed(-0.0)}, ARGUMENTS),
    ({"add": attributed(1)}, {"add": attributed(True)}, ARGUMENTS),
    ({}, {"add": attributed(1)}, ARGUMENTS),
    ({}, {"arguments": (Value(1), Value(0))}, ARGUMENTS),
    ({}, {"arguments": (Value(0), Value(1), Value(1))}, ARGUMENTS),
    ({}, {"arguments": (Value(0), 1)}, ARGUMENTS),
    ({}, {"results": (Value(5),)}, ARGUMENTS),
    ({}, {"constant": (Value(2), -0.0, np.float32([1, 2]))}, CONSTANTS),
    ({}, {"constant": (Value(2), 0, np.float32([1, 2]))}, CONSTANTS),
    ({}, {"constant": (Value(2), 0.0, np.float32([1, 3]))}, CONSTANTS),
    ({}, {"constant": (Value(2), 0.0, np.float64([1, 2]))}, CONSTANTS),
    ({}, {"constant": (Value(2), 0.0, np.float32([[1, 2]]))}, CONSTANTS),
    ({}, {"constant": (Value(2), 0.0, (1.0, 2.0))}, CONSTANTS),
    ({}, {"guard": Guard(Value(2), np.float32([np.nan, 1.0]))}, READ),
    ({}, {"guard": Guard(Value(3), np.float32([np.nan, 2.0]))}, READ),
    ({}, {"nest": (X, 2)}, RETURNED),
    ({}, {"nest": [X, 1]}, RETURNED),
    ({}, {"nest": (X, 1, 1)}, RETURNED),
    ({}, {"outside": {4: (W, W.array)}}, TENSORS),
    ({}, {"outside": {1: (W, W.array), 4: (X, X.array)}}, TENSORS),
    ({}, {"returned": [Value(2), W]}, TENSORS),
    ({}, {"returned": [Value(3), X]}, TENSORS),
    ({}, {"returned": [W, Value(3)]}, TENSORS),
    ({}, {"returned": [Value(3)]}, TENSORS),
    ({}, {"skip": Skip(0, [])}, "did not skip the same writes"),
    ({}, {"writes": []}, "did not write the same Tensors"),
    ({}, {"writes": [(X, Value(3))]}, "did not write the same Tensors"),
    ({}, {"writes": [(W, Value(2))]}, "did not write the same Tensors"),
    ({}, {"outside": {1: (OTHER, OTHER.array)}}, "makes from Python's state changes"),
]


@pytest.mark.parametrize(("first", "second", "reason"), DIFFERENT, ids=map(str, range(len(DIFFERENT))))
def test_runs_that_differ_are_refused_and_say_in_what(first, second, reason):
    with pytest.raises(RefusedError, match=reason):
        check_equal(run(**first), run(**second))


EQUAL = [
    {},
    {"add": ops.Add()},
    {"guard": Guard(Value(3), np.float32([np.nan, 1.0]))},
    {"constant": (Value(2), 0.0, np.float32([1, 2]))},
    {"outside": {1: (Tensor([2.0]), np.float32([2.0]))}},  # a Tensor that each run makes anew, of equal values
    {"nest": (OTHER, 1)},
]


@pytest.mark.parametrize("changes", EQUAL, ids=map(str, range(len(EQUAL))))
def test_runs_that_differ_in_objects_alone_are_equal(changes):
    check_equal(run(), run(**changes))


def test_a_tensor_that_lives_between_the_runs_may_have_other_values():
    held = Tensor([1.0])
    check_equal(run(outside={1: (held, np.float32([1]))}), run(outside={1: (held, np.float32([5]))}))
