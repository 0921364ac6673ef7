"""Pickles and checkpoints that commit ab299b3 wrote load, and what they hold answers what it answered there.

``support/former_files.py`` wrote them, and says what is asked of each.
"""

import pickle
from pathlib import Path

import numpy as np
import pytest
from support import former_files

import minispore as ms

FOLDER = Path(__file__).with_name("former_files")


@pytest.fixture(scope="module")
def answers():
    with np.load(FOLDER / "answers.npz") as kept:
        return dict(kept)


@pytest.mark.parametrize("name", former_files.THINGS)
def test_a_pickle_loads_and_answers_what_it_answered(name, answers):
    thing = pickle.loads((FOLDER / f"{name}.pickle").read_bytes())
    found = former_files.answers(name, thing)
    assert len(found) == sum(key.rpartition(".")[0] == name for key in answers)
    for i, array in enumerate(found):
        same = np.testing.assert_allclose if array.dtype.kind == "f" else np.testing.assert_array_equal
        assert array.dtype == answers[f"{name}.{i}"].dtype
        same(array, answers[f"{name}.{i}"], **({"rtol": 1e-6} if array.dtype.kind == "f" else {}))


@pytest.mark.parametrize("kind", ["ckpt", "safetensors"])
@pytest.mark.usefixtures("restored")
def test_a_checkpoint_loads_into_a_new_training_step(kind, answers):
    kept = ms.load_checkpoint(str(FOLDER / f"step.{kind}"))
    step = former_files.trained()
    assert ms.load_param_into_net(step, kept) == ([], ["epoch"])
    assert kept["epoch"].value() == 3
    for name, parameter in step.parameters_dict().items():
        np.testing.assert_array_equal(parameter.asnumpy(), answers[f"step.{name}"])
