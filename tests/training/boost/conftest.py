"""The configuration of boost is one for the whole process: each test here has its own."""

import pytest

from minispore import boost


@pytest.fixture
def own_configuration(restored, monkeypatch):
    """No configuration in force, and afterwards the one that was, with the context's settings."""
    monkeypatch.setattr(boost.AutoBoost, "_instance", None)
