"""Print writes each input on a line."""

from minispore import Tensor, ops


def test_print_writes_each_input_on_a_line_of_its_own(capsys):
    assert ops.Print()("loss", Tensor([1, 2]), 0.5, ("a", 1)) is None
    shown = "loss\nTensor(shape=[2], dtype=Int64, value= [1, 2])\n0.5\n('a', 1)\n"
    assert capsys.readouterr().out == shown
