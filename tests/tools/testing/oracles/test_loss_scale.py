"""The dialects of the loss scale: their courses at the places where they part."""

import pytest

from minispore.tools.testing.oracles.loss_scale import DIALECTS, course, parting, spelled, words

V = True, True, True, True


@pytest.mark.parametrize(
    ("dialect", "settings", "word", "expected"),
    [
        ("minispore", (2.0, 2, 2), V, [1, 1, 1, 1]),
        ("torch", (2.0, 2, 2), V, [1, 0.5, 0.25, 0.125]),
        ("apex", (2.0**23, 2, 1), (False, False), [2.0**24, 2.0**24]),
        ("keras", (2.0, 2, 1), (True, False, True), [1, 2, 1]),
        ("paddle", (8.0, 2, 2), (True, False, True, True), [8, 8, 8, 4]),
        ("deepspeed", (8.0, 2, 2), (True, False, True, True), [8, 8, 4, 2]),
        ("deepspeed", (8.0, 2, 1), (True, False, True, True), [8, 16, 16, 8]),
        ("mindspore manager", (2.0**127, 2, 1), (False,), [2.0**128]),
        ("mindspore update cell", (2.0**127, 2, 1), (False, True), [float("inf"), float("inf")]),
        ("mindspore scaler", (2.0**127, 2, 1), (False, True), [2.0**127, 2.0**126]),
    ],
)
def test_a_dialect_takes_its_course(dialect, settings, word, expected):
    assert course(dialect, *settings, word) == expected


@pytest.mark.parametrize("dialect", DIALECTS)
def test_good_steps_multiply_and_an_overflow_starts_the_window_anew(dialect):
    assert course(dialect, 8.0, 4, 3, [False] * 6) == [8, 8, 32, 32, 32, 128]
    assert course(dialect, 64.0, 2, 2, [True, True, False, False])[-1] in (32, 64)


def test_words_are_every_one_the_shortest_first():
    assert [spelled(word) for word in words(2)] == [".", "v", "..", ".v", "v.", "vv"]
    assert len(list(words(6))) == 126


def test_where_two_dialects_part_is_computed():
    assert parting("keras", "minispore") is None
    assert parting("torch", "minispore") == ("8, 2, 2: vvvv", 0.5, 1.0)
