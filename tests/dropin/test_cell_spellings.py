"""Settings of cells that change no number in one process, and what a training cell of a user's own calls."""

import numpy as np
import pytest

import minispore as ms
from minispore import Tensor, nn


def net():
    return nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())


SETTINGS = {
    "compile": lambda n: n.compile(ms.ops.ones((1, 2))),
    "recompute": lambda n: n.recompute(mp_comm_recompute=True),
    "place": lambda n: n.place("MS_WORKER", 0),
    "set_comm_fusion": lambda n: n.set_comm_fusion(2),
    "set_boost": lambda n: n.set_boost("less_bn"),
    "set_broadcast_flag": lambda n: n.set_broadcast_flag(),
    "flatten_weights": lambda n: n.flatten_weights(),
    "init_parameters_data": lambda n: n.init_parameters_data(),
    "set_inputs": lambda n: n.set_inputs(None),
}


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_setting_changes_no_number(setting):
    network, x = net(), ms.ops.ones((1, 2))
    before = network(x).asnumpy()
    setting(network)
    np.testing.assert_array_equal(network(x).asnumpy(), before)


REFUSALS = [
    (ValueError, "For 'recompute', the 'kwargs' must be one of", lambda n: n.recompute(often=True)),
    (TypeError, "For 'recompute', the 'mode' must be a bool", lambda n: n.recompute(mode=3)),
    (ValueError, "For 'place', the 'role' must be one of", lambda n: n.place("worker", 0)),
    (ValueError, "For 'place', the 'rank_id' must be at least 0", lambda n: n.place("MS_WORKER", -1)),
    (TypeError, "For 'set_comm_fusion', the 'fusion_type' must be an int", lambda n: n.set_comm_fusion("a")),
    (ValueError, "For 'set_boost', the 'boost_type' must be one of", lambda n: n.set_boost("x")),
    (TypeError, "For 'flatten_weights', the 'fusion_size' must be an int", lambda n: n.flatten_weights(0.5)),
    (NotImplementedError, "For 'shard', several devices are needed", lambda n: n.shard(((1, 1),))),
    (TypeError, "For 'cast_param', the 'param' must be a Parameter", lambda n: n.cast_param(3)),
    (TypeError, "For 'cast_inputs', the 'inputs' must be a tuple", lambda n: n.cast_inputs(3, ms.float16)),
    (TypeError, "For 'update_cell_type', the 'cell_type' must be a str", lambda n: n.update_cell_type(3)),
]


@pytest.mark.parametrize(("kind", "message", "call"), REFUSALS)
def test_a_setting_refuses_what_mindspore_has_not(kind, message, call):
    with pytest.raises(kind, match=message):
        call(net())


def test_settings_are_kept_where_mindspore_keeps_them():
    network = net()
    network.set_inputs(1, None)
    assert network.get_inputs() == (1, None)
    network.set_boost("less_bn").set_broadcast_flag()
    assert network[0].get_flags() == {"less_bn": True, "broadcast_flag": True}
    network.set_comm_fusion(2)
    assert [p.comm_fusion for p in network.get_parameters()] == [2, 2]
    network.update_cell_prefix()
    assert [network.param_prefix, network[1].param_prefix] == ["", "1"]
    network.update_cell_type("a")
    assert network.cell_type == "a"
    assert list(network.init_parameters_data()) == network.trainable_params()


def test_recomputed_cells_have_a_scope_that_says_so():
    network = nn.SequentialCell(nn.SequentialCell(nn.ReLU()), nn.Tanh())
    network[0].recompute()
    assert [cell.get_scope() for _, cell in network.cells_and_names()] == [None, "recompute_", "recompute_", None]
    network[1].generate_scope()
    named = nn.SequentialCell(nn.ReLU())
    named.generate_scope()
    named.recompute(mode=False)
    assert named[0].get_scope() == "Default/0-ReLU"
    named.recompute()
    assert named[0].get_scope() == "recompute_Default/0-ReLU"


@pytest.mark.parametrize("path", ["", "0", "0.0"])
def test_a_cell_is_recomputed_once(path):
    network = nn.SequentialCell(nn.SequentialCell(nn.ReLU()))
    network[0].recompute()
    cell = dict(network.cells_and_names())[path]
    with pytest.raises(RuntimeError, match="For 'recompute', the cell and those below it can be set once only"):
        cell.recompute()


def test_the_phase_follows_set_train():
    network = net()
    assert network.phase == "train"
    assert network.set_train(False)[0].phase == "predict"
    assert network.set_train().phase == "train"


def test_casts_follow_the_compute_dtype():
    network, x, number = nn.Dense(2, 3), ms.ops.ones((1, 2)), ms.Tensor([1])
    assert network.cast(x, ms.float16).dtype == ms.float16
    assert network.cast_param(network.weight) is network.weight
    assert [t.dtype for t in network.cast_inputs((x, number), ms.float16)] == [ms.float16, ms.float16]
    assert network.auto_cast_inputs((x,)) == (x,)
    network.add_flags_recursive(fp16=True)
    assert network.cast_param(network.weight).dtype == ms.float16
    assert [t.dtype for t in network.auto_cast_inputs((x, number))] == [ms.float16, number.dtype]
    assert network.run_construct((x,), {}).shape == network.compile_and_run(x).shape == (1, 3)


class Scaled(nn.Cell):
    def construct(self, x, y=None):
        return x * 2 if y is None else x * y


ANY_ROWS = Tensor(shape=[None, 3], dtype=ms.float32)
ROWS = ms.ops.ones((2, 3))
MISFITS = [
    ((ANY_ROWS,), (ms.ops.ones((2, 4)),), ValueError, r"the input 0 must have the shape of 'set_inputs', \(-1, 3\)"),
    ((ANY_ROWS,), (ms.ops.ones((3,)),), ValueError, "the input 0 must have the shape"),
    ((ANY_ROWS,), (ROWS.astype(ms.float16),), TypeError, "the input 0 must have the type of 'set_inputs', Float32"),
    ((ROWS,), (ms.ops.ones((5, 3)),), ValueError, "the input 0 must have the shape"),
    ((ANY_ROWS, ANY_ROWS), (ROWS,), ValueError, "the number of inputs must be that of 'set_inputs', 2"),
    ((ANY_ROWS,), (ROWS, ROWS), ValueError, "the number of inputs must be"),
    ((ANY_ROWS, 3), (ROWS, 4), ValueError, "the input 1 must be that of 'set_inputs', 3"),
    ((ANY_ROWS, 3), (ROWS, ROWS), ValueError, "the input 1 must be"),
]


def told(*inputs):
    cell = Scaled()
    cell.set_inputs(*inputs)
    return cell


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize(("inputs", "given", "kind", "text"), MISFITS)
def test_a_call_with_other_inputs_than_those_told_is_refused(inputs, given, kind, text, mode, restored):
    ms.set_context(mode=mode)
    with pytest.raises(kind, match=f"^For 'Scaled', {text}"):
        told(*inputs)(*given)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_call_with_the_inputs_told_computes(mode, restored):
    ms.set_context(mode=mode)
    for cell in (told(ANY_ROWS), told(ROWS), told(None)):
        np.testing.assert_array_equal(cell(ROWS).asnumpy(), np.full((2, 3), 2))
    assert told(ANY_ROWS)(ms.ops.ones((5, 3))).shape == (5, 3)
    assert told(ANY_ROWS, 3)(ROWS, 3).shape == told(ANY_ROWS, ANY_ROWS)(ROWS, y=ROWS).shape == (2, 3)


def test_inputs_may_be_told_after_calls_in_graph_mode(restored):
    ms.set_context(mode=ms.GRAPH_MODE)
    cell = Scaled()
    cell(ROWS)
    assert cell.get_inputs() is None
    cell.set_inputs(Tensor(shape=[None, 4], dtype=ms.float32))
    with pytest.raises(ValueError, match=r"^For 'Scaled', the input 0 must have the shape"):
        cell(ROWS)
    with pytest.raises(TypeError, match=r"^For 'set_inputs', the 'inputs' must not be str"):
        cell.set_inputs("a")


def test_generate_scope_sets_the_path_of_each_cell_below():
    net = nn.SequentialCell(nn.SequentialCell(nn.ReLU()), nn.Dense(2, 3))
    assert net.get_scope() is net[0].get_scope() is None
    net.generate_scope()
    assert (net.get_scope(), net[1].get_scope()) == (None, "Default/1-Dense")
    assert net[0][0].get_scope() == "Default/0-SequentialCell/0-ReLU"


def test_settings_of_several_devices_are_those_of_one():
    net = nn.Dense(2, 3)
    assert net.auto_parallel_compile_and_run() is False and net.set_auto_parallel() is None
    assert (net.compile_cache, net.parameter_layout_dict, net.bprop_debug, net.arguments_key) == (set(), {}, False, "")
