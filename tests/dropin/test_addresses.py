"""MindSpore's addresses: each gives this package's own names, however it is imported."""

import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
import support

import minispore as ms
from minispore import nn, ops
from minispore.dropin import addresses

ROOT = Path(ms.__file__).parent


RELEASED = Path(support.__path__[0])  # what minispore 0.1 had
OF_0_1 = (RELEASED / "modules_of_0_1.txt").read_text().split()


def has_a_file(address):
    path = ROOT.joinpath(*addresses.place_of(address).split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def at(address):
    return importlib.import_module(f"minispore.{address}".rstrip("."))


@pytest.mark.parametrize("address", addresses.MODULES)
def test_an_address_gives_what_its_sources_have(address):
    assert not has_a_file(address), f"the module {address} has a file: its further names go into NAMES"
    found = addresses.names_from(addresses.MODULES[address])
    inner = {path.rpartition(".")[2] for path in addresses.MODULES if path.rpartition(".")[0] == address}
    assert found.keys() - inner
    assert [n for n in found.keys() - inner if getattr(at(address), n) is not getattr(found[n], n)] == []


@pytest.mark.parametrize("address", addresses.NAMES | addresses.FORMER)
def test_a_module_here_gives_the_further_names_of_its_address(address):
    sources = (addresses.NAMES | addresses.FORMER)[address]
    assert not address or has_a_file(address), f"there is no file of {address}: it goes into MODULES"
    assert [n for n in addresses.names_from(sources) if not hasattr(at(address), n)] == []


def test_a_module_has_its_further_names_in_one_table():
    assert not addresses.NAMES.keys() & addresses.FORMER.keys()


@pytest.mark.parametrize("address", addresses.MODULES)
def test_an_address_is_an_attribute_of_its_package(address):
    found = ms
    for name in address.split("."):
        found = getattr(found, name)
    assert found is at(address)


def test_an_address_of_a_whole_module_is_that_module():
    assert at("common.dtype") is ms.dtype and at("train.metrics") is nn.metrics
    assert importlib.util.find_spec("minispore.dtype").origin.endswith("dtype.py")


def test_names_are_imported_from_an_address():
    from minispore.common import dtype as mstype
    from minispore.common import set_seed
    from minispore.common.initializer import Normal
    from minispore.nn.layer.activation import get_activation
    from minispore.nn.optim.momentum import Momentum
    from minispore.nn.wrap.loss_scale import DynamicLossScaleUpdateCell
    from minispore.ops.composite import clip_by_value
    from minispore.train.serialization import load_checkpoint

    assert (mstype, set_seed, Normal) == (ms.dtype, ms.set_seed, ms.initializer.Normal)
    assert (get_activation, Momentum, clip_by_value) == (nn.get_activation, nn.Momentum, ops.clip_by_value)
    assert (load_checkpoint, DynamicLossScaleUpdateCell) == (ms.load_checkpoint, ms.amp.DynamicLossScaleUpdateCell)


def test_a_star_import_from_nn_gives_the_scaled_steps():
    names = {}
    exec("from minispore.nn import *", names)
    assert names["TrainOneStepWithLossScaleCell"] is ms.amp.TrainOneStepWithLossScaleCell


@pytest.mark.parametrize("owner", [ms, nn, nn.wrap, ops.composite], ids=lambda module: module.__name__)
def test_another_name_is_no_attribute(owner):
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = owner.no_such_name
    assert not hasattr(owner, "__no_such_name__")


def test_a_name_of_a_builtin_does_not_hide_it_from_the_modules_own_code():
    assert ops.composite.all is ops.all and "all" not in vars(ops.composite)


def test_a_module_at_an_address_does_not_take_the_place_of_a_function():
    importlib.import_module("minispore.ops.function.grad")
    assert callable(ops.functional.grad) and ops.functional.grad is ops.grad


def test_a_users_own_dropout_takes_its_seeds_from_the_address_of_seeds(restored):
    seeds = ms.common.seed._get_graph_seed(None, "dropout")
    ms.set_seed(1)
    masks = [ops.Dropout(0.5, *seeds)(ops.ones(64, ms.float32))[0].asnumpy().tolist() for _ in range(2)]
    ms.set_seed(1)
    assert ops.Dropout(0.5, *seeds)(ops.ones(64, ms.float32))[0].asnumpy().tolist() == masks[0] != masks[1]
    assert ms.common.seed._get_graph_seed(5, "dropout") == (0, 5)


def test_a_primitive_expression_is_its_function():
    @ops.primitive._primexpr
    def successor(n):
        return n + 1

    assert successor(2) == 3


EVERY_MODULE = """
import importlib, json, sys
from minispore import addresses
wrong = {}
for address in sys.argv[1:]:
    try:
        found = importlib.import_module(f"minispore.{address}")
    except Exception as error:
        wrong[address] = repr(error)
        continue
    place = addresses.MODULES.get(address, address)
    if not set(place) & set(" :") and found.__name__ != f"minispore.{addresses.place_of(place)}":
        wrong[address] = found.__name__
print(json.dumps(wrong))
"""
# A module of 0.1 that is no more -> why
GONE = {"ops.fused": "a device's kernels are found by ops.kernel_table; nothing is put before compute any more"}


def test_every_module_of_the_first_release_is_the_one_that_has_its_place_now():
    done = subprocess.run([sys.executable, "-c", EVERY_MODULE, *OF_0_1], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]).keys() == GONE.keys()


def test_a_module_with_names_of_its_own_to_find_keeps_them_beside_a_former_address():
    cuda, insight = ms.ops.kernels.cuda, ms.insight
    assert cuda.shadows is at("devices.cuda.narrow_copies") and cuda.copies is at("devices.cuda.copies")
    assert insight.attempts is at("tools.insight.reruns")
    with pytest.warns(DeprecationWarning, match="now called NotFiniteStep"):
        assert insight.SkippedStep is insight.NotFiniteStep
    for module in (cuda, insight):
        with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
            _ = module.no_such_name


def test_a_module_with_two_addresses_is_one_object():
    for address, place in addresses._PLACES.items():
        assert at(address) is sys.modules[f"minispore.{place}"]


@pytest.mark.parametrize(
    "module, name",
    [
        ("nn.layer.basic", "Dense"),
        ("nn.loss.loss", "SoftmaxCrossEntropyWithLogits"),
        ("nn.loss.loss", "CosineEmbeddingLoss"),
    ],
)
def test_a_module_whose_names_stand_in_several_files_now_gives_all_of_them_by_a_star(module, name):
    names = {}
    exec(f"from minispore.{module} import *", names)
    assert name in names


def test_a_dtype_is_of_the_class_of_its_kind():
    from minispore._c_expression import typing

    kinds = {"Int": ms.int32, "UInt": ms.uint8, "Float": ms.float16, "Bool": ms.bool_, "BFloat": ms.bfloat16}
    for name, kind in kinds.items():
        assert [n for n in kinds if isinstance(kind, getattr(typing, n))] == [name]
        assert isinstance(kind, typing.Number) and isinstance(kind, ms.Type)
    assert isinstance(ms.tensor_type, ms.Type)
