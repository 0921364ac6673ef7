"""A name of MindSpore that is not here can be imported, and raises when it is used; a probe for it fails as before."""

import importlib
import subprocess
import sys
import typing

import pytest

from minispore.dropin import absence, compat

ABSENT = absence.Absent("numpy.utils._to_tensor")
SENTENCE = "minispore has no 'numpy.utils._to_tensor', which MindSpore has as 'mindspore.numpy.utils._to_tensor'"


@pytest.fixture(autouse=True)
def mindspore(monkeypatch, tmp_path):
    """The name ``mindspore`` and a folder for libraries in each test, and neither behind it."""
    compat.install()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a text of the same second and length would not be read
    kept = dict(sys.modules)
    yield
    compat.uninstall()
    for name in [name for name in sys.modules if name not in kept and not name.startswith("minispore.")]:
        del sys.modules[name]
    for module in [module for name, module in sys.modules.items() if name.startswith("minispore")]:
        for name in [name for name, value in vars(module).items() if isinstance(value, absence.AbsentModule)]:
            delattr(module, name)  # an import sets it, as Python does for every module


def run(tmp_path, text, name="library"):
    """The names of a new module."""
    (tmp_path / f"{name}.py").write_text(text)
    importlib.invalidate_caches()
    sys.modules.pop(name, None)
    return vars(importlib.import_module(name))


def test_each_version_is_known():
    assert absence.since("nn.Dense") == absence.since("numpy.utils._to_tensor") == "2.0.0"
    assert absence.since("mint.nn.functional") == "later" and absence.since("nn.nonsense") is None


# Names that 2.0.0 and 2.7.0 lack, of versions between them: documented ones, and of modules that only these have
BETWEEN = """
from mindspore.nn import StepLR, LRScheduler
from mindspore.nn.layer.flash_attention import FlashAttention
from mindspore.nn.optim_ex import AdamW
from mindspore.experimental.optim.lr_scheduler import ChainedScheduler
from mindspore.hypercomplex.dual import Dense
from mindspore.train import TFTRegister
from mindspore.ops.extend.math_func import baddbmm
import mindspore.nn.optim_ex.adamw as room
"""


def test_a_name_of_a_version_between_is_imported_and_refused_at_use(tmp_path):
    found = run(tmp_path, BETWEEN)
    names = [name for name, value in found.items() if type(value) is absence.Absent]
    assert {"StepLR", "FlashAttention", "AdamW", "ChainedScheduler", "Dense", "TFTRegister"} <= {*names}
    assert isinstance(found["room"], absence.AbsentModule)
    sentence = r"^minispore has no 'nn\.StepLR', which MindSpore after 2\.0\.0 has as 'mindspore\.nn\.StepLR'"
    with pytest.raises(NotImplementedError, match=sentence):
        found["StepLR"](0.1)


def test_a_star_takes_what_is_known_of_a_module(tmp_path):
    assert absence.since("nn.layer.flash_attention.anything") == "later"
    assert absence.since("nn.layer.basic.anything") is None
    assert "Adam" in run(tmp_path, "from mindspore.nn.optim_ex import *")


IMPORTS = """
from mindspore.train.summary.summary_record import _get_summary_tensor_data
from mindspore.numpy.utils import _to_tensor as renamed
from mindspore.ops.operations._rl_inner_ops import EnvReset
import mindspore.ops.composite.base
import mindspore.parallel._transformer as room
from mindspore.parallel import _transformer as again
from mindspore.parallel._transformer.moe import MoE
from mindspore.parallel._transformer import *
from mindspore.ops.auto_generate import gen_ops_def, GroupNorm

def within():
    from mindspore.common.tensor import _TensorMeta
    return _TensorMeta
"""


def test_whatever_a_mindspore_has_is_imported(tmp_path):
    found = run(tmp_path, IMPORTS)
    assert (
        type(found["_get_summary_tensor_data"]) is type(found["renamed"]) is type(found["EnvReset"]) is absence.Absent
    )
    assert found["room"] is found["again"] and isinstance(found["room"], absence.AbsentModule)
    assert repr(found["MoE"]) == "<mindspore.parallel._transformer.moe.MoE, which minispore has not>"
    assert type(found["AttentionMask"]) is type(found["within"]()) is absence.Absent
    with pytest.raises(AttributeError, match=r"which MindSpore has as 'mindspore\.parallel\._transformer'\.$"):
        _ = found["room"].MoE


GUARDS = {
    "try": "try:\n    {}\nexcept ImportError:\n    missing = True",
    "a tuple": "E = (KeyError, ImportError)\ntry:\n    {}\nexcept E:\n    missing = True",
    "everything": "try:\n    pass\n    {}\nexcept:\n    missing = True",
    "suppress": "import contextlib\nwith contextlib.suppress(ImportError):\n    {}\n    missing = False",
    "a function": "def ask():\n    try:\n        {}\n    except Exception:\n        return True\nmissing = ask()",
}
PROBES = [
    "from mindspore.numpy.utils import _to_tensor",
    "import mindspore.parallel._transformer.moe",
    "from mindspore.parallel import _transformer",
    "from mindspore.mint.nn.layer import normalization",
]


@pytest.mark.parametrize("probe", PROBES)
@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_a_probe_fails_as_before(tmp_path, guard, probe):
    assert run(tmp_path, guard.format(probe)).get("missing", True)


OPEN = [
    "try:\n    import json\nexcept ImportError:\n    pass\n{}",
    "try:\n    pass\nexcept ImportError:\n    pass\nelse:\n    {}",
    "try:\n    {}\nexcept KeyError:\n    pass",
    "try:\n    import nonsense\nexcept ImportError:\n    {}",
    "try:\n    def ask():\n        {}\nexcept ImportError:\n    pass\nask()",
]


@pytest.mark.parametrize("text", OPEN)
def test_a_try_that_does_not_wait_for_the_failure_changes_nothing(tmp_path, text):
    run(tmp_path, text.format(PROBES[0]))


def test_a_library_that_a_probe_imports_fails_for_later_names_alone(tmp_path):
    (tmp_path / "later.py").write_text("from mindspore.ops.auto_generate import GroupNorm")
    (tmp_path / "first.py").write_text(PROBES[0])
    probe = "try:\n    import {0}\n    found = True\nexcept ImportError:\n    found = False"
    assert not run(tmp_path, probe.format("later"))["found"]  # as under 2.0.0
    assert run(tmp_path, probe.format("first"))["found"]


def test_what_no_mindspore_has_fails(tmp_path):
    for text in (
        "from mindspore import nonsense",
        "from mindspore.dataset.audio import nonsense",
        "import mindspore.nonsense",
    ):
        with pytest.raises(ImportError, match="nonsense"):
            run(tmp_path, text)


def test_hasattr_is_as_before(tmp_path):
    found = run(
        tmp_path, "import mindspore.numpy.utils as u, mindspore as ms\nhas = hasattr(u, '_to_tensor'), hasattr(ms, 'x')"
    )
    assert found["has"] == (False, False)


def test_an_import_of_minispore_itself_fails(tmp_path):
    with pytest.raises(ImportError, match="has no attribute 'TBERegOp', which MindSpore has"):
        run(tmp_path, "from minispore.ops import TBERegOp")


def test_text_without_a_file_fails_as_before():
    with pytest.raises(ImportError):
        exec(PROBES[0], {})


def subclassed():
    class Own(ABSENT):
        pass


@pytest.mark.parametrize(
    "use",
    [
        lambda: ABSENT(3),
        subclassed,
        lambda: ABSENT == 3,
        lambda: ABSENT in (1, 2),
        lambda: ABSENT < 3,
        lambda: bool(ABSENT),
        lambda: list(ABSENT),
        lambda: ABSENT[0],
        lambda: ABSENT + 1,
    ],
)
def test_each_use_raises_the_sentence(use):
    with pytest.raises(NotImplementedError, match=SENTENCE):
        use()


def test_reading_raises_so_that_hasattr_is_false():
    assert not hasattr(ABSENT, "shape")
    with pytest.raises(AttributeError, match=SENTENCE):
        _ = ABSENT.shape
    with pytest.raises(AttributeError, match=SENTENCE):
        ABSENT.shape = 3


def test_it_stands_in_annotations_and_nothing_is_an_instance_of_it():
    def function(x: ABSENT, y: ABSENT | None = None, z: int | ABSENT = 1) -> dict[str, ABSENT]:
        return {}

    assert typing.get_type_hints(function)["x"] is ABSENT and {ABSENT: 1}[ABSENT]
    assert not isinstance(3, ABSENT) and not isinstance(3, (str, ABSENT)) and not issubclass(int, ABSENT)


def test_importing_the_package_reads_no_names():
    code = (
        "import minispore.compat, mindspore.nn; from minispore.dropin.absence import _names; print(_names.cache_info())"
    )
    assert "misses=0" in subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout
