"""Source: one analysis reads a function once, and the next reads it anew."""

import ast
import importlib
import inspect
import linecache
import sys
from collections import Counter
from functools import wraps
from types import ModuleType

import pytest

from minispore import amp, nn
from minispore.rewrite import SymbolTree
from minispore.rewrite.call_sites import call_sites
from minispore.rewrite.resolve.source import Sources

TEXT = """
from minispore import nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Dense(2, 2), nn.ReLU()

    def helper(self, x):
        return self.second(x)

    def construct(self, x):
        return [self.helper(part) for part in (self.first(x), x)]
"""


@pytest.fixture
def read(monkeypatch):
    """How often the source of each function is asked for."""
    counts, getsource = Counter(), inspect.getsource

    def counting(shown):
        counts[getattr(shown, "__code__", shown).co_name] += 1
        return getsource(shown)

    monkeypatch.setattr(inspect, "getsource", counting)
    return counts


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A function that imports a module of the given text, which was written just now."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def imported(text):
        (tmp_path / "edited_network.py").write_text(text)
        importlib.invalidate_caches()
        sys.modules.pop("edited_network", None)
        return importlib.import_module("edited_network")

    yield imported
    sys.modules.pop("edited_network", None)


def test_a_conversion_reads_each_function_once_and_its_receipt_none_again(module, read):
    network = module(TEXT).Net()
    report = amp.auto_mixed_precision(network, "O1").amp_report
    assert read == {"construct": 1, "helper": 1}
    assert [(entry.path, entry.dtype) for entry in report.entries] == [("first", "float16"), ("second", "float32")]


def test_a_class_that_is_edited_between_two_conversions_is_read_anew(module):
    before = amp.auto_mixed_precision(module(TEXT).Net(), "O1").amp_report
    after = amp.auto_mixed_precision(module("\n\n" + TEXT.replace("self.second(x)", "self.first(x)")).Net(), "O1")
    paths, lines = ([[entry[i] for entry in report.entries] for report in (before, after.amp_report)] for i in (1, 0))
    assert paths[0] == ["first", "second"] and paths[1] == ["first", "first", "second"]
    assert [int(line.rpartition(":")[2]) for line in (lines[0][0], lines[1][0])] == [14, 16]


def test_sites_read_the_sources_that_they_are_given(module, read):
    network = module(TEXT).Net()
    forest = SymbolTree.create(network).get_handler().forest
    read.clear()
    assert call_sites(network, None, forest.sources) == call_sites(network) and read == {"construct": 1, "helper": 1}


def test_syntax_has_the_lines_of_its_file():
    here, code = inspect.currentframe().f_code, Sources()(test_syntax_has_the_lines_of_its_file)
    assert code.syntax.lineno == here.co_firstlineno and code.syntax.body[0].lineno == here.co_firstlineno + 1


class Asked(ModuleType):
    """A module that counts how often its file is asked for."""

    asked = 0

    def __getattr__(self, name):
        self.__dict__["asked"] += name == "__file__"
        raise AttributeError(name)


@pytest.mark.parametrize("home", ["__main__", "no_module"])
def test_a_class_of_no_file_is_read_without_a_search_of_all_modules(home, monkeypatch):
    other = Asked("other")
    other.asked = 0
    monkeypatch.setitem(sys.modules, "other", other)
    filename = f"<a cell of {home}>"
    monkeypatch.setitem(linecache.cache, filename, (len(TEXT), None, TEXT.splitlines(keepends=True), filename))
    space = {"__name__": home}
    exec(compile(TEXT, filename, "exec"), space)
    assert len(amp.auto_mixed_precision(space["Net"](), "O1").amp_report.entries) == 2
    assert other.asked == 0


def test_a_function_that_wraps_another_is_read_itself():
    @wraps(len)
    def around(x):
        return len(x)

    around.__wrapped__ = around  # a circle
    assert Sources()(around).syntax.name == "around"


def test_what_is_no_function_has_no_code():
    assert Sources()(nn.ReLU) is None and Sources()(len) is None


CELL = """
from minispore import nn, ops
import minispore as ms

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2)

    def construct(self, x):
        return ops.relu(self.dense(x)) + ms.Tensor(1.0)
"""


@pytest.mark.parametrize("each", [True, False], ids=["statement by statement", "as a whole"])
def test_a_class_beside_its_imports_in_a_notebooks_cell_is_converted(each, monkeypatch):
    file, names = "<ipython-input-7>", {"__name__": "__main__"}
    monkeypatch.setitem(linecache.cache, file, (len(CELL), None, CELL.splitlines(keepends=True), file))
    tree = ast.parse(CELL)
    for body in [[part] for part in tree.body] if each else [tree.body]:
        exec(compile(ast.Module(body, []), file, "exec"), names)  # as IPython does, unless the cell begins with %%
    receipt = amp.auto_mixed_precision(names["Net"](), "O1").amp_report
    assert [(row.kind, row.dtype) for row in receipt.entries] == [("Dense", "float16"), ("ReLU", "float32")]
