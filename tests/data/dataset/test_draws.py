"""The random numbers of transforms: started anew by a seed, and named by a pipeline for each sample."""

import numpy as np
import pytest

import minispore as ms
from minispore.core import seeds
from minispore.data.dataset import draws


@pytest.fixture(autouse=True)
def _seed_restored():
    before = vars(seeds.seed).copy()
    yield
    draws.set_seed(None)
    vars(seeds.seed).clear()
    vars(seeds.seed).update(before)


def draw():
    return draws.generator().random(4).tolist()


@pytest.mark.parametrize("set_seed", [ms.set_seed, draws.set_seed])
def test_the_same_seed_gives_the_same_numbers_again(set_seed):
    set_seed(3)
    first = draw()
    assert draw() != first
    set_seed(3)
    assert draw() == first
    set_seed(4)
    assert draw() != first


def test_without_a_seed_numbers_are_different_each_time():
    seeds.seed.value = None
    draws.set_seed(None)
    first = draw()
    draws.set_seed(None)
    assert draw() != first


def test_a_named_stream_is_the_same_whatever_was_drawn_before_and_leaves_the_own_one_alone():
    ms.set_seed(1)
    whole = [draw(), draw()]
    ms.set_seed(1)
    assert draw() == whole[0]
    with draws.drawing_from(5, 0, 2):
        named = draw()
        with draws.drawing_from(6):
            assert draw() != named
    assert draw() == whole[1]
    with draws.drawing_from(5, 0, 2):
        assert draw() == named


def test_drawing_leaves_the_models_own_random_numbers_alone():
    ms.set_seed(1)
    before = seeds.seed.draws
    draw()
    assert seeds.seed.draws == before
    assert np.all(np.isfinite(draw()))


def test_streams_of_other_names_are_others_and_a_name_has_four_parts_at_most():
    found = []
    for key in [(), (0,), (0, 0), (1,), (0, 1), (0, 0, 0, 1), (2**64 - 1, 0, 5, 2**32)]:
        with draws.drawing_from(*key):
            found.append(draw())
    assert len({tuple(numbers) for numbers in found}) == len(found)
    with draws.drawing_from(1, 2, 3, 4, 5), pytest.raises(ValueError, match="unpack"):
        draw()
