"""Living objects show what MindSpore 2.0.0's show: each public attribute is of its kind, or raises one sentence."""

import functools
import gzip
import json
from pathlib import Path

import pytest
from conformance.cases import living

import minispore as ms

FILE = Path(__file__).parent / "vectors" / "living.json.gz"
RECORDED = json.loads(gzip.decompress(FILE.read_bytes()))
SENTENCE = "MindSpore's has it: "
AT_LEAST = 0.85  # of all attributes are of the recorded kind, and have the value where that is a plain one
_DIFFERENT = {  # why an attribute's value or kind differs -> attributes, each of an object or of all
    "the data sets below are a tuple, which nothing changes": "children",
    "the number is told before it is asked for by get_dataset_size()": "dataset_size",
    "the workers are those that run, not those that were asked for": "num_parallel_workers",
    "a Tensor's method, which MindSpore's Parameters hide": "Parameter.is_init Parameter of a layer.is_init",
    "no Parameter waits for its initializer": "Parameter of a layer.is_default_input_init",
    "one axis is its own transpose": "Tensor of one int.T",
    "the initializers are told by the layer's arguments alone": "Conv2d.bias_init Conv2d.weight_init",
    "a function, where MindSpore holds a primitive": "TrainOneStepCell.grad_reducer",
    "one operation updates all Parameters": "SGD of a number.opt",
    "scales are floats": "DynamicLossScaleManager.loss_scale",
    "no name was given": "a user's Primitive.name",
}
DIFFERENT = " ".join(_DIFFERENT.values())


@functools.cache
def made(name):
    return eval(living.OBJECTS[name], living.environment(ms))


def is_explained(name, attribute):
    return attribute in DIFFERENT.split() or f"{name}.{attribute}" in DIFFERENT


def is_equal(recorded, found):
    """Whether an attribute is of the recorded kind, and of the recorded value if that is a plain one."""
    return found == recorded or (recorded.startswith("raises") and found.startswith("raises"))


@pytest.mark.parametrize("name", living.OBJECTS)
def test_each_attribute_is_equal_or_explained_or_raises_the_sentence(name):
    wrong = {}
    for attribute, recorded in RECORDED[name].items():
        found = living.shown(ms, made(name), attribute)
        if is_equal(recorded, found) or is_explained(name, attribute):
            continue
        with pytest.raises(AttributeError) as error:
            getattr(made(name), attribute)
            wrong[attribute] = (recorded, found)
            raise AttributeError(SENTENCE)
        if SENTENCE not in str(error.value):
            wrong[attribute] = (recorded, str(error.value))
    assert wrong == {}


def test_most_attributes_are_equal():
    rows = [(name, attribute, kind) for name, row in RECORDED.items() for attribute, kind in row.items()]
    equal = [row for row in rows if is_equal(row[2], living.shown(ms, made(row[0]), row[1]))]
    assert len(equal) >= AT_LEAST * len(rows)


def test_a_withheld_attribute_is_absent_to_hasattr():
    for name, attribute in [("Dense", "get_func_graph_proto"), ("Primitive", "set_signatures"), ("Model", "nothing")]:
        assert not hasattr(made(name), attribute)
    assert not hasattr(made("GeneratorDataset"), "to_json") and not hasattr(ms.Tensor(1), "getitem_index_info")
