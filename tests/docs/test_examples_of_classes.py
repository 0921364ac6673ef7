"""Public classes and functions of layers, data, training, amp, rewrite and insight: each has an example that prints.

That the examples are true is held by ``test_docstring_examples.py``.
"""

import doctest
import importlib
import inspect

import pytest

ROOMS = ["nn", "amp", "train", "rewrite", "insight", "dataset"]
ROOMS += ["dataset.transforms", "dataset.vision", "dataset.text"]

# Names without an example as yet; one may go, none may come. An example would have to write their files first, of
# Matlab's form, of TensorFlow's, or many.
WITHOUT = {"dataset": "CityscapesDataset Flowers102Dataset QMnistDataset SVHNDataset TFRecordDataset"}


def public(room):
    """The public classes and functions of a room that are the package's, by name."""
    module = importlib.import_module(f"minispore.{room}")
    names = getattr(module, "__all__", dir(module))
    found = {name: getattr(module, name, None) for name in names if not name.startswith("_")}
    return {name: value for name, value in found.items() if _is_own(value)}


def _is_own(value):
    kinds = inspect.isclass(value) or inspect.isfunction(value)
    return kinds and getattr(value, "__module__", "").startswith("minispore")


def prints(value):
    """True if an example in the docstring shows an output."""
    return any(example.want for example in doctest.DocTestParser().get_examples(value.__doc__ or ""))


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_has_an_example_that_prints(room):
    assert {name for name, value in public(room).items() if not prints(value)} == set(WITHOUT.get(room, "").split())


@pytest.mark.parametrize("room", ROOMS)
def test_names_are_found(room):
    assert len(public(room)) > 10
