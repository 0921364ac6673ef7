"""Networks of different families agree with the real MindSpore: names, outputs, gradients; and they run in float16.

``record/models.py`` says what the vectors hold. A gradient may lie from MindSpore's as far as three times MindSpore's
own lies from itself when every weight moves by one ulp: where a BatchNorm follows, some gradients are zero but for
rounding errors, and those of both are all noise. With MINDSPORE_PYTHON set, a record made now, of another seed, is
judged as well.
"""

import functools
import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pytest
from conformance import models
from conformance.judge import models as observed_models

import minispore as ms
from minispore import amp

HERE = pathlib.Path(__file__).parent
EVERY_MODEL = pytest.mark.parametrize("name", models.MODELS)
LIVE_SEED = 2


@functools.cache
def record(path=HERE / "vectors" / "models.npz"):
    """The arrays of a record by model, and its metadata."""
    with np.load(path) as file:
        meta = json.loads(str(file["meta"]))
        keys = [key.split("/") for key in file.files if "/" in key]
        arrays = {name: {key: file[f"{name}/{key}"] for of, key in keys if of == name} for name in meta["models"]}
    return arrays, meta


def build(name):
    with models.minispore_as_mindspore():
        return models.build(name)


def observe(name, seed, convert=lambda network: network):
    batch = observed_models.batch_of(models.MODELS[name], seed)
    return observed_models.observe(ms, convert(build(name)), batch, seed)


def deviation(found, expected):
    """The largest difference over the largest value expected."""
    return np.abs(found - expected).max() / np.abs(expected).max()


def errors_of(found, expected, grads):
    """The relative L2 difference of each gradient, told by the sketches."""
    ends = np.cumsum([min(g.size, observed_models.SKETCH) for g in grads.values()])[:-1]
    pairs = zip(np.split(found["sketches"], ends), np.split(expected["sketches"], ends), strict=True)
    return np.array([observed_models.relative(*pair) for pair in pairs])


def assert_agrees(found, grads, expected):
    """What minispore observes is what MindSpore observes, to the tolerances of the module's docstring."""
    for part in ("eval", "train", "loss"):
        assert deviation(found[part], expected[part]) <= 1e-4, part
    np.testing.assert_allclose(found["means"], expected["means"], rtol=1e-4, atol=1e-5)
    allowed = np.maximum(1e-3, 3 * expected["spreads"])
    errors = errors_of(found, expected, grads)
    assert (errors <= allowed).all(), [name for name, e, a in zip(grads, errors, allowed, strict=True) if e > a]
    np.testing.assert_array_less(np.abs(found["norms"] - expected["norms"]), allowed * expected["norms"])


@EVERY_MODEL
def test_outputs_and_gradients_of_a_batch(name, device):
    arrays, meta = record()
    assert_agrees(*observe(name, meta["seed"]), arrays[name])


def in_float64(network):
    """The network with Parameters of float64, which makes all of it compute in float64."""
    for param in network.get_parameters():
        param.set_dtype(ms.float64)
    return network


@EVERY_MODEL
def test_gradients_lie_no_farther_from_float64_than_mindspores(name):
    """The median error of the gradients, to a factor of two for the order of sums, which is the BLAS's."""
    arrays, meta = record()
    images, labels = observed_models.batch_of(models.MODELS[name], meta["seed"])
    exact_images = images.astype(np.float64) if images.dtype == np.float32 else images
    exact, grads = observed_models.observe(ms, in_float64(build(name)), (exact_images, labels), meta["seed"])
    assert exact["train"].dtype == np.float64
    ours, _ = observe(name, meta["seed"])
    assert np.median(errors_of(ours, exact, grads)) <= 2 * np.median(errors_of(arrays[name], exact, grads))


@EVERY_MODEL
def test_parameters_have_mindspores_names_shapes_and_order(name):
    assert observed_models.description(build(name))["parameters"] == record()[1]["models"][name]["parameters"]


def without_known_differences(text):
    """A printed network without what is known to differ: 2.0.0's initial values, and a slip in LayerNorm's line."""
    text = re.sub("weight_init=[^,]*, bias_init=[^,]*", "", text)
    return text.replace("gammaParameter", "gamma=Parameter")


@EVERY_MODEL
def test_a_network_prints_as_mindspores(name):
    ours, theirs = repr(build(name)), record()[1]["models"][name]["repr"]
    assert without_known_differences(ours) == without_known_differences(theirs)


@functools.cache
def in_float32(name):
    return observe(name, record()[1]["seed"])[0]


@EVERY_MODEL
@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_a_network_in_float16_stays_near_float32(name, level):
    """Within 3e-2, or twice what MindSpore's own O3 differs where small BatchNorms make more of rounding errors."""
    arrays, meta = record()
    low, grads = observe(name, meta["seed"], lambda network: amp.auto_mixed_precision(network, level))
    for part, theirs in zip(("eval", "train"), arrays[name]["O3"], strict=True):
        own = deviation(theirs, arrays[name][part])
        assert deviation(low[part].astype(np.float32), in_float32(name)[part]) <= max(3e-2, 2 * own), part
    assert all(np.isfinite(g).all() for g in grads.values())
    assert all(g.dtype == np.float32 for g in grads.values())


@EVERY_MODEL
def test_o1_can_convert_every_listed_class_functional_forms_included(name):
    converted = amp.auto_mixed_precision(build(name), "O1", strict=True, functional=True)
    assert converted.amp_report.counts["float16"] > 0


@pytest.fixture(scope="session")
def live_record(tmp_path_factory):
    """A record that the real MindSpore makes now."""
    path = tmp_path_factory.mktemp("live") / "models.npz"
    script = ["-B", "-m", "conformance.record.models", "--out", path, "--seed", str(LIVE_SEED)]
    subprocess.run(
        [os.environ["MINDSPORE_PYTHON"], *script], check=True, capture_output=True, timeout=600, cwd=HERE.parent
    )
    return record(path)


@pytest.mark.oracle
@pytest.mark.skipif("MINDSPORE_PYTHON" not in os.environ, reason="MINDSPORE_PYTHON names no real MindSpore")
@EVERY_MODEL
def test_outputs_and_gradients_of_a_batch_side_by_side(name, live_record):
    arrays, meta = live_record
    assert_agrees(*observe(name, meta["seed"]), arrays[name])
