"""The laws of few bits hold of ml_dtypes and of PyTorch, too."""

import ml_dtypes
import numpy as np
import pytest

from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.runner import tried
from minispore.tools.testing.targets.of_torch import Torch


class MlDtypes:
    """ml_dtypes as a target."""

    name, version = "ml_dtypes", ml_dtypes.__version__

    def rounded(self, format, numbers):
        with np.errstate(all="ignore"):
            return numbers.astype(getattr(ml_dtypes, format)).astype(np.float32)


@pytest.mark.parametrize("name", ["ml_dtypes", "torch"])
def test_numbers_are_rounded_to_the_nearest_elsewhere(name):
    target = MlDtypes() if name == "ml_dtypes" else Torch(pytest.importorskip("torch"))
    found = tried(LAWS["low_bit_codes"], target)
    assert found.cases and not found.failures
    assert (found.refused > 0) == (name == "torch")  # which has no formats of six bits
