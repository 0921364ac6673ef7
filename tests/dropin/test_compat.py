"""``import mindspore`` gives minispore's own modules, and never hides a real MindSpore unasked."""

import importlib
import sys
from types import ModuleType

import pytest

import minispore as ms
from minispore import nn
from minispore.dropin import compat
from minispore.tools.cli import children


@pytest.fixture(autouse=True)
def no_mindspore(monkeypatch):
    """Each test begins without the name, and leaves nothing behind."""
    compat.uninstall()
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    kept = dict(sys.modules)
    yield
    compat.uninstall()
    for name in [name for name in sys.modules if name.partition(".")[0] == "mindspore" and name not in kept]:
        del sys.modules[name]


def test_every_module_of_mindspore_is_minispores():
    assert compat.install()
    for address in (".nn", ".ops.operations", ".common.initializer", ".nn.wrap.loss_scale", ".train.serialization"):
        assert importlib.import_module(f"mindspore{address}") is importlib.import_module(f"minispore{address}")
    assert importlib.import_module("mindspore.nn").__spec__.name == "minispore.nn"


def test_names_are_imported_as_scripts_do():
    compat.install()
    names = {}
    script = "import mindspore as ms, mindspore.nn as nn\nfrom mindspore import Tensor, context\n"
    exec(script + "from mindspore.ops import operations as P\nfrom mindspore.nn import *", names)
    assert (names["ms"].nn, names["nn"], names["context"]) == (nn, nn, ms.context)
    assert names["Dense"] is nn.Dense and names["P"] is ms.ops.operations


def test_the_version_is_that_of_the_mindspore_that_is_followed():
    compat.install()
    theirs, version = importlib.import_module("mindspore"), importlib.import_module("mindspore.version")
    assert (theirs.__version__, version.__version__, theirs.version) == ("2.0.0", "2.0.0", version)
    assert ms.__version__ == ms.version.__version__ != theirs.__version__
    assert theirs.__name__ == theirs.__spec__.name == "mindspore"


def test_all_other_names_of_the_package_are_minispores():
    compat.install()
    theirs = importlib.import_module("mindspore")
    own = {"__name__", "__spec__", "__loader__", "__package__", "__path__", "__version__", "version", "tensor"}
    assert [name for name in vars(ms).keys() - own if getattr(theirs, name) is not getattr(ms, name)] == []
    assert (theirs.tensor([1.0]).asnumpy() == 1).all() and ms.tensor.Tensor is theirs.Tensor
    assert theirs.Accuracy is nn.Accuracy and theirs.common.dtype is ms.dtype  # found when they are asked for


def test_a_real_mindspore_is_hidden_only_when_that_is_asked(monkeypatch, tmp_path):
    (tmp_path / "mindspore.py").write_text("real = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert not compat.install() and importlib.import_module("mindspore").real
    assert compat.install(force=True) and importlib.import_module("mindspore").nn is nn
    compat.uninstall()
    assert importlib.import_module("mindspore").real


def test_an_imported_mindspore_is_kept(monkeypatch):
    monkeypatch.setitem(sys.modules, "mindspore", ModuleType("mindspore"))
    assert not compat.install() and not hasattr(sys.modules["mindspore"], "nn")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import mindspore.no_such_module", "No module named 'mindspore.no_such_module'"),
        ("import mindspore.nn.probability.bnn_layers", "which MindSpore has as 'mindspore.nn.probability.bnn_layers'"),
        ("from mindspore.ops import TBERegOp", "has no attribute 'TBERegOp'.*ops.Primitive"),
        ("from mindspore import no_such_name", "The module 'minispore' has no attribute 'no_such_name'"),
    ],
)
def test_a_missing_name_is_an_import_error_with_one_sentence(code, words):
    compat.install()
    with pytest.raises(ImportError, match=words):
        exec(code)


def test_a_missing_name_may_be_asked_for():
    compat.install()
    assert not hasattr(importlib.import_module("mindspore"), "no_such_name")


def test_a_folder_of_the_name_without_code_is_no_real_mindspore(monkeypatch, tmp_path):
    (tmp_path / "mindspore" / "images").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert compat.install() and importlib.import_module("mindspore").Tensor is ms.Tensor


def test_the_folder_for_child_processes_is_no_real_mindspore(monkeypatch):
    monkeypatch.syspath_prepend(children.__path__[0])
    assert compat.install()
    compat.uninstall()
    assert importlib.import_module("mindspore").nn is nn and compat.is_installed()
