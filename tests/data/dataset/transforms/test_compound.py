"""Transforms of transforms."""

import numpy as np
import pytest

from minispore.data.dataset.draws import drawing_from
from minispore.dataset import NumpySlicesDataset, vision
from minispore.dataset.transforms import Compose, Duplicate, Fill, RandomApply, RandomChoice, RandomOrder, TypeCast


def test_compose_hands_several_columns_on():
    a, b = Compose([Duplicate(), lambda x, y: (x, y + 1)])(np.arange(3))
    assert (a.tolist(), b.tolist()) == ([0, 1, 2], [1, 2, 3])


def test_compose_answers_a_tuple_where_an_image_is_its_input_or_its_result():
    """As MindSpore 2.0.0 and 2.7.0; in a pipeline it is one column still."""
    pixels = np.zeros((4, 6, 3), np.uint8)
    image = vision.ToPIL()(pixels)
    (found,) = Compose([vision.Resize((2, 2)), vision.ToTensor()])(image)
    assert found.shape == (3, 2, 2)
    assert [each.size for each in Compose([vision.ToPIL()])(pixels)] == [(6, 4)]
    assert Compose([vision.ToPIL(), vision.ToTensor()])(pixels).shape == (3, 4, 6)
    data = NumpySlicesDataset([pixels], ["x"]).map([vision.ToPIL(), Compose([vision.ToTensor()])], "x")
    assert next(iter(data))[0].shape == (3, 4, 6)


def test_random_apply_applies_as_often_as_its_probability_says():
    apply = RandomApply([lambda x: x + 1], 0.3)
    with drawing_from(0):
        assert 250 < sum(int(apply(np.array(0))) for _ in range(1000)) < 350


def test_random_choice_takes_each_equally_often():
    choose = RandomChoice([lambda x, i=i: x + i for i in range(4)])
    with drawing_from(0):
        counts = np.bincount([int(choose(np.array(0))) for _ in range(2000)], minlength=4)
    assert counts.min() > 420


def test_random_order_applies_all_in_every_order():
    order = RandomOrder([lambda x: x * 2, lambda x: x + 1])
    with drawing_from(0):
        assert {int(order(np.array(3))) for _ in range(50)} == {7, 8}


def test_a_pipeline_maps_transforms():
    data = NumpySlicesDataset(np.arange(4, dtype=np.int32), ["x"], shuffle=False)
    data = data.map([TypeCast("float32"), lambda x: x / 2], "x")
    assert [row[0].asnumpy().item() for row in data] == [0.0, 0.5, 1.0, 1.5]


@pytest.mark.parametrize("kind", [Compose, RandomApply, RandomChoice, RandomOrder])
def test_no_column_is_refused(kind):
    with pytest.raises(RuntimeError, match=f"For '{kind.__name__}', there must be at least one input column"):
        kind([Fill(1)])()
