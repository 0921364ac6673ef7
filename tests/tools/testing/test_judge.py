"""What is allowed, and that a verdict says what is not."""

import numpy as np
import pytest

from minispore.tools.testing.judge import allowed, judge, terms_by_moving, terms_of_parts


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_what_is_rounded_once_is_allowed_and_what_is_far_is_not(dtype):
    exact = np.linspace(-3, 3, 7) ** 3
    assert judge("cubes", exact.astype(dtype), exact)
    assert not judge("cubes", (exact * 1.01).astype(dtype), exact)


def test_one_unit_of_float16_is_allowed_and_two_are_not():
    exact = np.array([1.0, 100.0])
    found = exact.astype(np.float16)
    one = np.nextafter(found, np.float16(np.inf))
    assert judge("one", one, exact)
    assert not judge("two", np.nextafter(one, np.float16(np.inf)), exact)


def test_terms_widen_what_is_allowed_where_they_cancel():
    x = np.tile([100.0, -99.9], 20)
    exact = np.array(x.sum())
    found = np.float32(exact + 1e-3)
    assert not judge("sum", found, exact)
    terms = terms_by_moving(lambda x: x.sum(), [x], exact)
    assert 100 < terms < 4000
    assert judge("sum", found, exact, terms)


def test_terms_that_cancel_are_found_though_they_move_the_same_way():
    x = np.ones(1000)
    terms = terms_by_moving(lambda a, b: a - b, [x, x], np.zeros(1000))
    assert (terms > 1e-3).all() and (terms <= 2).all()


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (np.zeros((2, 1)), r"has the shape \(2, 1\), not \(2,\)"),
        (np.array([1, 2]), r"is \[1 2\], not \[0\. 1\.\]"),
        (np.array([0.0, np.nan]), r"inf times .* at \[1\] it is nan, not 1"),
        (np.array([0.0, 1.5]), r"at \[1\] it is 1\.5, not 1 \(allowed: 1e-13\)"),
    ],
)
def test_a_verdict_says_where_and_how_far(got, words):
    verdict = judge("it", got, np.array([0.0, 1.0]))
    assert not verdict
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(str(verdict))


def test_another_dtype_than_the_wanted_one_is_told():
    assert str(judge("it", np.zeros(1), np.zeros(1), dtype="float32")) == "it is float64, not float32"


def test_infinities_and_nan_must_be_equal():
    exact = np.array([np.inf, -np.inf, np.nan, 1e6])
    found = np.float16([np.inf, -np.inf, np.nan, np.inf])
    assert judge("it", found, exact)
    assert not judge("it", -found, exact)


def test_bfloat16_has_its_own_unit():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    exact = np.array([1.0, 3.14159])
    assert judge("it", exact.astype(bfloat16), exact)
    assert not judge("it", (exact * 1.02).astype(bfloat16), exact)


def test_a_gradient_in_float16_may_round_a_few_times():
    exact = np.array([1.0])
    found = np.float16([1.003])
    assert not judge("it", found, exact)
    assert judge("it", found, exact, gradient=True)
    assert allowed(np.float16, exact, 0.0, 1, True) == 4 * allowed(np.float16, exact, 0.0, 1)


def test_an_answer_that_changes_its_shape_when_it_is_moved_has_no_terms_there():
    answer = {"kept": np.ones(2), "counted": np.ones(3)}

    def moved(move):
        return {"kept": move(np.ones(2)), "counted": np.ones(1)}

    terms = terms_of_parts(answer, moved)
    assert (terms["kept"] > 0).all() and terms["counted"].tolist() == [0, 0, 0]
