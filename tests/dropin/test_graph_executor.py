"""MindSpore's private executor, by which its own tests compile networks."""

import pytest

import minispore as ms
from minispore import nn


def test_compile_runs_the_network_and_so_finds_its_errors():
    from minispore.common.api import _cell_graph_executor

    net, x = nn.Dense(2, 3), ms.ops.ones((1, 2))
    phase, done = _cell_graph_executor.compile(net, x, phase="train")
    assert done and phase.startswith("train.") and _cell_graph_executor.has_compiled(phase)
    assert _cell_graph_executor(net, x).shape == (1, 3)
    with pytest.raises(ValueError, match="Dense"):
        _cell_graph_executor.compile(net, ms.ops.ones((1, 5)))
    with pytest.raises(TypeError, match="For 'compile', the 'obj' must be a Cell or a function"):
        _cell_graph_executor.compile(3)


def test_security_is_off():
    from minispore._c_expression import security

    assert security.enable_security() is False
