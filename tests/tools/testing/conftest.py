"""The kit's command, run on a target."""

from pathlib import Path

import pytest

from minispore.tools.testing import __main__ as command


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Run the command on a target's text; gives how it ends and what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(text, *arguments):
        Path("mine.py").write_text(text)
        return command.main(["--target", "mine.py", *arguments]), capsys.readouterr().out

    return run
