"""What is said of names that are not here."""

import importlib
import re

import pytest

import minispore as ms
from minispore import nn, ops
from minispore.dropin import absent


def test_names_of_mindspore_are_known():
    assert all(map(absent.mindspore_has, ("nn.Dense", "ops.Add", "nn.probability", "Tensor", "train.Model")))
    assert not any(map(absent.mindspore_has, ("nn.Linear", "no.such", "mint", "nn.no_such_name", "no_such_name")))


def test_the_sentence_says_whether_mindspore_has_the_name():
    def said(address):
        return absent.sentence("It", address, lambda: ["Dense"])

    assert said("nn.Dense") == "It has no attribute 'Dense', which MindSpore has as 'mindspore.nn.Dense'"
    assert said("nn.Dens") == "It has no attribute 'Dens'. Did you mean 'Dense'?"
    assert said("nn.Linear") == "It has no attribute 'Linear'. The name is nn.Dense."
    assert "follows MindSpore 2.0.0" in said("ops.auto_generate")


@pytest.mark.parametrize("address", absent.INSTEAD)
def test_what_is_to_be_used_instead_is_here(address):
    spaces = {"minispore": ms, "ms": ms, "nn": nn, "ops": ops, "amp": ms.amp, "Cell": nn.Cell}
    for owner, name in re.findall(r"\b(minispore|ms|nn|ops|amp|Cell)\.(\w+)", absent.INSTEAD[address]):
        assert hasattr(spaces[owner], name)


@pytest.mark.parametrize("address", ["", ".nn", ".ops", ".dataset", ".nn.optim"])
def test_a_module_says_so(address):
    owner = importlib.import_module(f"minispore{address}")
    with pytest.raises(AttributeError, match=f"^The module 'minispore{address}' has no attribute 'no_such_name'"):
        _ = owner.no_such_name
