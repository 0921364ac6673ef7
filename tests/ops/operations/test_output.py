"""Print writes each input on a line."""

import minispore as ms
from minispore import Tensor, ops


def test_print_writes_each_input_on_a_line_of_its_own(capsys):
    assert ops.Print()("loss", Tensor([1, 2]), 0.5, ("a", 1)) is None
    shown = "loss\nTensor(shape=[2], dtype=Int64, value= [1, 2])\n0.5\n('a', 1)\n"
    assert capsys.readouterr().out == shown


def test_print_writes_at_every_call_in_graph_mode(capsys):
    @ms.jit
    def function(x):
        ops.print_("here")
        return x + 1

    for _ in range(4):
        function(Tensor(1.0))
    assert capsys.readouterr().out == "here\n" * 4
