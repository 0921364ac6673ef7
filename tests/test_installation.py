"""What pip installs: an editable installation that other tools can follow, and distributions with all that belongs."""

import functools
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("setuptools", "70.1", reason="distributions are built with setuptools 70.1 or later")

CLONE = Path(__file__).parent.parent
NOT_SOURCES = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "minispore-out")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A function that has setuptools build one kind of distribution from a copy of the clone; gives its path."""
    copy = tmp_path_factory.mktemp("clone") / "minispore"
    shutil.copytree(CLONE, copy, ignore=NOT_SOURCES)
    shutil.copytree(CLONE / ".ci", copy / ".ci")

    @functools.cache
    def build(kind):
        out = tmp_path_factory.mktemp(kind)
        code = f"from setuptools import build_meta; build_meta.build_{kind}({str(out)!r})"
        subprocess.run([sys.executable, "-c", code], cwd=copy, check=True, capture_output=True, timeout=300)
        return next(out.iterdir())

    return build


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
    assert [name for name in names if "dist-info" not in name] == ["__editable__.minispore-0.1.0.pth"]


def test_a_wheel_holds_the_package_with_its_data_its_pages_and_its_stubs(in_wheel):
    wanted = files(
        "minispore/**/*.py",
        "minispore/**/*.pyi",
        "minispore/**/*.md",
        "minispore/**/*.cu",
        "minispore/dataset/data/*/*",
        "minispore/*.json.gz",
        "minispore/insight/report.html",
        "minispore/testing/*.json",
        "minispore/testing/*.txt",
        "minispore/testing/known/*.toml",
    )
    assert {name for name in in_wheel if "dist-info" not in name} == wanted | {"minispore/py.typed"}
    assert {Path(name).name for name in in_wheel if "dist-info" in name} >= {"LICENSE", "NOTICE", "METADATA"}


def test_a_source_distribution_holds_all_that_its_tests_read(in_sdist):
    wanted = files("*.md", "*.cfg", "*.toml", "LICENSE", "NOTICE", "minispore/**/*", "docs/**/*", "benchmarks/**/*")
    built = files("tests/cpucuda/build/**/*")
    assert (wanted | files("tests/**/*", ".ci/run")) - built - in_sdist == set()
