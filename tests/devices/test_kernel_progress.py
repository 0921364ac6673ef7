"""A terminal is told of kernels while they are compiled; files and pipes are not."""

import os
import sys
from types import SimpleNamespace

import pytest

from minispore.devices import kernel_progress

NAME = "_compile_using_nvrtc_no_warning"


def compiled(monkeypatch, capsys, terminal):
    """What is written while a stand-in's kernels are compiled."""
    compiler = SimpleNamespace(**{NAME: lambda source: source.upper()})
    cupy = SimpleNamespace(cuda=SimpleNamespace(compiler=compiler))
    kernel_progress.tell(cupy)
    kernel_progress.tell(cupy)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    assert [getattr(compiler, NAME)(text) for text in ("a", "b")] == ["A", "B"]
    return capsys.readouterr().err


def test_a_terminal_is_told_which_kernel_is_compiled_and_the_line_is_taken_back(monkeypatch, capsys):
    monkeypatch.setenv("CUPY_CACHE_DIR", "/kept/here")
    written = compiled(monkeypatch, capsys, True)
    lines = [f"minispore: compiling kernel {count} for the GPU, to be kept in /kept/here" for count in (1, 2)]
    assert written == "".join(f"\r\x1b[K{line}\r\x1b[K" for line in lines)


def test_nothing_is_written_to_a_file(monkeypatch, capsys):
    assert compiled(monkeypatch, capsys, False) == ""


def test_a_cupy_that_compiles_otherwise_is_left_alone():
    cupy = SimpleNamespace(cuda=SimpleNamespace())
    kernel_progress.tell(cupy)
    assert vars(cupy.cuda) == {}


def test_the_installed_cupy_compiles_by_what_is_told(on_cupy, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    text = f'extern "C" __global__ void of_{os.getpid()}() {{ }}'  # no cache has it
    on_cupy.RawKernel(text, f"of_{os.getpid()}").compile()
    assert "minispore: compiling kernel" in capsys.readouterr().err


@pytest.mark.parametrize("folder", ["", None])
def test_cupys_own_folder_is_named_where_no_other_is_set(monkeypatch, capsys, folder):
    monkeypatch.delenv("CUPY_CACHE_DIR", raising=False)
    if folder is not None:
        monkeypatch.setenv("CUPY_CACHE_DIR", folder)
    assert os.path.join("~", ".cupy", "kernel_cache") in compiled(monkeypatch, capsys, True)
