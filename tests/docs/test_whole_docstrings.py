"""Docstrings of public names are whole: each says what it means, its shapes, its dtypes, and the errors it raises.

The errors are measured: ``wrong_examples`` replaces the arguments of each example by what they are likely to refuse.
"""

import ast
import builtins
import contextlib
import inspect
import io
import re
from functools import cache

import numpy as np
import pytest
from docs.test_public_examples import PARSER, PUBLIC, untrue
from support import measured_transforms
from support.wrong_examples import refusals, takes_arrays

import minispore as ms
from docs import test_examples_of_classes as classes
from minispore import nn, ops
from minispore.ops.operations.summary import listening

ROOMS = {**PUBLIC, **{room: classes.public(room) for room in classes.ROOMS}}
ERROR = re.compile(r"\b([A-Z]\w*Error)\b")
AS_ANOTHER = re.compile(r"(?:rrors?|As|as|Arguments)\b[^.]*?:(?:class|func):`~?\.?(\w+)`")
SHAPES = re.compile(r"[Ss]hape|\((?:\.\.\.|\*|[A-Z]\w*)(?:,[^)]*)?\)|[Ee]lementwise")
DTYPES = re.compile(r"Dtypes:|dtype|float\d|int\d|[Ff]loating|\bbool|\bcomplex")
HOUSE = re.compile(r"For '.+', |The '.+' object has no attribute")
PYTHON = re.compile(r"missing \d+ required|unexpected keyword|positional argument|multiple values")
MACHINE = {"MemoryError"}  # what the machine lacks, not what a function refuses

X = ms.Tensor([1.0, 2.0])
BY_HAND = {  # errors that no change of one argument of an example raises -> a call that raises them
    "ops.CeLU": (ValueError, lambda: ops.CeLU(0.0)),
    "ops.LogSpace": (ValueError, lambda: ops.LogSpace(-1)(X[0], X[1])),
    "ops.clip_by_value": (ValueError, lambda: ops.clip_by_value(X)),
    "Tensor.argwhere": (TypeError, lambda: ms.Tensor([1j]).argwhere()),
    "Tensor.from_numpy": (ValueError, lambda: ms.Tensor.from_numpy(np.ma.array([1.0], mask=[True]))),
    "Tensor.isneginf": (TypeError, lambda: ms.Tensor([1]).isneginf()),
    "Tensor.msort": (TypeError, lambda: ms.Tensor([True]).msort()),
    "nn.CELU": (ValueError, lambda: nn.CELU(0.0)),
    "nn.CellDict": (ValueError, lambda: nn.CellDict({"a.b": nn.ReLU()})),
    "nn.ClipByNorm": (ValueError, lambda: nn.ClipByNorm(9)(X, ms.Tensor(1.0))),
    "nn.EvaluationBase": (TypeError, lambda: nn.EvaluationBase("none")),
    "nn.LossBase": (ValueError, lambda: nn.LossBase("none such")),
    "nn.Metric": (TypeError, lambda: nn.Metric()),
    "nn.Norm": (ValueError, lambda: nn.Norm(9)(X)),
    "nn.get_metrics": (KeyError, lambda: nn.get_metrics({"none"})),
    "dataset.read_idx": (ValueError, lambda: ms.dataset.read_idx(__file__)),
}

# Counts that are left, to fall to 0: each facet, and how many docstrings of a room lack it
LEFT = {
    "raised": {
        "nn": 6,
        "amp": 1,
        "train": 10,
        "rewrite": 3,
        "insight": 8,
        "dataset": 5,
        "dataset.vision": 4,
        "dataset.text": 2,
    },
    "sentences": {
        "ops": 46,
        "numpy": 1,
        "Tensor": 1,
        "nn": 2,
        "train": 2,
        "insight": 1,
        "dataset.transforms": 4,
        "dataset.vision": 1,
    },
    "meaning": {"Tensor": 1},
}


@cache
def _docstrings(room):
    """The docstrings of a room that no room before has: text -> (value, the names that share it)."""
    before = {text for other in list(ROOMS)[: list(ROOMS).index(room)] for text in map(_text, ROOMS[other].values())}
    found = {}
    for name, value in ROOMS[room].items():
        if _text(value) not in before:
            found.setdefault(_text(value), (value, set()))[1].add(name)
    return found


def _text(value):
    return value.__doc__ or ""


def _words(text):
    """The words of a docstring before its examples, and of those docstrings that it names for what is not in it."""
    seen, words = set(), text.partition("Examples:")[0]
    for name in AS_ANOTHER.findall(words):
        other = next((_text(named[name]) for named in ROOMS.values() if name in named), "")
        if other and other != text and other not in seen:
            seen.add(other)
            words += other.partition("Examples:")[0]
    return words


def _before_errors(text):
    """What a docstring says besides its errors, where a shape may be named that is nowhere told."""
    return re.sub(r"(?ms)^ *Raises:\n.*?\n(?= *\n|\Z)", "", _words(text))


def _named(names):
    return min(names)


@pytest.fixture
def in_a_folder(restored, tmp_path, monkeypatch):
    """Let examples write their files into a folder of their own, and leave no record of summaries open."""
    monkeypatch.chdir(tmp_path)
    ms.set_seed(0)  # transforms draw
    yield
    for record in list(listening):
        record.close()


@cache
def _refused(room):
    """The errors that wrong calls raise, by the docstring whose example they are made of."""
    with contextlib.redirect_stderr(io.StringIO()):
        found = {text: refusals(value, names) for text, (value, names) in _docstrings(room).items()}
    return {text: [each for each in errors if each.error not in MACHINE] for text, errors in found.items()}


def _lacking(room, lacks):
    """The names of a room whose docstrings lack something."""
    return sorted(_named(names) for text, (value, names) in _docstrings(room).items() if lacks(text, value, names))


def _is_left(facet, room, names):
    """True if as many names as ``LEFT`` says lack a facet: one less is another figure in the table."""
    assert len(names) == LEFT.get(facet, {}).get(room, 0), f"{facet} of {room}, {len(names)}: {' '.join(names)}"


@pytest.mark.usefixtures("in_a_folder")
@pytest.mark.parametrize("room", ROOMS)
def test_the_errors_that_wrong_calls_raise_are_told(room):
    refused = _refused(room)

    def lacks(text, *_):
        raised = {each.error for each in refused[text] if HOUSE.match(each.text)}
        return raised - {*ERROR.findall(_words(text))}

    _is_left("errors", room, _lacking(room, lacks))


@pytest.mark.usefixtures("in_a_folder")
@pytest.mark.parametrize("room", ROOMS)
def test_the_errors_that_are_told_are_raised_by_a_wrong_call(room):
    refused = _refused(room)

    def lacks(text, value, names):
        told = {*ERROR.findall(text.partition("Examples:")[0])} - MACHINE
        by_hand = {BY_HAND[key][0].__name__ for key in (f"{room}.{name}" for name in names) if key in BY_HAND}
        return told - {each.error for each in refused[text]} - by_hand

    _is_left("raised", room, _lacking(room, lacks))


@pytest.mark.parametrize("name", BY_HAND)
def test_an_error_is_raised_that_an_example_does_not_lead_to(name):
    with pytest.raises(BY_HAND[name][0], match=r"^.?For '"):
        BY_HAND[name][1]()


@pytest.mark.usefixtures("in_a_folder")
@pytest.mark.parametrize("room", ROOMS)
def test_wrong_calls_end_in_a_sentence_of_the_house(room):
    refused = _refused(room)

    def lacks(text, *_):
        return [each for each in refused[text] if not HOUSE.match(each.text) and not PYTHON.search(each.text)]

    _is_left("sentences", room, _lacking(room, lacks))


# Names under "Raises:" that are no argument of the call: of a method of it, an object that it takes, or an extra
OF_OTHERS = {"loss_scale", "average", "eval", "eval_type", "index", "param_type", "hook", "tensorboard"}


def _known(text, value):
    """The words that a docstring uses besides its errors, and the arguments of what it is of."""
    words = {*re.findall(r"\w+", _before_errors(text))}
    methods = ("__init__", "__call__", "infer", "construct", "compute")
    for call in (value, *(getattr(value, name, None) for name in methods)):
        with contextlib.suppress(TypeError, ValueError):
            words |= {*inspect.signature(call).parameters}
    return words


@pytest.mark.parametrize("room", ROOMS)
def test_the_arguments_that_errors_name_are_those_of_the_call(room):
    def lacks(text, value, names):
        errors = re.findall(r"(?ms)^ *Raises:\n.*?\n(?= *\n|\Z)", text)
        named = {*re.findall(r"``(\w+)``", "".join(errors))}
        return named - _known(text, value) - OF_OTHERS

    _is_left("arguments", room, _lacking(room, lacks))


def _unbound(text):
    """The names that the examples of a docstring use and nowhere make or import."""
    tree = ast.parse("".join(example.source for example in PARSER.get_examples(text)))
    nodes = list(ast.walk(tree))
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    made = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    made |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    made |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler))}
    made |= {(node.asname or node.name).split(".")[0] for node in nodes if isinstance(node, ast.alias)}
    return used - made - {*dir(builtins)}


@pytest.mark.parametrize("room", ROOMS)
def test_an_example_imports_what_it_uses(room):
    _is_left("imports", room, _lacking(room, lambda text, *_: _unbound(text)))


@cache
def _of_arrays(room):
    """The docstrings of a room whose examples give arrays to what they call."""
    return {text for text, (value, names) in _docstrings(room).items() if takes_arrays(value, names)}


@pytest.mark.usefixtures("in_a_folder")
@pytest.mark.parametrize(("facet", "told"), [("shapes", SHAPES), ("dtypes", DTYPES)])
@pytest.mark.parametrize("room", ROOMS)
def test_the_shapes_and_the_dtypes_of_arrays_are_told(room, facet, told):
    arrays = _of_arrays(room)
    _is_left(facet, room, _lacking(room, lambda text, *_: text in arrays and not told.search(_before_errors(text))))


@pytest.mark.parametrize("room", ROOMS)
def test_a_docstring_begins_with_a_sentence(room):
    def lacks(text, *_):
        first = text.strip().split("\n\n")[0].rstrip()
        return len(first.split()) < 2 or first[-1] not in ".:"

    _is_left("meaning", room, _lacking(room, lacks))


# What these take is what their cells or functions take, or no dtype of Tensors, which is measured, in an example
IN_OWN_WORDS = {
    "CentralCrop",
    "DiGamma",
    "FocalLoss",
    "FractionalMaxPool3d",
    "Jvp",
    "LRN",
    "MultiClassDiceLoss",
    "ParameterUpdate",
    "Softmax2d",
    "TimeDistributed",
    "TransformerDecoder",
    "Tril",
    "Triu",
    "Vjp",
    "get_activation",
}


@pytest.mark.usefixtures("restored")
def test_the_dtypes_that_a_layer_tells_are_those_that_are_taken():
    assert untrue({name: value for name, value in ROOMS["nn"].items() if name not in IN_OWN_WORDS}) == {}


# What their images are depends on what they are made with -> in the docstring in words
IN_WORDS = ["ConvertColor", "RandomSelectSubpolicy", "Rescale", "ToNumpy", "ToType", "UniformAugment"]


def _transforms():
    """The transforms whose docstrings tell measured shapes and dtypes of images."""
    found = ROOMS["dataset.vision"]
    return [name for name in found if "Shapes: (H, W" in _text(found[name]) and name not in IN_WORDS]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("name", _transforms())
def test_the_shapes_and_dtypes_that_a_transform_tells_are_measured(name):
    cls = ROOMS["dataset.vision"][name]
    measured = measured_transforms.sentences(cls)
    assert measured in " ".join(_text(cls).split())


def test_docstrings_are_found():
    assert sum(len(_docstrings(room)) for room in ROOMS) > 1800
    assert len(_transforms()) > 45
