"""LRN gives MindSpore 2.0.0's numbers."""

import numpy as np
import pytest

from minispore import Tensor, nn


def test_elements_are_divided_by_the_squares_beside_them():
    found = nn.LRN(2)(Tensor(np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2))).asnumpy()
    recorded = [0, 0.09622505, 0.16843039, 0.2236068, 0.44444445, 0.48112524, 0.50529116, 0.5217492]
    np.testing.assert_allclose(found.ravel(), [*recorded, 0.8888889, 0.8660254, 0.84215194, 0.81989163], rtol=2e-5)


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [({"depth_radius": -1}, ValueError), ({"depth_radius": 1.0}, TypeError), ({"norm_region": "x"}, ValueError)],
)
def test_wrong_arguments_are_refused(arguments, kind):
    with pytest.raises(kind, match=r"^For 'LRN', "):
        nn.LRN(**arguments)
