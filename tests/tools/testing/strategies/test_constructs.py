"""Random networks: straight lines, branches, loops, contexts, exceptions, containers, methods and nested cells."""

import re

import numpy as np
from hypothesis import given

import minispore as ms
from minispore.tools.testing.strategies import constructs


def test_a_loop_ends_although_the_loops_inside_it_break():
    body = ["if self.yes:", "    break", "y = x"]
    for _ in range(3):
        body = [f"    {line}" for line in body]
        body = constructs._counted(body, [])
    net = constructs.network(body)
    net(ms.Tensor(np.ones(3, np.float32)))


@given(constructs.programs)
def test_a_loop_inside_another_counts_on_an_iterator_of_its_own(lines):
    around = []
    for line in lines:
        found = re.match(r"( *)while next\((\w+), False\):", line)
        around = [(depth, name) for depth, name in around if depth < len(line) - len(line.lstrip())]
        if found:
            assert found[2] not in [name for _, name in around], lines
            around.append((len(found[1]), found[2]))
