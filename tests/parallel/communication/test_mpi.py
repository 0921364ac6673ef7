"""The engine MPI on the real library: jobs of several processes, which ``mpiexec`` starts."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

import minispore
from minispore.parallel.communication import mpi

JOB = Path(__file__).parents[2] / "support" / "mpi_job.py"
BIN = os.path.dirname(sys.executable)  # where the wheel of mpich puts its launcher
MPIEXEC = shutil.which("mpiexec", path=os.pathsep.join([BIN, os.environ.get("PATH", "")]))

needs_mpi = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py") is None or MPIEXEC is None, reason="needs mpi4py and mpiexec (the extra mpi)"
)


deep = pytest.mark.skipif(settings.default.max_examples < 2000, reason="long jobs: under the deep profile")


def mpiexec(count, *command, limit=600):
    """The finished job of ``count`` processes that run a command of Python's."""
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    environment = {**os.environ, **one_thread, "PYTHONPATH": str(JOB.parents[2])}
    command = [MPIEXEC, "-n", str(count), sys.executable, *map(str, command)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit, check=False)


@needs_mpi
def test_two_processes_do_what_one_does_tell_each_error_and_end_together():
    job = mpiexec(2, JOB, "everything")
    told = [line.split(" ")[0] for line in job.stdout.split("\n")]
    assert told.count("exchanged") == told.count("as") == told.count("agreed") == told.count("told") == 2, job.stderr
    for rank in (0, 1):
        expected = "all 2 ranks must make the same calls in the same order"
        assert f"For 'AllReduce', {expected}, but got on rank {rank} that they differ: rank 0: " in job.stdout
    assert "rank 0: AllReduce of sum over Float32 (2,); rank 1: AllReduce of sum over Float32 (3,)" in job.stdout
    assert "rank 0: AllReduce of sum over Float32 (); rank 1: the end of the process of all ranks" in job.stderr
    assert "rank 0 of 2 has ended by RuntimeError: all others end too" in job.stderr and job.returncode != 0


@needs_mpi
@deep
@pytest.mark.parametrize("count", [2, 4])
def test_any_optimizer_level_and_mode_trains_as_one_process_does_and_bit_for_bit_each_time(count, tmp_path):
    jobs = [mpiexec(count, JOB, "training", "ALL", tmp_path, limit=1800) for _ in range(2)]
    assert all(job.returncode == 0 for job in jobs), jobs[0].stderr
    assert len({line for job in jobs for line in job.stdout.split("\n") if line.startswith("as one")}) == 1


@needs_mpi
@deep
@pytest.mark.parametrize("count", [2, 4])
def test_whichever_process_and_bucket_overflows_all_agree(count):
    job = mpiexec(count, JOB, "overflows", 200, limit=900)
    assert job.returncode == 0 and job.stdout.split() == ["agreed"] * count, job.stderr


@needs_mpi
@deep
@pytest.mark.parametrize("count", [2, 3])
def test_whichever_processes_fail_wherever_all_are_told_and_training_goes_on(count):
    job = mpiexec(count, JOB, "faults", 100, limit=900)
    assert job.returncode == 0 and job.stdout.split() == ["told"] * count, job.stderr


@needs_mpi
@deep
@pytest.mark.parametrize("place", ["step", "reduction", "saving"])
@pytest.mark.parametrize(
    ("how", "told"),
    [("SIGKILL", "Killed (signal 9)"), ("SIGSTOP", "all 2 ranks must come within the op_timeout of 3 seconds")],
)
def test_a_process_that_is_halted_ends_the_others_and_the_last_checkpoint_loads(place, how, told, tmp_path):
    job = mpiexec(2, JOB, "halted", place, how, tmp_path)
    assert job.returncode != 0 and told in job.stdout + job.stderr
    assert int(minispore.load_checkpoint(tmp_path / "last.ckpt")["steps"]) in (3, 4)  # the fourth may not be whole


@needs_mpi
@deep
def test_a_process_that_does_not_come_ends_the_wait_of_the_others():
    job = mpiexec(2, JOB, "absent")
    assert job.returncode != 0 and "must come within the op_timeout of 1 seconds" in job.stderr


@needs_mpi
@deep
def test_a_process_that_ends_after_it_has_waited_in_vain_ends_the_others():
    job = mpiexec(2, JOB, "given_up")
    assert "must come within the op_timeout of 1 seconds" in job.stdout and job.returncode != 0
    assert "rank 0 of 2 has ended, and 'AllReduce' has not: all others end too" in job.stderr


@needs_mpi
@deep
def test_the_script_of_the_page_on_processes_runs_in_four(tmp_path):
    text = (JOB.parents[2] / "docs" / "how-to" / "processes.md").read_text()
    script = tmp_path / "train.py"
    script.write_text(text[text.index("# train.py, run by") :].partition("```")[0])
    job = mpiexec(4, script)
    assert job.returncode == 0, job.stderr


@needs_mpi
@deep
def test_the_command_trains_in_several_processes_and_goes_on_in_another_number_of_them(tmp_path):
    def trained(count, epochs, out, *more):
        options = ["--net", "mlp", "--level", "O0", "--batch-size", 64, "--distributed", *more]
        job = mpiexec(
            count, "-m", "minispore", "train", *options, "--epochs", epochs, "--out", tmp_path / out, limit=900
        )
        assert job.returncode == 0, job.stderr
        assert job.stdout.count("test accuracy") == 1 and "Traceback" not in job.stderr
        return json.loads((tmp_path / out / "results.json").read_text())["levels"]["O0"]["losses"]

    whole = trained(1, 2, "whole")
    trained(4, 1, "parts")
    assert np.allclose(trained(2, 2, "parts", "--resume"), whole, rtol=1e-3)


def test_without_the_library_the_error_tells_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    monkeypatch.delitem(sys.modules, "mpi4py.MPI", raising=False)
    with pytest.raises(RuntimeError, match=r'pip install "mpi4py>=4.0" "mpich>=4.2" \(the extra mpi\)'):
        mpi.world()
