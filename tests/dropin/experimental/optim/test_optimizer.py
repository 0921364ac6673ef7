"""Optimizers with groups make MindSpore 2.7.0's steps, and their schedules set its rates."""

import numpy as np
import pytest

from minispore import Parameter, Tensor
from minispore.dropin.experimental import optim
from minispore.dropin.experimental.optim import lr_scheduler

GRADIENTS = Tensor(np.float32([0.1, -0.2, 0.3])), Tensor(np.float32([[1.0]]))


def parameters():
    values = np.float32([1, -2, 3]), np.float32([[0.5]])
    return [Parameter(Tensor(v), name=n) for v, n in zip(values, "ab", strict=True)]


P = parameters()
WRONG = [
    (lambda: optim.SGD(P, lr=-1), ValueError),
    (lambda: optim.SGD([], lr=0.1), ValueError),
    (lambda: optim.SGD([1], lr=0.1), TypeError),
    (lambda: optim.SGD([P[0], P[0]], lr=0.1), ValueError),
    (lambda: optim.SGD(P, lr=0.1, nesterov=True), ValueError),
    (lambda: optim.SGD(P, lr=0.1, momentum=-0.1), ValueError),
    (lambda: optim.Adam(P, betas=(1.0, 0.9)), ValueError),
    (lambda: optim.Adam(P, betas=0.9), TypeError),
    (lambda: optim.Adam(P, eps=-1.0), ValueError),
    (lambda: optim.AdamW(P, weight_decay=-1.0), ValueError),
    (lambda: optim.SGD(P, lr=0.1)((GRADIENTS[0],)), ValueError),
    (lambda: lr_scheduler.StepLR(1, 2), TypeError),
    (lambda: lr_scheduler.StepLR(optim.SGD(P, lr=0.1), 2.5), TypeError),
    (lambda: lr_scheduler.LambdaLR(optim.SGD(P, lr=0.1), 2), TypeError),
]


@pytest.mark.parametrize(("call", "kind"), WRONG)
def test_wrong_arguments_are_refused(call, kind):
    with pytest.raises(kind, match=r"^For '\w+', "):
        call()
