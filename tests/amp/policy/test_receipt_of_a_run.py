"""The receipt is what a run shows: held to an independent record of every primitive call, its place and its type."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from support.constructs.hidden_calls import CONVERTED
from support.constructs.hidden_calls_outside import NOTED
from support.constructs.listed_calls import NEAR
from support.constructs.python_statements import FORMS
from support.mixed_networks import planned, plans, rows
from support.random_networks import network, programs
from support.type_record import Record

import minispore as ms
from minispore import amp, backend

pytestmark = pytest.mark.usefixtures("restored")

NETWORKS = [cell for cell, *_ in FORMS] + CONVERTED + [cell for cell, _ in NOTED]
CONVERSIONS = [("O0", False), ("O1", False), ("O1", True), ("O2", False), ("O3", False)]
# In these a run leaves out a branch, or takes another in float16
BRANCHES = {"IfOnCall", "ForEnumerate", "Ternary", "MethodWithBranches", "NameChosen"}
WHITE = set(amp.get_white_list())


@pytest.fixture(scope="module")
def record():
    monkeypatch = pytest.MonkeyPatch()
    yield Record(monkeypatch)
    monkeypatch.undo()
    backend.use(backend.xp)  # forgets the kernels of operators that listen


def is_users(place):
    """Whether a place is in the user's code: a container that is the whole network stands in the package's."""
    return not place.startswith(os.path.dirname(ms.__file__) + os.sep)


def probe():
    return ms.Tensor(np.full((1, 1), NEAR, np.float32))


class Run:
    """A network as it was and as it is after a conversion: the calls of both, in pairs, and the receipt."""

    def __init__(self, record, make, args, level, functional):
        before = make()
        ms.set_seed(1)
        self.calls = record.of(before, *args)
        self.paths = {}
        for path, cell in before.cells_and_names():
            self.paths.setdefault(cell, []).append(path)
        self.ran = {path for cell in record.ran for path in self.paths.get(cell, ())}
        self.held = {path for paths in self.paths.values() for path in paths}
        after = amp.auto_mixed_precision(make(), level, functional=functional)
        self.entries = (amp.explain(after, "O0") if level == "O0" else after.amp_report).entries
        ms.set_seed(1)
        self.after = record.of(after, *args)
        self.rows = [self._rows_of(call) for call in self.calls]

    def is_same_course(self):
        """Whether the conversion left the calls as they were: a branch may turn on the last bits of a number."""
        return [call.primitive.name for call in self.calls] == [call.primitive.name for call in self.after]

    def _rows_of(self, call):
        """The rows that stand for a call: by class or function, by path where it is a child, and by place."""
        kinds = {call.kind.__name__} if call.kind else {call.function, type(call.primitive).__name__}
        alike = [row for row in self.entries if row.kind.lower() in {kind.lower() for kind in kinds} and row.called]
        if call.called in self.paths:
            own = [row for row in alike if row.path in self.paths[call.called]]
            alike = own or [row for row in alike if row.path not in self.held]
        elif call.owner in self.paths:  # a primitive of the cell that calls it, where several stand in one line of code
            prefixes = tuple(f"{path}." for path in self.paths[call.owner])
            inner = [row for row in alike if row.path.startswith(prefixes)]
            alike = inner or [row for row in alike if row.path not in self.held] or alike
        placed = [row for row in alike if row.place in call.places or not is_users(row.place)]
        return placed or [row for row in alike if "may call" in row.reason]

    def assert_true(self):
        """Each call of a leaf, a primitive or a function has a row, whose type is the one that it computed in."""
        for call, after, found in zip(self.calls, self.after, self.rows, strict=True):
            if call.kind or call.function or type(call.primitive) in WHITE:
                assert found, call
            if found and after.dtypes and (call.kind or call.function):
                dtype = "float16" if "float16" in after.dtypes else "float32"
                right = [row.dtype in (dtype, "as its inputs") for row in found]
                assert all(right) if call.called in self.paths else any(right), (call, after.dtypes, found)

    def rows_that_ran(self):
        """The rows in the order in which a run first comes to them."""
        return list(dict.fromkeys(row for found in self.rows for row in found))

    def missed(self):
        """The calls of listed classes, by the user's code, that ran in float32."""
        pairs = zip(self.calls, self.after, strict=True)
        return [a for a, b in pairs if (a.kind or type(a.primitive)) in WHITE and b.dtypes == {"float32"}]


def refused(make, functional):
    """Whether ``strict`` refuses a network."""
    try:
        amp.auto_mixed_precision(make(), "O1", strict=True, functional=functional)
    except ValueError:
        return True
    return False


@pytest.mark.parametrize("make", NETWORKS, ids=lambda cell: cell.__name__)
def test_every_form_of_code_computes_as_the_receipt_says(make, record):
    for level, functional in CONVERSIONS:
        try:
            run = Run(record, make, (probe(),), level, functional)
        except TypeError as error:  # a cell in a list keeps float32 weights: the network itself does not run
            assert "the weight's dtype" in str(error) and level in ("O2", "O3")
            continue
        if not run.is_same_course():
            assert make.__name__ in BRANCHES
            continue
        run.assert_true()
        certain = [row for row in run.entries if row.called and "may call" not in row.reason]
        never = [row for row in certain if row not in run.rows_that_ran() and row.path not in run.ran]
        assert not never or make.__name__ in BRANCHES
        if level == "O1":
            assert refused(make, functional) == bool(run.missed())


@pytest.mark.parametrize("make", NETWORKS, ids=lambda cell: cell.__name__)
def test_in_graph_mode_too(make, record):
    ms.set_context(mode=ms.GRAPH_MODE)
    run = Run(record, make, (probe(),), "O1", True)
    if run.is_same_course():
        run.assert_true()


@given(plans())
def test_drawn_networks_compute_as_their_receipts_say(record, plan):
    for level, functional in CONVERSIONS:
        run = Run(record, lambda: planned(plan), rows(0)[:1], level, functional)
        run.assert_true()
        ran = [row for row in run.rows_that_ran() if row.called]
        assert ran == list(dict.fromkeys(row for row in run.entries if row in ran))  # in the order of execution
        if level == "O1":
            assert refused(lambda: planned(plan), functional) == bool([call for call in run.missed() if not own(call)])


def own(call):
    """Whether the user marked the cell that is called."""
    return isinstance(call.called, ms.nn.Cell) and call.called._user_dtype is not None


@given(programs)
@settings(max_examples=settings.default.max_examples // 5)
def test_drawn_code_computes_as_its_receipt_says(record, lines):
    make, x = type(network(lines)), ms.Tensor(np.linspace(-1, 1, 4, dtype=np.float32))
    for level, functional in CONVERSIONS:
        run = Run(record, make, (x,), level, functional)
        if run.is_same_course():
            run.assert_true()
