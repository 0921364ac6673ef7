"""How long an attack lasts: a few seconds, or as long as it takes under the ``deep`` profile."""

import random

import pytest
from hypothesis import settings


@pytest.fixture
def tries():
    """``tries(short, deep)``: how many tries to make."""
    return lambda short, deep: deep if settings.default.max_examples >= 2000 else short


@pytest.fixture
def dice():
    """Random numbers, the same in every run."""
    return random.Random(1)
