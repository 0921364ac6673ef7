"""``minispore stubs``: editors and type checkers know ``import mindspore`` by minispore's names."""

import ast
import importlib
import subprocess
import sys
import zipfile

import pytest
import tomllib

from minispore.__main__ import main
from minispore.dropin.absent import names_of_mindspore


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The folder that the command writes, which is not there before."""
    folder = tmp_path_factory.mktemp("site") / "new"
    assert main(["stubs", str(folder)]) == 0
    return folder


def offered(file):
    """The names that a stub hands on."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        for part in node.names:
            listed = getattr(importlib.import_module(node.module), "__all__", ())
            yield from listed if part.name == "*" else [part.name]


def test_each_address_hands_on_what_mindspore_has_there_and_minispore_has(written):
    missing = []
    for address, names in names_of_mindspore().items():
        file = written.joinpath("mindspore-stubs", *address.split("."), "__init__.pyi")
        if file.exists():
            module, found = importlib.import_module(f"minispore.{address}".rstrip(".")), {*offered(file)}
            missing += [f"{address}.{name}" for name in names - found if hasattr(module, name)]
    assert missing == []
    assert {"Tensor", "nn", "dtype", "set_context"} <= {*offered(written / "mindspore-stubs" / "__init__.pyi")}


def test_pip_can_install_the_folder(written, tmp_path):
    build = "from setuptools.build_meta import build_wheel; import sys; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=written, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    stubs = [str(file.relative_to(written)) for file in (written / "mindspore-stubs").rglob("*.pyi")]
    assert {*stubs} <= {*names} and len(stubs) > 100
    assert tomllib.loads((written / "pyproject.toml").read_text())["project"]["dependencies"] == ["minispore"]


def test_a_folder_that_is_there_is_left_alone(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["stubs", str(tmp_path)])
    assert ended.value.code == 2 and "exists" in capsys.readouterr().err and not any(tmp_path.iterdir())
