"""The tests that are skipped where all others run on CuPy: each of them is there."""

from pathlib import Path

import pytest

from cpucuda.everywhere import ELSEWHERE

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_skipped_is_there(name):
    path, _, test = name.partition("::")
    assert f"def {test.partition('[')[0]}" in (TESTS / path).read_text()
