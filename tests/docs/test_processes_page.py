"""The page on processes is true: its programs run in one process and in several, and print what it shows."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings
from support.executed_page import CLONE, blocks_of

TEXT = (CLONE / "docs" / "how-to" / "processes.md").read_text()
FILES = {re.match(r"# (\w+\.py)", code)[1]: (code, shown) for code, shown in blocks_of(TEXT)}
MPIEXEC = shutil.which("mpiexec", path=Path(sys.executable).parent) or shutil.which("mpiexec")
needs_mpi = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py") is None or MPIEXEC is None, reason="needs mpi4py and mpiexec (the extra mpi)"
)
deep = pytest.mark.skipif(settings.default.max_examples < 2000, reason="long jobs: under the deep profile")


def job(folder, name, count=1):
    """What a program of the page says in ``count`` processes, and in one without mpiexec."""
    (folder / name).write_text(FILES[name][0])
    start = [] if count == 1 else [MPIEXEC, "-n", str(count)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(CLONE)}
    command = [*start, sys.executable, name]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=300)


def losses(column):
    """The losses of a column of the page's table."""
    return [float(row.split("|")[column + 2]) for row in re.findall(r"^\| (?:loss )?after epoch.*", TEXT, re.MULTILINE)]


@pytest.mark.parametrize(("column", "count"), [(0, 1), pytest.param(1, 2, marks=[needs_mpi, deep])])
def test_the_losses_are_those_of_the_table(column, count, tmp_path):
    ran = job(tmp_path, "train.py", count)
    found = [float(loss) for loss in re.findall(r"loss ([\d.]+)", ran.stdout)]
    assert found == pytest.approx(losses(column), abs=2e-4), ran.stderr
    assert (tmp_path / "step.ckpt").exists()


@needs_mpi
@deep
def test_an_overflow_in_one_process_skips_in_both_as_shown(tmp_path):
    assert sorted(job(tmp_path, "over.py", 2).stdout.splitlines()) == FILES["over.py"][1].splitlines()


@needs_mpi
@deep
def test_processes_that_part_are_told_as_shown(tmp_path):
    assert FILES["apart.py"][1].strip() in job(tmp_path, "apart.py", 2).stderr
