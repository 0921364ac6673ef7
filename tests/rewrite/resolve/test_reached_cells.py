"""Which cells Python code may call: a method is read with the cell that it is called on as its ``self``."""

from minispore import nn
from minispore.rewrite import SymbolTree


class Part(nn.Cell):
    """A cell with a method of its own, whose ``fc`` is another than the network's."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(1, 1)

    def construct(self, x):
        return x

    def step(self, x):
        return self.fc(x)

    @staticmethod
    def handed(part, x):
        return part.fc(x)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.part = nn.Dense(1, 1), Part()

    def construct(self, x):
        return [self.part.step(each) for each in (x,)]


class Handing(Net):
    def construct(self, x):
        return [self.part.handed(each, x) for each in ()]


def reached(net):
    """What the nodes of a network's tree may call in Python code."""
    nodes = SymbolTree.create(net).get_handler().all_nodes()
    return {called for node in nodes for called in node.reaches}


def test_a_method_of_another_cell_calls_what_that_cell_holds():
    net = Net()
    assert net.part.fc in reached(net) and net.fc not in reached(net)


def test_a_static_method_has_no_cell_as_its_first_parameter():
    net = Handing()
    assert net.fc not in reached(net) and net.part.fc not in reached(net)
