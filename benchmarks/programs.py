"""The small programs that are counted; ``python programs.py NAME`` prints the figures of one as JSON.

Each function makes a program: a function without arguments, for which all that it needs is made beforehand. The
programs of :data:`READ` run once, so that all that a reader meets the first time counts. Those of :data:`CALLED` have
run a few times before they are counted.
"""

import atexit
import importlib
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
from counted import walked

import minispore as ms
from minispore import amp, nn, ops

WARM_UP = 6
PAGE = Path(__file__).resolve().parents[1] / "docs" / "explain" / "o1.md"


class Empty(nn.Cell):
    """The Cell that does nothing."""

    def construct(self, x):
        return x


def ones(*shape):
    return ms.Tensor(np.ones(shape, np.float32))


def gradient():
    """A gradient of a product."""
    x, w = ones(4, 3), ones(4, 3)
    return lambda: ms.grad(lambda x, w: x * w)(x, w)


def empty_cell():
    """An empty Cell called."""
    cell, x = Empty(), ones(4, 3)
    return lambda: cell(x)


def dense_made():
    """``nn.Dense(3, 2)`` made."""
    return lambda: nn.Dense(3, 2)


def cells():
    """An empty Cell called and a Dense made."""
    call, make = empty_cell(), dense_made()
    return lambda: (call(), make())


def o2_step(value=1.0):
    """A Momentum step of one Dense at O2 with a dynamic loss scale; all inputs are ``value``."""
    ms.set_context(cpu_loss_scale=True)
    net = nn.Dense(3, 2)
    manager = amp.DynamicLossScaleManager(1024.0, 2, 1000)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = amp.build_train_network(net, optimizer, nn.MSELoss(), level="O2", loss_scale_manager=manager)
    x, y = ones(4, 3) * value, ones(4, 2)
    return lambda: step(x, y)


def overflowing_o2_step():
    """The same with inputs beyond float16."""
    return o2_step(1e30)


def recorded_o2_step():
    """The same in graph mode."""
    ms.set_context(mode=ms.GRAPH_MODE)
    return o2_step()


def o1_conversion():
    """The conversion to O1 of the network of docs/explain/o1.md."""
    network = network_of_the_page()
    return lambda: amp.auto_mixed_precision(network, "O1")


def network_of_the_page():
    """A network of the class that docs/explain/o1.md begins with, from a file of its own."""
    source = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    Path(folder, "network_of_o1.py").write_text(source, encoding="utf-8")
    sys.path.insert(0, folder)
    try:
        return importlib.import_module("network_of_o1").Net()
    finally:
        sys.path.remove(folder)


def primitive():
    """One primitive called."""
    mul, x, y = ops.Mul(), ones(4, 3), ones(4, 3)
    return lambda: mul(x, y)


READ = {
    "a gradient of a product": gradient,
    "an empty Cell called, a Dense made": cells,
    "an O2 step with an overflow": overflowing_o2_step,
    "an O1 conversion": o1_conversion,
    "one primitive called": primitive,
}
CALLED = {
    "an empty Cell": empty_cell,
    "nn.Dense(3, 2) made": dense_made,
    "an O2 step of one Dense": o2_step,
    "the same, recorded": recorded_o2_step,
    "a conversion to O1": o1_conversion,
}


def figures(name):
    """The figures of a program: its lines to read, or its calls, changes of file and body lines."""
    if name in READ:
        return {"lines to read": walked(READ[name]()).lines_to_read()}
    program = CALLED[name]()
    for _ in range(WARM_UP):
        program()
    walk = walked(program)
    return {"calls": len(walk.calls), "changes of file": walk.changes(), "body lines": walk.body_lines()}


if __name__ == "__main__":
    print(json.dumps(figures(sys.argv[1])))
