"""Boxes of detection, beside numbers that MindSpore 2.0.0 gave."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, ops

ANCHORS, TRUTHS = Tensor([[2.0, 2, 2, 3], [2, 3, 9, 7]]), Tensor([[1.0, 2, 1, 4], [1, 2, 12, 4]])
DELTAS = Tensor([[3.0, 1, 2, 2], [0.1, 0.2, 9, -9]])
SCALED = ((0.0, 0.1, 0.0, 0.0), (1.0, 1.0, 0.5, 1.0))

RECORDED = [
    (ops.IOU()(ANCHORS, TRUTHS), [[0, 0], [0.05555556, 0.26666668]]),
    (ops.iou(ANCHORS, TRUTHS, "iof"), [[0, 0], [0.05555556, 0.44444445]]),
    (ops.BoundingBoxEncode(*SCALED)(ANCHORS, TRUTHS), [[-1, 0.15, 0, 0.4054651], [0.125, -0.5, 0.8109302, -0.5108256]]),
    (
        ops.BoundingBoxDecode((768, 1280), *SCALED)(ANCHORS, DELTAS),
        [[4.140859, 0, 5.859141, 11.589056], [0, 6.96, 255.80002, 6.04]],
    ),
    (ops.bounding_box_decode(ANCHORS, DELTAS, (8, 10)), [[1.8054719, 0, 8.194529, 8], [0, 6.46, 10, 5.54]]),
    (ops.check_valid(Tensor([[0.0, 0, 1, 3], [4, 6, 6, 9.5], [-1, 0, 1, 1]]), Tensor([5.0, 5, 2])), [1, 0, 0]),
    (ops.NMSWithMask(0.5)(Tensor([[0.0, 0, 1, 1, 0.9], [0, 0, 1, 2, 0.8]]))[2], [1, 1]),
    (ops.NMSWithMask(0.1)(Tensor([[0.0, 0, 1, 1, 0.5], [0, 0, 1, 1, 0.5], [0, 0, 3, 3, 0.4]]))[2], [1, 0, 0]),
]


@pytest.mark.parametrize(("found", "recorded"), RECORDED)
def test_boxes_are_computed_as_mindspore_does(found, recorded):
    np.testing.assert_allclose(found.asnumpy(), recorded, rtol=1e-6, atol=1e-6)


def test_suppression_sorts_by_score():
    rows = [[1.0, 1, 5, 5, 0.4], [1, 1, 5, 6, 0.9], [10, 10, 12, 12, 0.5], [0, 0, 0, 0, 0.1]]
    boxes, numbers, stays = ops.NMSWithMask(0.5)(Tensor(rows))
    assert boxes.tolist() == Tensor([rows[i] for i in (1, 2, 0, 3)]).tolist()
    assert numbers.tolist() == [0, 1, 2, 3] and stays.tolist() == [True, True, False, True]


def test_a_choice_names_each_place_of_the_mask_at_most_once():
    mask = np.array([[True, False], [False, True], [True, False]])
    places, chosen = ops.RandomChoiceWithMask(4)(Tensor(mask))
    assert chosen.tolist() == [True, True, True, False] and places.dtype == ms.int32
    assert {tuple(p) for p in places.tolist()[:3]} == {(0, 0), (1, 1), (2, 0)} and places[3].tolist() == [0, 0]
    assert ops.RandomChoiceWithMask(2)(Tensor(mask))[1].tolist() == [True, True]


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda: ops.IOU("x")),
        (TypeError, lambda: ops.IOU()(ANCHORS, TRUTHS.half())),
        (ValueError, lambda: ops.IOU()(ANCHORS, TRUTHS[0])),
        (TypeError, lambda: ops.BoundingBoxDecode(8)),
        (TypeError, lambda: ops.BoundingBoxDecode((8, 8), wh_ratio_clip=1)),
        (ValueError, lambda: ops.BoundingBoxEncode((0.0, 0.0))),
        (TypeError, lambda: ops.NMSWithMask(1)),
        (ValueError, lambda: ops.NMSWithMask()(ANCHORS)),
        (ValueError, lambda: ops.CheckValid()(ANCHORS, Tensor([1.0, 2]))),
        (TypeError, lambda: ops.RandomChoiceWithMask()(ANCHORS)),
        (ValueError, lambda: ops.RandomChoiceWithMask(0)),
    ],
)
def test_boxes_and_choices_that_do_not_fit_are_refused_by_name(error, call):
    with pytest.raises(error, match=r"^For '\w+', "):
        call()


def test_a_box_of_negative_area_leaves_out_what_its_overlap_says():
    """Overlaps are divided, so that a negative union is none; MindSpore 2.0.0 keeps all three."""
    rows = [[100.0, 100, 70, 70, 0.9], [50, 50, 120, 120, 0.8], [60, 60, 40, 110, 0.95]]
    assert ops.NMSWithMask(0.1)(Tensor(rows))[2].tolist() == [True, True, True]


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=1, max_size=6), st.sampled_from([0.1, 0.3, 0.5, 0.7]))
def test_suppression_follows_the_overlaps_of_boxes_with_corners_in_any_order(corners, threshold):
    boxes, kept = np.array(corners, np.float32), []
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    for i in range(len(boxes)):
        low, high = np.maximum(boxes[:, :2], boxes[i, :2]), np.minimum(boxes[:, 2:], boxes[i, 2:])
        shared = np.maximum(high - low, 0).prod(1)
        with np.errstate(all="ignore"):
            overlaps = shared / (areas + areas[i] - shared)
        kept.append(not any(kept[j] and overlaps[j] > np.float32(threshold) for j in range(i)))
    scores = np.linspace(1, 0.5, len(boxes), dtype=np.float32)[:, None]
    assert ops.NMSWithMask(threshold)(Tensor(np.hstack([boxes, scores])))[2].tolist() == kept
