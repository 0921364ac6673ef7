"""Calls of layers: a layer with drawn arguments and the inputs that fit them."""

import numpy as np
from hypothesis import given

from minispore.tools.testing.oracles.float64 import values_for
from minispore.tools.testing.strategies.layers import layer_calls
from minispore.tools.testing.targets import load


@given(layer_calls())
def test_a_drawn_layer_prints_as_a_program_that_gives_its_output(call):
    space = {}
    exec(call.said_in("mindspore").replace("mindspore", "minispore"), space)
    values = values_for(space["layer"], call.seed)
    found = load("minispore").forward(call.source(), values, call.inputs)
    np.testing.assert_array_equal(space["y"].asnumpy(), found)
