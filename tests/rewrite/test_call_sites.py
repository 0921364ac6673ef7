"""Sites: what is listed computes in float16 however it is called, or is named in the receipt with the reason."""

import inspect
import linecache
import types

import numpy as np
import pytest
from support.constructs.hidden_calls import CONVERTED
from support.constructs.hidden_calls_outside import NOTED
from support.constructs.listed_calls import NEAR

import minispore as ms
from minispore import amp, nn, ops
from minispore.core.layers import Layer
from minispore.core.primitive import Primitive
from minispore.rewrite import SymbolTree
from minispore.rewrite.call_sites import NEVER, call_sites

_LISTED = {"MatMul", "BatchMatMul", "ReLU"}


def probe():
    return ms.Tensor(np.full((1, 1), NEAR, np.float32))


class Widths(Layer):
    """Notes in ``seen`` the number of bits of what each listed primitive returns, in the order of the calls."""

    def __init__(self):
        self.seen = []

    def around_compute(self, call, primitive, args, arrays):
        out = call(primitive, args, arrays)
        if primitive.name in _LISTED:
            self.seen.append(out.dtype.itemsize * 8)
        return out


@pytest.fixture
def widths():
    """The number of bits of what each listed primitive returns, in the order of the calls."""
    with Widths() as found:
        yield found.seen


def run(net, widths):
    """What a network returns for the probe, as arrays, and the widths of its listed primitives."""
    widths.clear()
    return [part.asnumpy() for part in net(probe())], list(widths)


@pytest.mark.parametrize("cell", CONVERTED, ids=lambda cell: cell.__name__)
def test_a_listed_cell_or_primitive_is_converted_however_it_is_called(cell, widths):
    net = cell()
    before, wide = run(net, widths)
    new = amp.auto_mixed_precision(net, "O1", strict=True)
    (low, kept), narrow = run(new, widths)
    assert set(wide) == {32} and set(narrow) == {16} and len(narrow) == len(wide)
    assert low.dtype == kept.dtype == np.float32 and low == 1.0
    assert kept in (before[1], np.float32(NEAR))  # the neighbour keeps its bits, be it of x or of what was made of x
    assert new.amp_report.missed == ()
    after, again = run(net, widths)
    assert after == before and again == wide


@pytest.mark.parametrize(("cell", "reason"), NOTED, ids=[cell.__name__ for cell, _ in NOTED])
def test_a_listed_call_that_no_edit_reaches_is_named_in_the_receipt_and_an_error_where_that_is_asked(
    cell, reason, widths
):
    net = cell()
    before, wide = run(net, widths)
    new = amp.auto_mixed_precision(net, "O1")
    _, narrow = run(new, widths)
    assert 32 in narrow and len(narrow) == len(wide)
    missed = [entry.reason for entry in new.amp_report.missed]
    assert len(missed) >= 1 and all(each.startswith("listed, but not converted: ") for each in missed)
    assert any(reason in each for each in missed)
    assert run(net, widths) == (before, wide)
    with pytest.raises(ValueError, match="with 'strict' every listed class must be converted"):
        amp.auto_mixed_precision(cell(), "O1", strict=True)


def test_what_a_network_holds_and_never_calls_is_no_error():
    class Spare(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc, self.spare, self.relu = nn.Dense(2, 2), nn.Dense(2, 2), ops.ReLU()

        def construct(self, x):
            return self.fc(x)

    report = amp.auto_mixed_precision(Spare(), "O1", strict=True).amp_report
    assert {entry.path: entry.dtype for entry in report.entries}["spare"] == "not called"


def test_a_site_says_where_it_is_in_a_helper_of_the_module():
    (cell,) = [cell for cell, _ in NOTED if cell.__name__ == "NameInAHelper"]
    (site,) = [site for site in call_sites(cell()) if site.text == "RELU"]
    file, line = site.place.rsplit(":", 1)
    with open(file, encoding="utf-8") as source:
        assert "return RELU(x)" in source.read().splitlines()[int(line) - 1]


def test_functions_in_a_users_cell_that_is_called_by_name_are_converted_where_that_is_asked():
    class Named(nn.Cell):
        def construct(self, x):
            return _FUNCTIONAL(x), x * NEAR

    report = amp.auto_mixed_precision(Named(), "O1").amp_report
    assert [entry.reason for entry in report.missed] == ["listed, but not converted: it is called as a function"]
    new = amp.auto_mixed_precision(Named(), "O1", functional=True, strict=True)
    low, kept = new(probe())
    assert low.asnumpy() == 1.0 and kept.asnumpy() != 1.0


class _Functional(nn.Cell):
    def construct(self, x):
        return ops.relu(x)


_FUNCTIONAL = _Functional()


class _Uses(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(1, 1)

    def construct(self, x):
        return _own(self.fc(x))


class _Own(Primitive):
    def infer(self, x):
        return x

    def compute(self, xp, x):
        return x


_own = _Own()


def test_a_tree_with_a_primitive_of_the_users_own_makes_a_network():
    net = _Uses()
    new = SymbolTree.create(net).get_network()
    assert new(probe()).asnumpy() == net(probe()).asnumpy()
    assert [site.path for site in call_sites(net)] == ["fc", "_own"]


class Mentioned(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu, self.fc = ops.ReLU(), nn.Dense(1, 1)


class OnOneLine(Mentioned):
    def construct(self, x):
        held = [self.relu, self.fc, self.relu, self.fc]
        return len(held) + x


class OnTwoLines(Mentioned):
    def construct(self, x):
        held = [self.relu, self.fc]
        more = [self.relu, self.fc]
        return len(held + more) + x


class CalledThere(Mentioned):
    def construct(self, x):
        held = [self.relu, self.fc, self.relu(x), self.relu]
        return held[2]


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        (OnOneLine, ["relu", "fc"]),
        (OnTwoLines, ["relu", "fc", "relu", "fc"]),
        (CalledThere, ["fc", "relu"]),
    ],
)
def test_what_a_line_names_is_one_site_and_a_call_there_covers_it(kind, paths):
    sites = call_sites(kind())
    assert [site.path for site in sites] == paths
    assert [bool(site.doubt) for site in sites] == [not (kind is CalledThere and path == "relu") for path in paths]


class Holder:
    """An object that is no cell."""

    def __init__(self, value):
        self.value = value


SPACE = types.SimpleNamespace(act=ops.Neg())


class Ways(nn.Cell):
    """Ways to a cell, each of which hides others."""

    def __init__(self):
        super().__init__()
        self.act, self.one, self.layers = ops.ReLU(), ops.Abs(), nn.CellList([nn.Tanh(), nn.Sigmoid()])

    def make(self):
        return self.one

    def step(self, x):
        return self.act(x)


class MakesObjects(Ways):
    def construct(self, x):
        return Holder(tuple(x for _ in ())).value


class CallsWhatIsMade(Ways):
    def construct(self, x, i=0):
        x = self.make()(x)
        return self.layers[i](x)


class GivesItself(Ways):
    def construct(self, x):
        return Ways.step(self, x)


class GivesAnother(Ways):
    def construct(self, x):
        return Ways.step(SPACE, x)


class BindsAnew(Ways):
    def construct(self, x):
        f = self.act
        (x,) = [f(x) for f in (self.one,)]
        return f(x)


def _line(site):
    file, line = site.place.rsplit(":", 1)
    return linecache.getline(file, int(line)).strip()


@pytest.mark.parametrize(
    ("cell", "called", "named"),
    [
        (MakesObjects, [], []),
        (
            CallsWhatIsMade,
            [],
            [
                ("return self.one", "Abs"),
                ("return self.layers[i](x)", "Tanh"),
                ("return self.layers[i](x)", "Sigmoid"),
            ],
        ),
        (
            GivesItself,
            [("return self.act(x)", "ReLU")],
            [("return Ways.step(self, x)", kind) for kind in ("Tanh", "Sigmoid", "Cast", "ReLU", "Abs")],
        ),
        (GivesAnother, [], [("return Ways.step(SPACE, x)", "Neg")]),
        (BindsAnew, [("(x,) = [f(x) for f in (self.one,)]", "Abs"), ("return f(x)", "ReLU")], []),
    ],
)
def test_a_site_stands_where_the_code_calls_or_names_and_nowhere_else(cell, called, named):
    sites = [site for site in call_sites(cell()) if site.doubt != NEVER]
    assert [(_line(site), type(site.called).__name__) for site in sites if not site.doubt] == called
    assert [(_line(site), type(site.called).__name__) for site in sites if site.doubt] == named


class Paired(Ways):
    def construct(self, x):
        act, _ = self.act, self.one
        return act(x)


class NamedTogether(Ways):
    def construct(self, x):
        act = _ = self.act
        return act(x)


class InATable(Ways):
    def construct(self, x):
        table = {"twice": lambda t: t + t}
        return table["twice"](x)


@pytest.mark.parametrize(("kind", "called"), [(Paired, ["act"]), (NamedTogether, ["act"]), (InATable, [])])
def test_names_that_are_bound_in_pairs_and_functions_in_tables_are_told_apart(kind, called):
    sites = call_sites(kind())
    assert [site.path for site in sites if site.place.endswith(":" + line_of(kind, "return"))] == called


def line_of(kind, start):
    """The number of the line of ``construct`` that begins with a word."""
    lines, first = inspect.getsourcelines(kind.construct)
    return str(first + next(i for i, line in enumerate(lines) if line.strip().startswith(start)))
