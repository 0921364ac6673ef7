"""Every public path, name and signature of a former state of the package is there, and is documented.

``public_names.json.gz`` keeps them, as ``support/public_names.py`` found them at commit ab299b3. A call that was
accepted is: a parameter may be added behind the others, or by name, if it has a default. What goes has a row in
:data:`GONE`, with the reason.
"""

import functools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from support import public_names

FILE = Path(__file__).with_name("public_names.json.gz")
RECORDED = public_names.read(FILE)
_PROGRAM = "a case of the kit prints itself by minispore.testing.program, as code to paste"
_LEVELS = "levels are read when they are asked for: minispore.amp.policy.levels.names()"
_KIT = "minispore.testing"
KERNELS = (".compute_fused", ".fused_rule", ".launched")  # a device's kernel stands in a table, core/kernel_table.py
# A fact of primitives with one reader stands where it is read: graph/facts.py, devices/overflow_register.py,
# ops/elementwise.py, the laws of tests/ops
FACTS = (
    *(".piecewise", ".refuses", ".feeds_register", ".autocast_exempt", ".float16_in_float32", ".reuses_memory"),
    *(".owns_memory", ".in_python", ".communicates", ".ufunc"),
)
_STATS = "minispore.insight.operator_stats.OperatorStats"
_LAYERS = "an observer is a layer, minispore.core.layers, which hears of these by the layers' methods"
_HEARD = {
    f"{place}.{name}": _LAYERS
    for place in (_STATS, "minispore.insight.OperatorStats")
    for name in ("around_cell", "note_call", "read", "refuse", "skip_writes")
}
_STEP = "TrainOneStepWithLossScaleCell.recordable"
_RECORDABLE = dict.fromkeys(
    [
        *(f"minispore.{room}.{_STEP}" for room in ("amp", "amp.loss_scale.train_step", "nn", "nn.wrap", "train.amp")),
        *(f"minispore.nn.wrap.{module}.{_STEP}" for module in ("cell_wrapper", "loss_scale")),
        *(f"minispore.nn.{module}Cell.recordable" for module in ("", "cell.", "layer.")),
    ],
    "a cell may have it, and none has it by default: graph mode learns from the run",
)
GONE = {  # path, path.name or path.Class.member -> why it is not there, or accepts less
    **_HEARD,
    **_RECORDABLE,
    "minispore.rewrite.resolve.reached_cells.cells_reached": "inner; it reads the sources that were analysed once",
    "minispore.cli.job.LEVELS": _LEVELS,
    "minispore.cli.job.Job.levels": f"a field without a default on the class: {_LEVELS}",
    "minispore.insight.OperatorStats.note_assignment": "writes are told by one door, minispore.writes",
    "minispore.insight.operator_stats.OperatorStats.note_assignment": "the same, at its module",
    "minispore.insight.watching.SkippedStep": "minispore.insight.SkippedStep is the alias, which warns",
    f"{_KIT}.deviations.Deviation": "'rare' stands before 'reached', which the kit alone sets",
    "minispore.random_streams.device_words.has_kernels": "backend.has_kernels says it",
    f"{_KIT}.laws.conversion.Conversion.program": _PROGRAM,
    f"{_KIT}.laws.learning.Descent.program": _PROGRAM,
    f"{_KIT}.laws.learning.Loss.program": _PROGRAM,
    f"{_KIT}.laws.loss_scale.Course.program": _PROGRAM,
    f"{_KIT}.laws.networks.Forward.program": _PROGRAM,
    f"{_KIT}.laws.rewriting.Construct.program": _PROGRAM,
    f"{_KIT}.strategies.calls.Call.program": _PROGRAM,
    f"{_KIT}.strategies.courses.Run.program": _PROGRAM,
    f"{_KIT}.strategies.layers.LayerCall.program": _PROGRAM,
}


@functools.cache
def of_today():
    """What this package has of the recorded names, found by a process of its own, which imports all of it."""
    command = [sys.executable, public_names.__file__, str(FILE)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


class Signature(NamedTuple):
    """Parameters by place and by name, as pairs of name and whether there is a default; what is taken beside them."""

    placed: list
    named: dict
    rest: set

    @classmethod
    def of(cls, text):
        """The signature that a recorded line says."""
        words = [re.fullmatch(r"([*/!]*)(\w+)(=?)", word).groups() for word in text.split()]
        placed = [("" if kind == "/" else name, bool(default)) for kind, name, default in words if kind in ("", "/")]
        named = {name: bool(default) for kind, name, default in words if kind == "!"}
        return cls(placed, named, {kind for kind, *_ in words if kind in ("*", "**")})


def refusal(before, now):
    """Why a call that fits the signature ``before`` may not fit ``now``; None where it does."""
    before, now = Signature.of(before), Signature.of(now)
    by_name = dict(now.placed) | now.named
    for (name, default), (other, also) in zip(before.placed, now.placed, strict=False):
        if (name and name != other) or (default and not also):
            return f"'{name}' became '{other}'{'' if also else ', which must be given'}"
    for name, default in before.named.items():
        if name not in by_name or (default and not by_name[name]):
            return f"'{name}' cannot be given, or left out, any more"
    return _too_few(before, now) or _too_many(before, now)


def _too_few(before, now):
    """The parameters that are no more."""
    lost = before.placed[len(now.placed) :]
    if lost or not before.rest <= now.rest:
        return f"it takes no more {[name for name, _ in lost] or sorted(before.rest - now.rest)}"
    return None


def _too_many(before, now):
    """The parameters that are new and must be given, or take the place of others."""
    new = now.placed[len(before.placed) :]
    if new and "*" in before.rest:
        return f"{new[0][0]!r} takes a place of '*'"
    must = [name for name, default in new if not default and name not in before.named]
    must += [name for name, default in now.named.items() if not default and name not in before.named]
    return f"{must} must be given" if must else None


def changes(path):
    """What a module has lost: the path of each thing -> why."""
    today, names = of_today(), RECORDED["modules"][path]
    there = today["modules"].get(path)
    if there is None:
        return {path: "it cannot be imported"}
    found = {f"{path}.{name}": "it is not there" for name in names if name not in there}
    for name in names.keys() & there.keys():
        before, now = RECORDED["objects"][names[name]], today["objects"][there[name]]
        found |= {f"{path}.{name}{member}": why for member, why in differences(before, now)}
    return found


def differences(before, now):
    """Pairs of ``""`` or ``".member"`` and why it is not what it was."""
    if before["kind"] != now["kind"]:
        yield "", f"a {before['kind']} became a {now['kind']}"
        return
    of_members = {f".{name}": number for name, number in before.get("members", {}).items()}
    there = {"": now.get("call")} | {f".{name}": number for name, number in now.get("members", {}).items()}
    for place, number in ({"": before.get("call")} | of_members).items():
        if place not in there:
            yield place, "it is not there"
        elif number is not None:
            why = why_not(number, there[place])
            yield from [(place, why)] if why else []


def why_not(number, other):
    """Why the signature of a number of the record is not kept by that of another number of today."""
    if other is None:
        return "it has no signature any more"
    return refusal(RECORDED["signatures"][number], of_today()["signatures"][other])


def bases_lost(path):
    """The classes of a module that do not derive any more from a public class that they derived from."""
    today, names = of_today(), RECORDED["modules"][path]
    there = today["modules"].get(path, {})
    for name in names.keys() & there.keys():
        now = today["objects"][there[name]]
        for base in RECORDED["objects"][names[name]].get("bases", ()):
            if not numbers_of_today()[base] & {there[name], *now.get("bases", ())}:
                yield f"{path}.{name}"


@functools.cache
def numbers_of_today():
    """For each number of the record those that today's objects have at the same places."""
    found = [set() for _ in RECORDED["objects"]]
    for path, names in RECORDED["modules"].items():
        there = of_today()["modules"].get(path, {})
        for name in names.keys() & there.keys():
            found[names[name]].add(there[name])
    return found


def room_of(path):
    return ".".join(path.split(".")[:2])


ROOMS = sorted(set(map(room_of, RECORDED["modules"])))


def paths_of(room):
    return [path for path in RECORDED["modules"] if room_of(path) == room]


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_is_there_and_accepts_what_it_accepted(room):
    found = {name: why for path in paths_of(room) for name, why in changes(path).items()}
    assert {name: why for name, why in found.items() if name not in GONE and not name.endswith(KERNELS + FACTS)} == {}


@pytest.mark.parametrize("room", ROOMS)
def test_every_class_derives_from_the_public_classes_that_it_derived_from(room):
    assert [name for path in paths_of(room) for name in bases_lost(path) if name not in GONE] == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_has_a_docstring(room):
    there = {path: of_today()["modules"].get(path, {}) for path in paths_of(room)}
    known = [each["documented"] for each in of_today()["objects"]]
    assert [f"{path}.{name}" for path in there for name, number in there[path].items() if not known[number]] == []


def test_every_exception_is_needed():
    found = {name for path in RECORDED["modules"] for name in [*changes(path), *bases_lost(path)]}
    assert GONE.keys() <= found


KEPT = [
    ("x y=", "x y="),
    ("x y", "x y="),
    ("x", "x y="),
    ("x", "x !y="),
    ("x", "x *rest **others"),
    ("/x", "y"),
    ("x !y", "x y"),
    ("x *args", "x *args !y="),
]
BROKEN = [
    ("x y", "x"),
    ("x y", "y x"),
    ("x y=", "x y"),
    ("x", "x y"),
    ("x", "x !y"),
    ("x", "/x"),
    ("x !y", "x"),
    ("x !y=", "x !y"),
    ("x *args", "x y= *args"),
    ("x *args", "x"),
    ("x **others", "x"),
]


@pytest.mark.parametrize(("before", "now"), KEPT)
def test_a_signature_that_takes_more_is_accepted(before, now):
    assert refusal(before, now) is None


@pytest.mark.parametrize(("before", "now"), BROKEN)
def test_a_signature_that_takes_less_is_named(before, now):
    assert refusal(before, now)
