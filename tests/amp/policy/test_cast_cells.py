"""The cells that casts are put into stand for the cells that they wrap."""

from minispore import Tensor, amp, nn


def test_a_wrapper_hands_over_what_is_set_on_it_and_its_elements():
    network = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    converted = amp.auto_mixed_precision(network, "O2")
    network[1].gamma = Tensor([5.0, 5.0])
    network[1].use_batch_statistics = False
    assert network[1]._backbone.gamma.asnumpy().tolist() == [5, 5]
    assert network[1]._backbone.use_batch_statistics is False
    assert converted[0] is network[0]
    assert len(converted) == 2
