"""Operations and layers take MindSpore's arguments, by its names, in its order, with its defaults.

``vectors/signatures.json`` holds those of 2.0.0 (``record/signatures.py``). More arguments may follow, with defaults.
"""

import json
from itertools import zip_longest
from pathlib import Path

import pytest
from conformance.cases import signatures

import minispore

RECORDED = json.loads((Path(__file__).parent / "vectors" / "signatures.json").read_text())
OURS = signatures.of_package(minispore)
_LATER = "r2.1's default initialization, as in 2.7.0"
_TWO_FORMATS = "None is the format that the layer's number of axes calls for"
_LOCKED = "without effect, there and here"
# What minispore does otherwise on purpose: table and name, the arguments that differ, and why.
OTHERWISE = {
    ("layers", "Conv1d"): ({"weight_init=None", "bias_init=None"}, _LATER),
    ("layers", "Conv1dTranspose"): ({"weight_init=None", "bias_init=None"}, _LATER),
    ("layers", "Conv2d"): ({"weight_init=None", "bias_init=None", "data_format=None"}, f"{_LATER}; {_TWO_FORMATS}"),
    ("layers", "Conv2dTranspose"): ({"weight_init=None", "bias_init=None"}, _LATER),
    ("layers", "Conv3d"): ({"weight_init=None", "bias_init=None", "data_format=None"}, f"{_LATER}; {_TWO_FORMATS}"),
    ("layers", "Conv3dTranspose"): ({"weight_init=None", "bias_init=None"}, _LATER),
    ("layers", "Dense"): ({"weight_init=None", "bias_init=None"}, _LATER),
    ("layers", "Dropout"): ({"dtype=None"}, "2.0.0 takes a dtype and ignores it"),
    ("primitives", "Conv2D"): ({"data_format=None"}, _TWO_FORMATS),
    ("primitives", "Conv3D"): ({"data_format=None"}, _TWO_FORMATS),
    ("primitives", "ReduceSum"): ({"skip_mode=False"}, "whether () means no axis at all: missing"),
    ("functions", "vjp"): ({"weights=None"}, "as r2.1: the Parameters to differentiate by, by name only"),
    **{
        ("primitives", f"Scatter{name}"): ({"use_locking=True"}, _LOCKED)
        for name in ["Add", "Sub", "Mul", "Div", "Max", "Min", "NdAdd", "NdDiv", "NdMax", "NdMin", "NdMul", "NdSub"]
    },
}
BOTH = [(kind, name) for kind, rows in RECORDED.items() for name in rows if name in OURS[kind]]


def name_of(text):
    """The name in ``axis=-1`` or ``**kwargs``."""
    return text.split("=")[0]


def differences(theirs, ours):
    """The arguments of ours (of theirs, where ours lacks them) with which a call by theirs would not do the same."""
    split = theirs.index("*") if "*" in theirs else len(theirs)
    by_place, by_name = zip_longest(theirs[:split], ours[:split]), {name_of(text): text for text in ours}
    pairs = [*by_place, *((text, by_name.get(name_of(text))) for text in theirs[split + 1 :])]
    found = {text or expected for expected, text in pairs if text != expected and not gives_default(expected, text)}
    return found | {text for text in ours[split:] if "=" not in text and text != "*" and text not in theirs}


def gives_default(expected, text):
    """Whether ours has a default where theirs has none, which no call by theirs can tell."""
    return text is not None and "=" not in expected and name_of(text) == expected


@pytest.mark.parametrize(("kind", "name"), BOTH, ids=[" ".join(pair) for pair in BOTH])
def test_it_takes_mindspores_arguments(kind, name):
    theirs, ours = RECORDED[kind][name], OURS[kind][name]
    if "*args" not in theirs:  # a wrapper hides MindSpore's own
        assert differences(theirs, ours) == OTHERWISE.get((kind, name), (set(), ""))[0]
    else:
        assert (kind, name) not in OTHERWISE
