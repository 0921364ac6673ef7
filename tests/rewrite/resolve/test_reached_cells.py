"""Which cells Python code may call: a method is read with the cell that it is called on as its ``self``."""

from minispore import nn
from minispore.rewrite import SymbolTree
from minispore.tools.testing.users_code import made


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


class Forms(nn.Cell):
    """Methods whose first parameter is told in other ways, of a cell that holds more than they call."""

    def __init__(self):
        super().__init__()
        self.fc, self.other = nn.Dense(1, 1), nn.Dense(1, 1)

    def construct(self, x):
        return x

    def plain(self, x):
        return self.fc(x)

    def starred(*args):
        return args[0].fc(args[1])

    def named(self, *, x):
        return self.fc(x)


def calling(text):
    """What a network may call whose construct, with ``Forms`` as its ``part``, calls a method of that."""
    source = f"class Caller(Holder):\n    def construct(self, x):\n        return [{text} for each in (x,)]\n"
    net = made(source, Holder=Holder)["Caller"]()
    return {name for name in ("fc", "other") if getattr(net.part, name) in reached(net)}


class Holder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.part = Forms()


def test_a_method_reaches_what_it_names_and_one_without_a_named_cell_all_that_it_may():
    assert calling("self.part.plain(each)") == {"fc"}
    assert calling("self.part.named(x=each)") == {"fc"}
    assert calling("self.part.starred(each)") == {"fc", "other"}
