"""Operations and layers take MindSpore's arguments, by its names, in its order, with its defaults.

``vectors/signatures.json`` holds those of 2.0.0 (``record_signatures.py``). More arguments may follow, with defaults.
"""

import json
from itertools import zip_longest
from pathlib import Path

import pytest
from conformance import signatures

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
    ("layers", "TrainOneStepCell"): ({"sens=None"}, "as r2.1: None is 1, or what a loss scale says"),
    ("layers", "Dropout"): ({"dtype=None"}, "2.0.0 takes a dtype and ignores it"),
    ("primitives", "Conv2D"): ({"data_format=None"}, _TWO_FORMATS),
    ("primitives", "Conv3D"): ({"data_format=None"}, _TWO_FORMATS),
    ("primitives", "Gather"): ({"batch_dims=0"}, "ops.gather takes it"),
    ("primitives", "ReduceSum"): ({"skip_mode=False"}, "whether () means no axis at all: missing"),
    ("primitives", "AdamWeightDecay"): ({"use_locking=False"}, _LOCKED),
    **{
        ("primitives", f"Scatter{name}"): ({"use_locking=True"}, _LOCKED)
        for name in ("Add", "Sub", "Mul", "Div", "Max", "Min", "NdAdd", "NdSub")
    },
}
BOTH = [(kind, name) for kind, rows in RECORDED.items() for name in rows if name in OURS[kind]]


def differences(theirs, ours):
    """The arguments of ours (or of theirs, where ours lacks one) that do not do what a call by theirs expects."""
    found = set()
    by_name = {text.split("=")[0]: text for text in ours}
    split = theirs.index("*") if "*" in theirs else len(theirs)
    for expected, text in zip_longest(theirs[:split], ours[: len(theirs[:split])]):
        if text is None or text not in (expected, f"{expected}{text[len(expected) :]}" if "=" not in expected else None):
            found.add(expected if text is None else text)
    for expected in theirs[split + 1 :]:
        if by_name.get(expected.split("=")[0]) != expected:
            found.add(by_name.get(expected.split("=")[0], expected))
    more = (text for text in ours[split:] if text != "*" and text not in theirs)
    return found | {text for text in more if "=" not in text and text.lstrip("*") == text}


@pytest.mark.parametrize(("kind", "name"), BOTH, ids=[" ".join(pair) for pair in BOTH])
def test_it_takes_mindspores_arguments(kind, name):
    theirs, ours = RECORDED[kind][name], OURS[kind][name]
    if "*args" not in theirs:  # a wrapper hides MindSpore's own
        assert differences(theirs, ours) == OTHERWISE.get((kind, name), (set(), ""))[0]
    else:
        assert (kind, name) not in OTHERWISE
