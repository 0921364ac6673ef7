"""What tells that a Tensor has its values."""

import minispore as ms
from minispore import Tensor


def test_a_tensor_has_its_values_from_the_beginning():
    x = Tensor([1.0])
    assert x.init_data() is x and x.has_init is False
    assert ms.Parameter([1.0], name="w").has_init is False
