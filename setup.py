"""The build: setuptools with the settings of ``setup.cfg``, and the type stubs that ``stubs/`` makes of the package.

A wheel holds them; an editable installation has them beside the package's files, where git ignores them. They are made
in a process of its own, which imports the package: ``pyproject.toml`` names what that needs.
"""

import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

ROOT = Path(__file__).resolve().parent


def make_stubs(package):
    """Write the stubs into a copy of the package, a folder."""
    command = [sys.executable, str(ROOT / "stubs"), str(Path(package).resolve())]
    if subprocess.run(command, cwd=ROOT).returncode:
        needed = "numpy, ml_dtypes, safetensors, threadpoolctl and tqdm"
        raise SystemExit(f"For 'setup.py', the package must be importable ({needed} installed), but it was not.")


class BuildPackage(build_py):
    """The files of the package, then its stubs."""

    def run(self):
        super().run()
        if not self.editable_mode:
            make_stubs(Path(self.build_lib) / "minispore")


class EditableWheel(editable_wheel):
    """An installation of the package where it stands, with its stubs there."""

    def run(self):
        make_stubs(ROOT / "minispore")
        super().run()


setup(cmdclass={"build_py": BuildPackage, "editable_wheel": EditableWheel})
