"""The engine MPI on the real library: jobs of two processes, which ``mpiexec`` starts."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from minispore.communication import mpi

JOB = Path(__file__).parent.parent / "support" / "mpi_job.py"
BIN = os.path.dirname(sys.executable)  # where the wheel of mpich puts its launcher
MPIEXEC = shutil.which("mpiexec", path=os.pathsep.join([BIN, os.environ.get("PATH", "")]))

needs_mpi = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py") is None or MPIEXEC is None, reason="needs mpi4py and mpiexec (the extra mpi)"
)


def run(name):
    """The finished job of two processes that run the function ``name`` of mpi_job.py."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    environment = {**os.environ, **one_thread, "PYTHONPATH": str(JOB.parents[2])}
    command = [MPIEXEC, "-n", "2", sys.executable, str(JOB), name]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


@needs_mpi
def test_two_processes_do_what_one_does_tell_each_error_and_end_together():
    job = run("everything")
    told = job.stdout.split("\n")
    assert told.count("exchanged") == told.count("as one") == 2, job.stderr
    for rank in (0, 1):
        expected = "all 2 ranks must make the same calls in the same order"
        assert f"For 'AllReduce', {expected}, but got on rank {rank} that they differ: rank 0: " in job.stdout
    assert "rank 0: AllReduce of sum over Float32 (2,); rank 1: AllReduce of sum over Float32 (3,)" in job.stdout
    assert "rank 0: AllReduce of sum over Float32 (); rank 1: the end of the process of all ranks" in job.stderr
    assert "rank 0 of 2 has ended by RuntimeError: all others end too" in job.stderr and job.returncode != 0


@needs_mpi
@pytest.mark.skipif(settings.default.max_examples < 2000, reason="two more jobs: under the deep profile")
@pytest.mark.parametrize(
    ("name", "told"), [("killed", "signal 9"), ("absent", "must come within the op_timeout of 1 seconds")]
)
def test_a_process_that_is_gone_ends_the_others(name, told):
    job = run(name)
    assert job.returncode != 0 and told in job.stdout + job.stderr


def test_without_the_library_the_error_tells_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    monkeypatch.delitem(sys.modules, "mpi4py.MPI", raising=False)
    with pytest.raises(RuntimeError, match=r'pip install "mpi4py>=4.0" "mpich>=4.2" \(the extra mpi\)'):
        mpi.world()
