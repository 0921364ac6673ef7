"""nn.CTCLoss beside ops.ctc_loss, which tests/ops/operations/nn/test_ctc.py holds to MindSpore's numbers."""

import pytest

from minispore import nn


@pytest.mark.parametrize(
    ("arguments", "kind", "argument"),
    [
        ({"blank": 1.0}, TypeError, "blank"),
        ({"reduction": "all"}, ValueError, "reduction"),
    ],
)
def test_wrong_arguments_are_refused(arguments, kind, argument):
    with pytest.raises(kind, match=f"For 'CTCLoss', the '{argument}' must"):
        nn.CTCLoss(**arguments)
