"""dataset.config: legal values are kept, others refused, and of two seeds the later counts."""

import json
import random

import numpy as np
import pytest

from minispore import dataset as ds
from minispore.core import context, seeds


@pytest.fixture
def restored():
    kept, before = dict(ds.config._settings), (seeds.seed.value, seeds.seed.draws)
    yield
    ds.config._settings.update(kept)
    seeds.seed.value, seeds.seed.draws = before
    ds.config.draws.set_seed(None)


SETTINGS = [name[4:] for name in ds.config.__all__ if name.startswith("get_")]


@pytest.mark.parametrize("name", SETTINGS)
def test_what_is_set_is_told_and_another_kind_is_refused(name, restored):
    tell, change = getattr(ds.config, f"get_{name}"), getattr(ds.config, f"set_{name}")
    value = tell()
    wished = value if name == "error_samples_mode" else (not value if isinstance(value, bool) else value + 1)
    change(wished)
    assert tell() == wished and tell.__doc__ and change.__doc__
    with pytest.raises(TypeError, match=f"^For 'set_{name}', "):
        change("a")


def test_of_two_seeds_the_later_counts(restored):
    ds.config.set_seed(5)
    assert ds.config.get_seed() == 5
    context.set_seed(6)
    assert ds.config.get_seed() == 6


def test_the_seed_starts_the_numbers_of_python_and_numpy_too(restored):
    ds.config.set_seed(4)
    assert (random.random(), np.random.rand()) == (random.Random(4).random(), np.random.RandomState(4).rand())


def test_settings_come_from_a_file_that_holds_an_object(tmp_path, restored):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"prefetchSize": 3, "numParallelWorkers": 2}))
    ds.config.load(str(path))
    assert (ds.config.get_prefetch_size(), ds.config.get_num_parallel_workers()) == (3, 2)
    path.write_text("[")
    with pytest.raises(ValueError, match="must hold json"):
        ds.config.load(str(path))
