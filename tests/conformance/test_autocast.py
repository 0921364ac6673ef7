"""The level "auto" and bfloat16 are MindSpore 2.7.0's: each operation's dtypes, and what conversions do to networks."""

import functools
import json
import pathlib

import pytest
from conformance.test_amp import as_mindspore

from minispore import amp, ops

pytestmark = pytest.mark.usefixtures("restored")
VECTORS = pathlib.Path(__file__).parent / "vectors" / "autocast.json"


@functools.cache
def record():
    return json.loads(VECTORS.read_text())


@functools.cache
def cases(name):
    return as_mindspore(f"conformance.cases.{name}")


# Why an outcome at "auto" differs -> the calls: {kinds of the inputs: what it is here}.
DIFFERENCES = {
    "every sum is black-listed, not that of functions alone": {"ReduceSum": {"h": "f", "d": "f"}},
    "a number beside Tensors is no float32": {name: {"hhh": "h", "bbb": "b"} for name in ("addcmul", "addcdiv")},
    "one operation in MindSpore is several here, of which each has its rule": {
        "dense": {"fff": "f", "bbb": "f", "hff": "f", "hbb": "f", "bff": "f", "ddd": "d", "hdd": "d"},
        "group_norm": {"hhh": "h", "bbb": "b", "ddd": "d", "hdd": "d"},
        "var": {"h": "h", "d": "d"},
    },
    "several operations in MindSpore are one here, which has one rule": {
        "logaddexp": {"dd": "f", "hd": "f"},
        "logsumexp": {"h": "h"},
        "softplus": {"d": "f"},
    },
    "what takes one type says so first": {
        "grid_sample": dict.fromkeys(("hf", "fh", "hb", "bf", "hd"), "raises TypeError")
    },
}
EXPLAINED = {name: found for calls in DIFFERENCES.values() for name, found in calls.items()}
# The marks of these differ as in float16: the user's own to_float stands, and a black-listed network keeps float32.
OTHERWISE = {
    f"marks of {net} at {mode}"
    for net in ("user_float32_child", "user_float16_block", "user_float16_norm")
    for mode in ("O2", "O3", "black")
} | {"marks of black_listed_root at O2", "marks of black_listed_root at black"}


@pytest.mark.parametrize("name", sorted(record()["auto"]))
def test_each_operation_computes_at_auto_in_the_type_that_mindspore_computes_in(name):
    recorded = record()["auto"][name]
    found = {kinds: cases("autocast").outcome(name, kinds) for kinds in recorded}
    different = {kinds: found[kinds] for kinds in recorded if found[kinds] != recorded[kinds]}
    assert different == EXPLAINED.get(name, {})


def test_the_record_is_of_2_7_0_and_of_every_case():
    assert record()["mindspore"] == "2.7.0"
    assert set(record()["auto"]) == set(cases("autocast").CASES)
    assert set(record()["bfloat16"]) == set(cases("bfloat16").FACTS)


@pytest.mark.parametrize("name", sorted(record()["bfloat16"]))
def test_a_fact_about_bfloat16_is_mindspores(name):
    assert (cases("bfloat16").fact(name) == record()["bfloat16"][name]) == (name not in OTHERWISE)


@pytest.mark.parametrize("color", ["white", "black"])
def test_the_lists_are_mindspores_as_far_as_there_are_such_operations(color):
    found = {kind.__name__ for kind in getattr(amp, f"AMP_AUTO_{color.upper()}_LIST")}
    recorded = set(record()["lists"][color])
    missing = {name for name in recorded - found if isinstance(getattr(ops, name, None), type)}
    assert found <= recorded and not missing
