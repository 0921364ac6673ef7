"""``--report``: the page that a run leaves, and what is refused before it begins."""

import re
import sys

import pytest


def test_a_run_leaves_a_page_with_each_levels_network_and_course(train, tmp_path):
    assert train("--net mlp --level O0 --level O2 --epochs 2 --report", tmp_path) == 0
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert re.findall(r"<h2[^>]*>(.*?)</h2>", page) == ["Training at O0", "Network at O2", "Training at O2"]
    assert page.count("<svg") == 3  # two losses, one loss scale
    assert "Step 1: " in page and "Also: 4, 5, 6." in page


def test_without_jinja2_a_run_is_refused_before_it_begins(train, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(SystemExit):
        train("--net mlp --level O0 --epochs 1 --report", tmp_path / "out")
    assert "with '--report' Jinja2 must be installed" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
