"""Operations on state and gradients: hooks."""

import pytest

import minispore as ms
from minispore import Tensor, ops


def test_a_hook_operation_without_an_id_takes_the_gradients_alone():
    seen = []
    watch = ops.HookBackward(lambda gradients: seen.append(float(gradients[0])))
    assert float(ms.grad(lambda a: watch(a * a))(Tensor(3.0))) == 6
    assert seen == [1]
    with pytest.raises(ValueError, match="must return 1 gradients or None"):
        ms.grad(ops.HookBackward(lambda gradients: (gradients[0],) * 2))(Tensor(3.0))
