"""The finders: addresses are imported as modules, and run as programs."""

import subprocess
import sys

import pytest

from minispore.dropin import finder


def test_the_finder_is_there_once():
    finder.serve()
    assert sum(type(found) is finder._Finder for found in sys.meta_path) == 1


TAKEN = """
import importlib, sys
import minispore as ms
functions = [ms.serialization.export, ms.ops.grad, ms.common.initializer.initializer]
for address in sys.argv[1:]:
    importlib.import_module(f"minispore.{address}")
assert functions == [ms.serialization.export, ms.ops.grad, ms.common.initializer.initializer]
"""


def test_the_import_of_a_module_takes_no_functions_name():
    addresses_of_functions = ["serialization.export", "initializer", "ops.function.grad"]
    subprocess.run([sys.executable, "-c", TAKEN, *addresses_of_functions], check=True)


@pytest.mark.parametrize("address", ["common.initializer", "initializer", "testing", "train.metrics"])
def test_an_address_runs_as_a_program(address):
    command = [sys.executable, "-m", f"minispore.{address}", *["--help"] * (address == "testing")]
    done = subprocess.run(command, capture_output=True, text=True)
    if address == "train.metrics":
        assert "is a package and cannot be directly executed" in done.stderr  # as ``python -m minispore.nn.metrics``
    else:
        assert (done.returncode, "Error" in done.stderr) == (0, False)


def test_an_address_of_several_modules_is_no_program():
    done = subprocess.run([sys.executable, "-m", "minispore.hal"], capture_output=True, text=True)
    assert done.returncode == 1 and "No code object available for minispore.hal" in done.stderr
