"""Losses of distributions and of segmentations, and errors' means: KL divergence, Gauss, Poisson, Dice, focal."""

import numpy as np
import pytest
from nn.loss.test_margin_and_likelihood import WHOLE

import minispore as ms


@pytest.mark.parametrize(("loss", "inputs", "expected"), WHOLE.values(), ids=WHOLE)
def test_a_loss_of_the_whole_is_mindspores(loss, inputs, expected):
    np.testing.assert_allclose(loss()(*map(ms.Tensor, inputs)).asnumpy(), expected, rtol=1e-5)
