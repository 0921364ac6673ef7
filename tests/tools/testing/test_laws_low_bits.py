"""The laws of few bits aimed at other implementations: ml_dtypes, PyTorch's float8 casts and torchao on the CPU."""

import logging
import warnings

import ml_dtypes
import numpy as np
import pytest

from minispore.tools.testing import deviations
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.runner import tried
from minispore.tools.testing.targets import load, of_ml_dtypes, of_torch, of_torchao, offers
from minispore.tools.testing.targets.minispore import Minispore

OF_FORMATS = ("low_bit_codes", "low_bit_round_trip")
OF_TILES = [name for name in LAWS if name.startswith("low_bit_") and "quantized" in LAWS[name].needs]


@pytest.fixture(scope="module")
def torchao():
    pytest.importorskip("torch")
    logging.disable(logging.WARNING)  # of kernels for other devices
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pytest.importorskip("torchao")
            return of_torchao.target()
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.parametrize("law", OF_FORMATS)
@pytest.mark.parametrize("name", ["ml_dtypes", "torch"])
def test_formats_elsewhere_keep_the_law(name, law):
    if name == "torch":
        pytest.importorskip("torch")
    target = of_ml_dtypes.target() if name == "ml_dtypes" else of_torch.target()
    found = tried(LAWS[law], target)
    assert found.cases and not found.failures
    assert (found.refused > 0) == (name == "torch")  # which has no formats of six bits


def test_a_target_is_loaded_by_its_name():
    target = load("ml_dtypes")
    try:
        assert target.version == ml_dtypes.__version__ and offers(target, "rounded")
        found = tried(LAWS["low_bit_codes"], target, only="e2m1")
        assert found.cases and not found.failures
        assert "rounds to nearest alone" in tried(LAWS["low_bit_chance"], target).absent
    finally:
        target.close()


@pytest.mark.parametrize("law", OF_TILES)
def test_torchao_keeps_the_law(law, torchao):
    found = tried(LAWS[law], torchao, only="/1x32/")
    assert found.cases > found.refused and [failure.words for failure in found.failures] == []


def test_what_is_known_of_torchao_is_needed(torchao):
    rows = deviations.of_target(torchao)
    if torchao.version != "0.18.0":
        pytest.skip("another release")
    for law in OF_TILES:
        assert tried(LAWS[law], torchao, deviations=rows, only="two_levels").failures == []
    assert [row for row in rows if row.unneeded] == []


def test_torchao_makes_nan_of_zeros_by_nvfp4(torchao):
    if torchao.version != "0.18.0":
        pytest.skip("another release")
    zeros = np.zeros((1, 16), np.float32)
    assert np.isnan(torchao.quantized("e2m1/1x16/two_levels/even", zeros)).all()
    assert not Minispore().quantized("e2m1/1x16/two_levels/even", zeros).any()
