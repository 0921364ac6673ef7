"""The receipt is what a run shows: held to an independent record of every primitive call, its place and its type."""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from support.constructs.hidden_calls import CONVERTED
from support.constructs.hidden_calls_outside import NOTED
from support.constructs.listed_calls import NEAR
from support.constructs.python_statements import FORMS
from support.constructs.shared_names import networks
from support.constructs.users_networks import NETWORKS as USERS
from support.type_record import Record

import minispore as ms
from minispore import amp
from minispore.tools.testing.strategies.constructs import network, programs
from minispore.tools.testing.strategies.networks import planned, plans, rows

pytestmark = pytest.mark.usefixtures("restored")

NETWORKS = [cell for cell, *_ in FORMS] + CONVERTED + [cell for cell, _ in NOTED] + USERS
CONVERSIONS = [("O0", False), ("O1", False), ("O1", True), ("O2", False), ("O3", False)]
# In these a run leaves out a branch, or takes another in float16
BRANCHES = {"IfOnCall", "ForEnumerate", "Ternary", "MethodWithBranches", "NameChosen"}
WHITE = set(amp.get_white_list())


@pytest.fixture(scope="module")
def record():
    with Record() as made:
        yield made


def is_users(place):
    """Whether a place is in the user's code: a container that is the whole network stands in the package's."""
    return not place.startswith(os.path.dirname(ms.__file__) + os.sep)


def is_uncertain(row):
    """Whether a row says that its call may never happen, or that what is called is known only at run time."""
    return "may call" in row.reason or row.dtype == "unknown"


def probe():
    return ms.Tensor(np.full((1, 1), NEAR, np.float32))


class Before:
    """A network as it is before any conversion: its calls, and where it holds what."""

    def __init__(self, record, make, args):
        self.record, self.make, self.args = record, make, args
        network = make()
        ms.set_seed(1)
        self.calls = record.of(network, *args)
        self.paths = {}
        for path, cell in network.cells_and_names():
            self.paths.setdefault(cell, []).append(path)
            for name, child in cell._cells.items():  # under each of its names
                self.paths.setdefault(child, []).append(f"{path}.{name}".lstrip("."))
        self.ran = {path for cell in record.ran for path in self.paths.get(cell, ())}


class Run:
    """A network as it was and as it is after a conversion: the calls of both, in pairs, and the receipt."""

    def __init__(self, before, level, functional):
        self.calls, self.paths, self.ran = before.calls, before.paths, before.ran
        self.held = {(path, type(cell).__name__) for cell, paths in self.paths.items() for path in paths}
        after = amp.auto_mixed_precision(before.make(), level, functional=functional)
        self.receipt = amp.explain(after, "O0") if level == "O0" else after.amp_report
        self.entries = self.receipt.entries
        ms.set_seed(1)
        self.after = before.record.of(after, *before.args)
        self.rows = [self._rows_of(call) for call in self.calls]

    def is_same_course(self):
        """Whether the conversion left the calls as they were: a branch may turn on the last bits of a number."""
        return [call.primitive.name for call in self.calls] == [call.primitive.name for call in self.after]

    def _rows_of(self, call):
        """The rows that stand for a call: by class or function, by path where it is a child, and by place."""
        kinds = {call.kind.__name__} if call.kind else {call.function or call.method, type(call.primitive).__name__}
        alike = [row for row in self.entries if row.kind.lower() in {kind.lower() for kind in kinds} and row.called]
        if call.called in self.paths:
            own = [row for row in alike if row.path in self.paths[call.called]]
            alike = own or [row for row in alike if (row.path, row.kind) not in self.held]
        elif call.owner in self.paths:  # a primitive of the cell that calls it, where several stand in one line of code
            prefixes = tuple(f"{path}." for path in self.paths[call.owner])
            inner = [row for row in alike if row.path.startswith(prefixes)]
            others = [row for row in alike if (row.path, row.kind) not in self.held and row.place in call.places]
            alike = inner or others or alike  # a name outside of the network may be a child's name too
        placed = [row for row in alike if row.place in call.places or not is_users(row.place)]
        return placed or [row for row in alike if "may call" in row.reason]

    def assert_true(self):
        """Each call that is to be listed has a row, whose type is the one that it computed in; others keep the rule."""
        for call, after, found in zip(self.calls, self.after, self.rows, strict=True):
            if self.is_said_to_be_unknown(call):
                continue
            listed = call.kind or call.function or type(call.primitive) in WHITE
            if listed:
                assert found, call
            if found and after.dtypes and listed:
                dtype = "float16" if "float16" in after.dtypes else "float32"
                right = [row.dtype in (dtype, "as its inputs") for row in found]
                assert all(right) if call.called in self.paths else any(right), (call, after.dtypes, found)
            if not listed:
                assert self.keeps_the_rule(after), after

    def is_said_to_be_unknown(self, call):
        """Whether the row of a line that leads to a call says that what it calls is known only at run time."""
        return any(row.dtype == "unknown" and row.place in call.places for row in self.entries)

    def keeps_the_rule(self, call):
        """Whether what has no row computed in the type of its cell's mark, or else in that of its inputs."""
        mark = None if call.owner is None else call.owner._compute_dtype
        if mark is not None:
            return call.dtypes <= {mark.name}
        return call.dtypes <= {"float32"} or any(row.dtype == "as its inputs" for row in self.entries)

    def assert_the_difference_shows_what_was_converted(self):
        """The receipt's difference names exactly the rows whose calls went from float32 to float16."""
        lines = self.receipt.diff().splitlines()
        shown = {line for line in lines if line.startswith("+# ") and line.endswith(" computes in float16")}
        white = [row for row in self.entries if row.reason.startswith("white list")]
        assert shown == {f"+# {row.path} ({row.kind}) computes in float16" for row in white}

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


def runs(record, make, args, may_branch=False):
    """A Run for each conversion of a network that leaves its course as it is: all do, unless it branches."""
    before = Before(record, make, args)
    for level, functional in CONVERSIONS:
        try:
            run = Run(before, level, functional)
        except TypeError as error:  # a cell in a list keeps float32 weights: the network itself does not run
            assert "dtype" in str(error) and level in ("O2", "O3")
            continue
        if run.is_same_course():
            yield run, level, functional
        else:
            assert may_branch or make.__name__ in BRANCHES


@pytest.mark.parametrize("make", NETWORKS, ids=lambda cell: cell.__name__)
def test_every_form_of_code_computes_as_the_receipt_says(make, record):
    for run, level, functional in runs(record, make, (probe(),)):
        run.assert_true()
        run.assert_the_difference_shows_what_was_converted()
        certain = [row for row in run.entries if row.called and not is_uncertain(row)]
        never = [row for row in certain if row not in run.rows_that_ran() and row.path not in run.ran]
        assert not never or make.__name__ in BRANCHES
        if level == "O1" and not any(row.dtype == "unknown" for row in run.entries):
            assert refused(make, functional) == bool(run.missed())


@pytest.mark.parametrize("make", NETWORKS, ids=lambda cell: cell.__name__)
def test_in_graph_mode_too(make, record):
    ms.set_context(mode=ms.GRAPH_MODE)
    for run, _, _ in runs(record, make, (probe(),)):
        run.assert_true()


@given(plans())
def test_drawn_networks_compute_as_their_receipts_say(record, plan):
    for run, level, functional in runs(record, lambda: planned(plan), rows(0)[:1]):
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
    for run, _, _ in runs(record, make, (x,), may_branch=True):
        run.assert_true()


@given(networks())
@settings(max_examples=2 * settings.default.max_examples)
def test_drawn_names_mean_in_the_receipt_what_they_meant_in_the_run(record, drawn):
    make, _ = drawn
    for run, level, functional in runs(record, make, (probe(),)):
        run.assert_true()
        run.assert_the_difference_shows_what_was_converted()
        certain = [row for row in run.entries if row.called and not is_uncertain(row)]
        assert [row for row in certain if not ran_there(run, row)] == []
        if level == "O1" and not any(row.dtype == "unknown" for row in run.entries):
            refuses, missed = refused(make, functional), bool(run.missed())
            assert refuses == missed or (refuses and any(is_uncertain(row) for row in run.receipt.missed))


def ran_there(run, row):
    """Whether what a row names was called from its line, or under its path where that is in no user's code."""
    for call in run.calls:
        kinds = {call.kind.__name__} if call.kind else {call.function or call.method, type(call.primitive).__name__}
        if row.place in call.places and row.kind.lower() in {kind.lower() for kind in kinds}:
            return True
    return row.path in run.ran
