"""A network whose gradients vanish in float16 trains with a loss scale: ``docs/explain/vanishing_gradients.md``."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import minispore as ms
from minispore import amp

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def shown():
    """The program that draws the picture, as a module."""
    spec = importlib.util.spec_from_file_location("vanishing_gradients", ROOT / "benchmarks" / "vanishing_gradients.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _scaling_on_the_cpu(restored):
    ms.set_context(cpu_loss_scale=True)


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_without_a_scale_nothing_moves_and_with_one_the_loss_falls_as_in_float32(shown, level):
    expected = shown.losses("O0", None, steps=60)
    without = shown.losses(level, None, steps=60)
    scaled = shown.losses(level, amp.DynamicLossScaleManager(2.0**24, 2, 50), steps=60)
    assert expected[-1] < 0.2
    np.testing.assert_allclose(scaled, expected, rtol=0.02)
    assert without == [without[0]] * 60


def test_every_gradient_of_an_output_is_zero_in_float16(shown):
    gradients = shown.gradients()
    assert (gradients > 0).mean() > 0.99
    assert not gradients.astype(np.float16).any()
    assert np.isfinite((gradients * 2.0**24).astype(np.float16)).all()


def test_the_picture_is_there_and_is_drawn_again(shown, tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "picture.png"
    shown.draw({name: [1.0, 0.5] for name in shown.RUNS}, shown.gradients(), path)
    assert path.read_bytes().startswith(b"\x89PNG")
    kept = ROOT / "docs" / "images" / "vanishing_gradients.png"
    assert 10_000 < kept.stat().st_size < 100_000
    assert "../images/vanishing_gradients.png" in (ROOT / "docs" / "explain" / "vanishing_gradients.md").read_text()
