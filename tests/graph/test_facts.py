"""What graph mode knows of primitives: every name in its tables is a class, and a user's own primitive has no facts."""

import pytest

from minispore import nn, ops
from minispore.core.primitive import Primitive
from minispore.graph import facts
from minispore.ops import operations as P  # noqa: N812 - the field's name for it


def names_of_classes():
    found, classes = set(), [Primitive]
    while classes:
        kind = classes.pop()
        found.add(kind.__name__)
        classes += kind.__subclasses__()
    return found


@pytest.mark.parametrize("table", [facts._SHARES, facts._IN_PYTHON, facts._FORMS], ids=["shares", "python", "forms"])
def test_every_name_is_that_of_a_primitive(table):
    assert nn.Optimizer and ops  # all primitives are imported
    assert set(table) <= names_of_classes()


def test_a_subclass_has_the_facts_of_its_base_and_a_users_own_has_none():
    assert not facts.owns_memory(P.Reshape()) and facts.owns_memory(P.Add())
    assert (facts.float16_form(P.Reshape()), facts.float16_form(P.Add())) == ("exact", "rounded")
    assert facts.float16_form(P.Tanh()) == "rounded" and facts.float16_form(P.Exp()) is None

    class Mine(P.Add):
        pass

    mine = Mine()
    assert not facts.owns_memory(mine) and not facts.computes_into(mine) and facts.float16_form(mine) is None


def test_elementwise_operations_of_the_array_module_compute_into_memory_that_is_given():
    assert facts.computes_into(P.Add()) and facts.computes_into(P.ReLU()) and facts.computes_into(P.BiasAdd())
    assert not facts.computes_into(P.MatMul()) and not facts.computes_into(P.FloorDiv())


def test_what_runs_python_or_waits_says_so():
    custom = P.Custom(lambda x: x, lambda x: x, lambda x: x, "pyfunc")
    assert facts.runs_python(custom) and not facts.runs_python(P.Add())
    assert not facts.waits(P.AllReduce()) and not facts.waits(P.Add())
