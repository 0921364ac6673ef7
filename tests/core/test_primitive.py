"""A primitive as a value: what its copies hold, and what it refuses before it computes."""

import copy
import pickle

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn, ops
from minispore.ops import operations as P  # noqa: N812 - the field's name for it

TALL, WIDE = Tensor(np.ones((4, 3), np.float32)), Tensor(np.ones((2, 3), np.float32))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))])
def test_a_copy_does_not_trust_what_was_checked_under_other_attributes(copied):
    first = P.Concat(0)
    second = copied(first)
    second.add_prim_attr("axis", 1)
    assert first((WIDE, TALL)).shape == (6, 3) and first.attrs == {"axis": 0}
    with pytest.raises(ValueError, match="For 'Concat', the shapes must be equal but along axis 1"):
        second((WIDE, TALL))


@pytest.mark.parametrize(
    "call", [lambda: nn.ReLU()([1.0]), lambda: nn.ReLU()(np.ones(2)), lambda: ops.MatMul()({}, {})]
)
def test_anything_but_a_tensor_is_refused_in_the_house_form(call):
    with pytest.raises(TypeError, match="must be a Tensor"):
        call()


def test_a_users_primitive_may_have_attributes_of_any_name_that_is_not_public():
    class Counting(ops.Primitive):
        def __init__(self):
            super().__init__("Counting")
            self.computed = self.call_below = 0

        def infer(self, x):
            return x

        def compute(self, xp, x):
            return x + 1

    assert Counting()(ms.Tensor([1.0])).asnumpy().tolist() == [2.0]


@pytest.mark.parametrize("value", [True, 1, nn.ReLU()])
def test_the_keyword_of_the_chain_of_layers_is_refused_to_users(value):
    with pytest.raises(TypeError, match="For 'ReLU', the inputs must be given by place, but got the keyword 'below'"):
        ops.relu(Tensor([1.0]), below=value)
