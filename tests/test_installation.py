"""What pip installs: an editable installation that other tools can follow, and distributions with all that belongs."""

import functools
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import minispore

pytest.importorskip("setuptools", "70.1", reason="distributions are built with setuptools 70.1 or later")

CLONE = Path(__file__).parent.parent
NOT_SOURCES = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "minispore-out", "*.pyi")


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of the clone as git has it."""
    copy = tmp_path_factory.mktemp("clone") / "minispore"
    shutil.copytree(CLONE, copy, ignore=NOT_SOURCES)
    shutil.copytree(CLONE / ".ci", copy / ".ci")
    return copy


def build(clone, kind, out, **environment):
    """Have setuptools build one kind of distribution; gives the process, which has ended."""
    command = [sys.executable, "-c", f"from setuptools import build_meta; build_meta.build_{kind}({str(out)!r})"]
    return subprocess.run(command, cwd=clone, env=os.environ | environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def built(clone, tmp_path_factory):
    """A function that builds one kind of distribution of the copy, once, and gives its path."""

    @functools.cache
    def path(kind):
        out = tmp_path_factory.mktemp(kind)
        done = build(clone, kind, out)
        assert done.returncode == 0, done.stderr
        return next(out.iterdir())

    return path


@pytest.fixture(scope="module")
def in_wheel(built):
    return set(zipfile.ZipFile(built("wheel")).namelist())


@pytest.fixture(scope="module")
def in_sdist(built):
    return {name.partition("/")[2] for name in tarfile.open(built("sdist")).getnames()}


def files(*patterns):
    """The clone's files that match, by their paths in it."""
    found = {path for pattern in patterns for path in CLONE.glob(pattern) if "__pycache__" not in path.parts}
    return {path.relative_to(CLONE).as_posix() for path in found if path.is_file()}


def test_an_editable_installation_is_a_path_that_static_tools_can_follow(built):
    """No finder that only a running Python can ask: it would also lose against a folder called like the package."""
    names = zipfile.ZipFile(built("editable")).namelist()
    path = f"__editable__.minispore-{minispore.__version__}.pth"
    assert [name for name in names if "dist-info" not in name] == [path]


def test_a_wheel_and_an_editable_installation_have_the_same_stubs(clone, built, tmp_path):
    """The one in itself, the other beside the package's files, where those of what is gone are removed."""
    in_wheel = zipfile.ZipFile(built("wheel"))
    made = {name: in_wheel.read(name).decode() for name in in_wheel.namelist() if name.endswith(".pyi")}
    gone = clone / "minispore" / "gone.pyi"
    gone.write_text(made["minispore/hal.pyi"])
    assert build(clone, "editable", tmp_path).returncode == 0
    beside = {path.relative_to(clone).as_posix(): path.read_text() for path in clone.glob("minispore/**/*.pyi")}
    assert len(made) > 100 and beside == made


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_what_cannot_be_imported_is_not_built_without_its_stubs(clone, tmp_path, kind):
    (tmp_path / "numpy.py").write_text("raise ImportError('there is no NumPy')")
    done = build(clone, kind, tmp_path / "out", PYTHONPATH=str(tmp_path))
    assert done.returncode != 0 and "the package must be importable" in done.stderr


def test_a_wheel_holds_the_package_with_its_data_its_pages_and_its_stubs(in_wheel):
    wanted = files("minispore/**/*") - files("minispore/**/*.pyi")
    found = {name for name in in_wheel if "dist-info" not in name}
    stubs = {name for name in found if name.endswith(".pyi")}
    pages = {name for name in found if "/share/doc/minispore/" in name}
    assert found - stubs - pages == wanted
    assert {name.partition("/share/doc/minispore/")[2] for name in pages} <= files("docs/**/*", "examples/**/*", "*.md")
    assert any(name.endswith("docs/learn/09_master_weights.md") for name in pages)
    assert {"minispore/core/tensor.pyi", "minispore/tensor.pyi", "minispore/common/initializer.pyi"} <= stubs
    assert {Path(name).name for name in in_wheel if "dist-info" in name} >= {"LICENSE", "NOTICE", "METADATA"}


def test_a_source_distribution_holds_all_that_its_tests_read(in_sdist):
    wanted = files("*.md", "*.cfg", "*.toml", "LICENSE", "NOTICE", "minispore/**/*", "docs/**/*", "benchmarks/**/*")
    built = files("tests/cpucuda/build/**/*", "minispore/**/*.pyi", "docs/reference/api/**/*")  # the site's, too
    assert (wanted | files("setup.py", "stubs/*", "tests/**/*", ".ci/run")) - built - in_sdist == set()
    assert not any(name.endswith(".pyi") for name in in_sdist)
