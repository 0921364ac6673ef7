"""The command line as a user starts it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import minispore
from minispore.__main__ import main

ROOT = str(Path(minispore.__file__).parents[1])


def run(*arguments):
    """``python -m minispore`` in a process of its own."""
    command = [sys.executable, "-m", "minispore", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_info_says_versions_and_set_up():
    done = run("info")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith(f"minispore: {minispore.__version__}\nPython: ")
    assert all(name in done.stdout for name in ("NumPy: ", "CuPy: ", "blas: ", "white list: nn.Conv", "ops.ReLU"))


def test_info_says_why_no_gpu_is_used(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert main(["info"]) == 0
    (line,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith("GPU: "))
    assert line.startswith("GPU: none can be used: that needs CuPy, which is not installed; install it with pip")


def test_info_says_what_a_gpu_is_used_with(on_cupy, capsys):
    assert main(["info"]) == 0
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert "sm_" in lines["GPU"] and "GiB" in lines["GPU memory"] and "driver" in lines["CUDA"]
    assert {"Conv2D", "Dropout", "MatMul", "Momentum"} & set(lines["fused kernels"].split(", "))
    assert "CUDA graphs" in lines


def test_a_wrong_option_ends_the_process_with_code_2_and_one_sentence():
    done = run("train", "--net", "alexnet")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("minispore train: argument --net: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["fly"], ["info", "--loudly"]])
def test_a_wrong_command_is_one_sentence(arguments, capsys):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    error = capsys.readouterr().err
    assert end.value.code == 2 and error.startswith("minispore") and error.count("\n") == 1


def test_without_a_command_the_commands_are_listed(capsys):
    assert main([]) == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: minispore") and all(word in out for word in ("train", "explain", "info"))


@pytest.mark.parametrize("arguments, word", [(["--version"], minispore.__version__), (["train", "--help"], "--resume")])
def test_version_and_help_end_with_code_0(arguments, word, capsys):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 0 and word in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["info"], ["train", "--help"], []])
def test_where_nobody_reads_the_output_the_command_ends_without_a_word(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "minispore", *arguments]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    os.close(writer)
    assert done.stderr == "" and done.returncode in (141, 0)  # 0: argparse itself took no notice
