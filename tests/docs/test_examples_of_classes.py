"""Public classes and functions of layers, data, training, amp, rewrite and insight: each has an example that prints.

That the examples are true is held by ``test_docstring_examples.py``.
"""

import doctest
import importlib
import inspect
import re

import pytest

SHAPE = re.compile(r"[(), 0-9\n]+")
ROOMS = ["nn", "amp", "train", "rewrite", "insight", "dataset"]
ROOMS += ["dataset.audio", "dataset.transforms", "dataset.vision", "dataset.text"]


def public(room):
    """The public classes and functions of a room that are the package's, by name."""
    module = importlib.import_module(f"minispore.{room}")
    names = getattr(module, "__all__", dir(module))
    found = {name: getattr(module, name, None) for name in names if not name.startswith("_")}
    return {name: value for name, value in found.items() if _is_own(value)}


def _is_own(value):
    kinds = inspect.isclass(value) or inspect.isfunction(value)
    return kinds and getattr(value, "__module__", "").startswith("minispore")


# Names whose examples print shapes alone -> why
SHAPES = {
    "dataset.vision": "AutoAugment RandAugment TrivialAugmentWide UniformAugment",  # their values are drawn
}


def outputs(value):
    """The examples in the docstring that show an output."""
    return [example for example in doctest.DocTestParser().get_examples(value.__doc__ or "") if example.want]


def prints(value):
    """True if an example in the docstring shows an output."""
    return bool(outputs(value))


def prints_values(value):
    """True if an output is more than a shape."""
    return any(not (".shape" in each.source and SHAPE.fullmatch(each.want)) for each in outputs(value))


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_has_an_example_that_prints(room):
    assert {name for name, value in public(room).items() if not prints(value)} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_every_example_prints_values_and_not_shapes_alone(room):
    found = {name for name, value in public(room).items() if prints(value) and not prints_values(value)}
    assert found <= set(SHAPES.get(room, "").split())


@pytest.mark.parametrize("room", ROOMS)
def test_names_are_found(room):
    assert len(public(room)) > 10
