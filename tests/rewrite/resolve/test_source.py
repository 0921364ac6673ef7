"""Source: one analysis reads a function once, and the next reads it anew."""

import importlib
import inspect
import sys
from collections import Counter

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

    def counting(code):
        counts[code.co_name] += 1
        return getsource(code)

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


def test_what_is_no_function_has_no_code():
    assert Sources()(nn.ReLU) is None and Sources()(len) is None
