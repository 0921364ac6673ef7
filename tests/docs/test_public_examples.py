"""Every public name of ``ops``, ``numpy`` and Tensor has an example that runs and prints values, and true dtypes."""

import doctest
import re

import pytest
from docs.test_docstring_examples import OPTIONS, Nearly
from support import measured_dtypes

import minispore as ms
import minispore.numpy
from minispore import ops
from minispore.nn.slips import Missing

PARSER = doctest.DocTestParser()
DTYPES = re.compile(r"Dtypes: .*?\.(?= |$)")
A_SHAPE = re.compile(r"\(\d*,?( \d+,?)*\)")
LEFT = {"Tensor": {"array"}}  # room -> names without: the slot that holds the array


def members(cls):
    """The public methods and properties of a class, but settings: name -> function."""
    found = {name: value for owner in reversed(cls.__mro__) for name, value in vars(owner).items() if name[0] != "_"}
    found = {name: value for name, value in found.items() if not isinstance(value, (Missing, bool, int, type(None)))}
    return {name: getattr(value, "fget", getattr(value, "__func__", value)) for name, value in found.items()}


def functions_of(module):
    return {name: getattr(module, name) for name in module.__all__ if callable(getattr(module, name))}


PUBLIC = {
    "ops": {name: getattr(ops, name) for name in ops.__all__},
    "numpy": functions_of(minispore.numpy),
    "Tensor": members(ms.Tensor),
}


def prints_values(text):
    """True where an example of a docstring prints something else than a shape that it asks for."""
    wanted = [(part.source, part.want.strip()) for part in PARSER.get_examples(text or "") if part.want.strip()]
    return any(not (A_SHAPE.fullmatch(want) and ".shape" in source) for source, want in wanted)


def without_values(named):
    """The public names whose examples print no value."""
    return {name for name, x in named.items() if not prints_values(x.__doc__) and "shape" not in name.lower()}


@pytest.mark.parametrize("room", PUBLIC)
def test_every_public_name_has_an_example_that_prints_values(room):
    assert without_values(PUBLIC[room]) == LEFT.get(room, set())


def test_only_shapes_are_no_values():
    shown = """>>> x.shape\n(2, 3)\n"""
    assert not prints_values(None) and not prints_values("One line.") and not prints_values(shown)
    assert not prints_values(">>> x = 1\n") and prints_values(shown + ">>> x\n(2, 3)\n")
    assert len(PUBLIC["ops"]) > 1100 and len(PUBLIC["Tensor"]) > 250 and len(PUBLIC["numpy"]) > 230


def own_examples():
    """The docstrings of Tensor's methods that a function makes: no module of theirs shows these to ``doctest``."""
    found = {x.__doc__: name for name, x in PUBLIC["Tensor"].items() if "<locals>" in getattr(x, "__qualname__", "")}
    return {name: text for text, name in found.items() if PARSER.get_examples(text or "")}


@pytest.mark.parametrize("name", own_examples())
def test_the_examples_of_a_made_method_hold(name):
    runner = doctest.DocTestRunner(checker=Nearly(), optionflags=OPTIONS)
    runner.run(PARSER.get_doctest(own_examples()[name], {}, name, None, 0))
    assert runner.summarize(verbose=False).failed == 0


def told(text):
    """The sentence of a docstring on dtypes; "" where there is none."""
    return (DTYPES.findall(" ".join((text or "").split())) or [""])[0]


def untrue(named):
    """The names whose docstring says other dtypes than its example, measured: name -> what is true."""
    texts = {x.__doc__: name for name, x in named.items() if told(x.__doc__)}
    found = {name: measured_dtypes.sentence(measured_dtypes.example_of(text)) for text, name in texts.items()}
    return {name: found[name] for text, name in texts.items() if found[name] != told(text)}


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("room", PUBLIC)
def test_the_dtypes_that_a_docstring_tells_are_those_that_are_taken(room):
    assert untrue(PUBLIC[room]) == {}


@pytest.mark.parametrize("room", PUBLIC)
def test_no_imaginary_part_is_lost_in_silence(room):
    assert [name for name, x in PUBLIC[room].items() if "real parts" in told(x.__doc__)] == []
