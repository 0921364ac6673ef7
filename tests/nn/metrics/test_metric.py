"""Metric: a number about all batches since ``clear``; ``update`` adds a batch and ``eval`` returns the number."""

import pytest

from minispore import nn


def test_a_users_metric_is_made_of_three_methods():
    class Count(nn.Metric):
        def clear(self):
            self.seen = []

        @nn.rearrange_inputs
        def update(self, *inputs):
            self.seen = inputs

        def eval(self):
            return self.seen

    metric = Count().set_indexes([1, 0])
    metric.update(5, 6)
    assert metric.eval() == (6, 5)
    with pytest.raises(TypeError, match="abstract"):
        nn.Metric()
