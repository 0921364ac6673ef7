"""The text of objects: the class and the arguments that it was made with, never an address in memory."""

import importlib
import inspect

import numpy as np
import pytest

import minispore as ms
from minispore import nn, ops
from minispore.ops.object_text import of_arguments

ROOMS = [
    "amp",
    "boost",
    "dataset",
    "dataset.audio",
    "dataset.text",
    "dataset.transforms",
    "dataset.vision",
    "insight",
    "mindrecord",
]
ROOMS += ["nn", "ops", "profiler", "rewrite", "train"]
NEVER_MADE = {"BatchInfo", "CustomRegOp", "DataType", "ParallelMode", "Partial", "ReduceOp", "Replacement", "Type"}


def classes():
    """The public classes of the package."""
    rooms = [ms, *(importlib.import_module(f"minispore.{room}") for room in ROOMS)]
    found = [value for room in rooms for name, value in vars(room).items() if not name.startswith("_")]
    return {value for value in found if inspect.isclass(value) and value.__module__.startswith("minispore")}


@pytest.mark.needs("tools", "training", "data", "dropin")
def test_no_public_class_shows_an_address():
    assert {kind.__name__ for kind in classes() if kind.__repr__ is object.__repr__} <= NEVER_MADE


@pytest.mark.parametrize(
    ("instance", "text"),
    [
        (ops.GradOperation(get_all=True), "GradOperation(get_all=True, get_by_list=False, sens_param=False)"),
        (ms.amp.StaticLossScaler(8), "StaticLossScaler(scale_value=8)"),
        (ms.amp.FixedLossScaleManager(4.0), "FixedLossScaleManager(loss_scale=4, drop_overflow_update=True)"),
        (nn.TopKCategoricalAccuracy(3), "TopKCategoricalAccuracy(k=3)"),
        (nn.Fbeta(0.5), "Fbeta(beta=0.5)"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_object_shows_the_arguments_that_it_keeps(instance, text):
    assert repr(instance) == str(instance) == text


def test_a_manager_shows_its_present_scale():
    manager = ms.amp.DynamicLossScaleManager(8, 2, 100)
    manager.update_loss_scale(True)
    assert repr(manager) == "DynamicLossScaleManager(loss_scale=4, scale_factor=2, scale_window=100)"


def test_an_optimizer_and_an_update_cell_show_their_numbers():
    net = nn.Dense(2, 1)
    assert repr(nn.Adam(net.trainable_params())) == "Adam<learning_rate=0.001, parameters=2>"
    schedule = nn.Momentum(net.trainable_params(), nn.ExponentialDecayLR(0.1, 0.9, 4), 0.9)
    assert repr(schedule).splitlines()[:2] == ["Momentum<", "  parameters=2"]
    assert "loss_scale_value=8, factor=2, window=10" in repr(nn.DynamicLossScaleUpdateCell(8, 2, 10))


class Kept:
    """An object that keeps each of its arguments."""

    __repr__ = of_arguments

    def __init__(self, value, api_key=b"hidden", absent=None):
        self._value, self.api_key, self.absent = value, api_key, absent


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.ones((2, 3), np.float16), "float16[2, 3]"),
        (ms.Tensor(np.ones((2,), np.float32)), "Float32[2]"),
        (np.float32(0.1), "0.1"),
        (np.str_("a"), "'a'"),
        (np.bool_(True), "True"),
        ([1, 2, 3, 4, 5, 6], "[1, 2, 3, 4, ...]"),
        (nn.ReLU(), "ReLU"),
        (len, "len"),
        (nn.MAE(), "MAE()"),
        ({"a": np.zeros(10**6)}, "{'a': float64[1000000]}"),
    ],
    ids=str,
)
def test_values_are_short(value, text):
    assert repr(Kept(value)) == f"Kept(value={text})"


def test_an_object_that_holds_itself_has_a_text():
    kept = Kept(None)
    kept._value = [kept]
    assert repr(kept) == "Kept(value=[Kept(value=[...])])"
