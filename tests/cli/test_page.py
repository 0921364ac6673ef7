"""``--report`` and ``--html``: the page that a run and an explanation leave, and what is refused before they begin."""

import re
import sys

import pytest

from minispore.__main__ import main

SOURCE = """
from minispore import nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 4)

    def construct(self, x):
        return self.fc(x)
"""


@pytest.fixture
def network(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "network_for_a_page.py"
    path.write_text(SOURCE)
    return f"{path}:Net"


def test_a_run_leaves_a_page_with_each_levels_network_and_course(train, tmp_path):
    assert train("--net mlp --level O0 --level O2 --epochs 2 --report", tmp_path) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", page) == ["Training at O0", "Network at O2", "Training at O2"]
    assert page.count("<svg") == 3  # two losses, one loss scale
    assert "Step 1: " in page and "Also: 4, 5, 6." in page


def test_an_explanation_can_be_a_page(network, tmp_path, capsys):
    for level in ("O0", "O1"):
        out = tmp_path / f"{level}.html"
        assert main(["explain", network, "--level", level, "--html", str(out)]) == 0
        assert "Dense" in out.read_text(encoding="utf-8")
    assert "white list" in capsys.readouterr().out


def test_without_jinja2_a_run_is_refused_before_it_begins(train, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(SystemExit):
        train("--net mlp --level O0 --epochs 1 --report", tmp_path / "out")
    assert "with '--report' Jinja2 must be installed" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_page_that_cannot_be_written_is_refused(network, tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["explain", network, "--html", str(tmp_path)])
    assert str(tmp_path) in capsys.readouterr().err
