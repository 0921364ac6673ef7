"""Laws of mixed precision's conversions: what stays, what changes, and that once is enough."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from minispore.tools.testing.judge import judge
from minispore.tools.testing.laws.law import Broken, law
from minispore.tools.testing.ran_in import ran_in as probe
from minispore.tools.testing.strategies.listed import LEVELS, LISTED, PLACES, Kept, Listed, lists_of
from minispore.tools.testing.strategies.networks import calls, known_leaves, plans, source
from minispore.tools.testing.strategies.readers import WHITE as WHITE_OF_READERS
from minispore.tools.testing.strategies.readers import readers

__all__ = [
    "Conversion",
    "black_cells",
    "conversion_keeps",
    "conversion_once",
    "empty_list",
    "level_computes",
    "listed_cells",
    "unlisted_calls",
]

WHITE = {"white_list": ["nn.Dense", "ops.MatMul", "ops.ReLU"]}
BLACK = {"black_list": ["nn.LayerNorm", "nn.BatchNorm1d"]}


@dataclass(frozen=True)
class Conversion:
    """A drawn network, and a level or lists by which it is converted."""

    plan: list
    how: object
    training: bool = False

    @property
    def label(self):
        """By which a deviation names it."""
        how = self.how if isinstance(self.how, str) else next(iter(self.how))
        return f"{how} {'training ' if self.training else ''}{_flat(self.plan)}"

    @property
    def size(self):
        """The number of calls that the network has."""
        return calls(self.plan)

    @property
    def inputs(self):
        """The inputs of the network."""
        return [np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)]

    def said_in(self, speaks):
        """The network and its conversion as a program of MindSpore's API."""
        lists = "" if isinstance(self.how, str) else ", ".join(f"{k}=[{', '.join(v)}]" for k, v in self.how.items())
        call = (
            f'auto_mixed_precision(network, "{self.how}")' if not lists else f"custom_mixed_precision(network, {lists})"
        )
        head = "import mindspore as ms\nimport numpy as np\nfrom mindspore import amp, nn, ops\n\n\n"
        return f"{head}{source(self.plan)}\n\nnetwork = make().set_train({self.training})\nconverted = amp.{call}"


def _flat(plan):
    return "+".join(part if isinstance(part, str) else f"{part[0]}({_flat(part[1])})" for part in plan)


EITHER = st.booleans()
ROUNDED = 2.0**-8  # what a few roundings to float16 change, of what is about 1


def _cases(hows, training=EITHER):
    def groups(target, profile):
        for how in hows:
            yield _named(how), st.builds(Conversion, plans(known_leaves(target)), st.just(how), training)

    return groups


def _named(how):
    return how if isinstance(how, str) else next(iter(how))


def _same(one, other):
    """The reason why two networks' facts are not the same, or None."""
    if one["cells"] != other["cells"]:
        return f"the cells are {other['cells']}, not {one['cells']}"
    return _changed(one, other) or _differ("the output", one["output"], other["output"])


def _changed(one, other):
    """The reason why Parameters are not the same, or None."""
    names = [[name, kind] for name, kind, _ in one["parameters"]]
    others = [[name, kind] for name, kind, _ in other["parameters"]]
    if names != others:
        return f"the Parameters are {others}, not {names}"
    for (name, _, value), (_, _, new) in zip(one["parameters"], other["parameters"], strict=True):
        if value.tobytes() != new.tobytes():
            return f"the Parameter {name} has other bits"
    return None


def _differ(what, one, other):
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        return f"{what} is {other.dtype}{list(other.shape)}, not {one.dtype}{list(one.shape)}"
    return None if one.tobytes() == other.tobytes() else f"{what} has other bits"


def _hold(case, why):
    if why:
        raise Broken(f"{case.label}: {why}")


@law("conversion_keeps", "convert", _cases((*LEVELS, WHITE, BLACK)), drawn=12)
def conversion_keeps(target, case):
    """A conversion keeps every Parameter, and the original unless it works in place."""
    found = target.convert(source(case.plan), case.how, case.inputs, case.training)
    _hold(case, _changed(found["before"], found["after"]))
    _hold(case, None if found["same parameters"] else "the Parameters are other objects")
    if (isinstance(case.how, str) and case.how in ("O0", "O1")) or "white_list" in case.how:
        why = _same(found["before"], found["original"])
        _hold(case, why and f"afterwards, of the original, {why}")


@law("conversion_once", "convert", _cases(LEVELS), drawn=12)
def conversion_once(target, case):
    """Converting a converted network changes nothing."""
    found = target.convert(source(case.plan), case.how, case.inputs, case.training, again=True)
    _hold(case, _same(found["after"], found["again"]))


@law("empty_list", "convert", _cases(({"white_list": []},)), drawn=12)
def empty_list(target, case):
    """Converting by an empty list is the identity."""
    found = target.convert(source(case.plan), case.how, case.inputs, case.training)
    _hold(case, _same(found["before"], found["after"]))


@law("level_computes", "ran_in", _cases(LEVELS, st.just(False)), drawn=8)
def level_computes(target, case):
    """A level computes in the dtype that it names: float32 at O0, float16 above."""
    found = target.ran_in(source(case.plan), case.how, case.inputs, probe)
    if found not in (None, "float32" if case.how == "O0" else "float16"):
        raise Broken(f"{case.label}: it ran in {found}")


def _listed(target, profile):
    for name in LISTED:
        yield name, [Listed(name, place, level) for level in (*LEVELS, *lists_of(name)) for place in PLACES]


@law("listed_cells", "ran_in", _listed, refusable=True)
def listed_cells(target, case):
    """Each class of a level's lists, or of one's own, computes in the dtype that the list says, wherever it stands."""
    wanted, moved = case.expected
    found = target.ran_in(case.source(), case.how, case.inputs, probe, moved)
    if found != wanted:
        raise Broken(f"{case.label}: it computes in {found}, not in {wanted}, as the digits of its {moved} show")


def _read_by_both(target, profile):
    yield "O1", readers("O1")
    yield "white_list", readers(WHITE_OF_READERS)


@law("unlisted_calls", "convert", _read_by_both, drawn=40)
def unlisted_calls(target, case):
    """At O1 an unlisted call computes in float32, even if listed calls read the same values."""
    found = target.convert(case.source(), case.how, case.inputs)
    exact, after = (found[which]["output"] for which in ("before", "after"))
    wide, size = exact.astype(np.float64), np.abs(exact).max()
    verdict = judge(f"{case.label}: the output", after, wide, size, case.size, dtype="float32")
    if not verdict:
        raise Broken(str(verdict))


@law("black_cells", "convert", lambda target, profile: [(n, [Kept(n)]) for n, k in LISTED.items() if k.black])
def black_cells(target, case):
    """A black-listed layer computes in float32 at O2: its float32 inputs are not rounded before it."""
    found = target.convert(case.source(), "O2", case.inputs, True)
    exact, after = (found[which]["output"].astype(np.float64) for which in ("before", "after"))
    error = float(np.abs(after - exact).max())
    if not error <= ROUNDED * (1 + np.abs(exact).max()):
        raise Broken(f"{case.label}: its output is {error:.3g} from that at O0, and not within a few roundings of it")
