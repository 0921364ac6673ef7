"""Checkpoints: what comes back, what MindSpore 2.0.0 answers, and that nothing is ever written or loaded by half."""

import json
import logging
import pickle
import subprocess
import sys
import tracemalloc

import ml_dtypes
import numpy as np
import pytest
from amp.loss_scale.test_train_step import PoisonedDense, train_step
from amp.policy.test_random_networks import LEVELS, network_of
from core.test_dtype_stored import STORED, codes, named
from core.test_dtype_stored import X as NUMBERS
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rewrite.generate.test_module_file import X
from safetensors import safe_open

import minispore as ms
from minispore import Tensor, amp, nn
from minispore.core import dtype, seeds
from minispore.core.parameter import Parameter
from minispore.data.serialization.checkpoint import load_checkpoint, load_param_into_net, save_checkpoint
from minispore.rewrite import SymbolTree
from minispore.tools.testing.strategies.networks import OPTIMIZERS, plans, rows

NUMPY = {d.np.name: d.np for d in dtype.ALL}
WEIGHT = np.arange(6, dtype=np.float32).reshape(2, 3)


class Net:
    """What the three functions ask of a network: its parameters and their names."""

    def __init__(self, **arrays):
        self.parameters = [Parameter(np.asarray(a), name=name.replace("__", ".")) for name, a in arrays.items()]

    def parameters_and_names(self):
        return [(p.name, p) for p in self.parameters]

    def parameters_dict(self):
        return dict(self.parameters_and_names())

    def values(self):
        return {p.name: p.asnumpy().tolist() for p in self.parameters}


def network(fill=None):
    arrays = {"d__weight": WEIGHT, "d__bias": np.ones(2, np.float32), "step": np.array(7, np.int32)}
    return Net(**{name: a if fill is None else np.full_like(a, fill) for name, a in arrays.items()})


def parameters(**arrays):
    return {p.name: p for p in Net(**arrays).parameters}


@pytest.fixture(params=["ckpt", "safetensors"])
def saved(request, tmp_path):
    path = tmp_path / f"net.{request.param}"
    save_checkpoint(network(), path)
    return path


# What comes back


@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
@pytest.mark.parametrize("name", ["complex64", "complex128"])
def test_a_complex_parameter_is_refused(tmp_path, name, suffix):
    with pytest.raises(TypeError, match=f"the dtype of 'p' must be one of .*, but got {name}"):
        save_checkpoint(Net(p=np.ones(2, NUMPY[name])), tmp_path / "x", format=suffix)


@pytest.mark.parametrize("name", [name for name in NUMPY if not name.startswith("complex")])
@pytest.mark.parametrize("shape", [(), (1,), (2, 3), (0, 2), (0,)])
@pytest.mark.parametrize("suffix", ["ckpt", "safetensors"])
def test_every_dtype_and_shape_comes_back(tmp_path, name, shape, suffix):
    array = np.arange(np.prod(shape, dtype=int)).astype(NUMPY[name]).reshape(shape)
    save_checkpoint(Net(p=array), tmp_path / "x", format=suffix)
    loaded = load_checkpoint(tmp_path / f"x.{suffix}")["p"]
    assert (loaded.shape, loaded.dtype.np, loaded.name) == (shape, NUMPY[name], "p")
    assert loaded.asnumpy().tobytes() == array.tobytes()


def test_names_come_back_in_order_as_parameters(saved):
    loaded = load_checkpoint(saved)
    assert list(loaded) == ["d.weight", "d.bias", "step"]
    assert all(type(p) is Parameter and p.name == name and p.requires_grad for name, p in loaded.items())


def test_other_tools_read_a_safetensors_file(tmp_path):
    save_checkpoint(network(), tmp_path / "x.safetensors")
    with safe_open(tmp_path / "x.safetensors", "numpy") as file:
        np.testing.assert_array_equal(file.get_tensor("d.weight"), WEIGHT)


@given(
    st.dictionaries(
        st.text(min_size=1).filter(lambda name: name.strip() and name.isprintable() and name != "__metadata__"),
        st.one_of(
            st.integers(-(2**63), 2**63 - 1),
            st.floats(allow_nan=False),
            st.booleans(),
            st.text(st.characters(codec="utf-8")),
            hnp.arrays(np.float32, (2,), elements=st.floats(-1, 1, width=32)).map(Tensor),
        ),
        min_size=1,
    ),
    st.sampled_from(["ckpt", "safetensors"]),
)
def test_what_is_appended_comes_back(tmp_path_factory, extra, suffix):
    path = tmp_path_factory.mktemp("append") / f"a.{suffix}"
    save_checkpoint([], path, append_dict=extra)
    loaded = load_checkpoint(path)
    assert loaded.keys() == extra.keys()
    for name, value in extra.items():
        if isinstance(value, str):
            assert loaded[name] == value
        elif isinstance(value, Tensor):
            np.testing.assert_array_equal(loaded[name].asnumpy(), value.asnumpy())
        else:
            assert loaded[name].shape == () and loaded[name].asnumpy().item() == value
            assert type(loaded[name].asnumpy().item()) is type(value)


def test_a_list_of_names_and_tensors_is_saved(tmp_path):
    save_checkpoint([{"name": "a", "data": Tensor([1.0])}], tmp_path / "a")
    assert load_checkpoint(tmp_path / "a.ckpt")["a"].asnumpy().tolist() == [1.0]


@pytest.mark.parametrize(
    "given_name, format, file_name",
    [
        ("x", None, "x.ckpt"),
        ("x.ckpt", None, "x.ckpt"),
        ("x.foo", None, "x.foo.ckpt"),
        ("x.safetensors", None, "x.safetensors"),
        ("x", "safetensors", "x.safetensors"),
        ("x.ckpt", "safetensors", "x.ckpt.safetensors"),
        ("x.safetensors", "ckpt", "x.safetensors.ckpt"),
    ],
)
def test_the_suffix_is_appended_as_mindspore_does(tmp_path, given_name, format, file_name):
    save_checkpoint(network(), str(tmp_path / given_name), format=format)
    assert [path.name for path in tmp_path.iterdir()] == [file_name]
    assert len(load_checkpoint(tmp_path / file_name)) == 3


@pytest.mark.parametrize(
    "choice, names",
    [
        ({"filter_prefix": "d"}, ["step"]),
        ({"filter_prefix": "step"}, ["d.weight", "d.bias"]),
        ({"filter_prefix": "s.d"}, ["d.weight", "d.bias", "step"]),
        ({"filter_prefix": ["d.w", "s"]}, ["d.bias"]),
        ({"specify_prefix": "d.bias"}, ["d.bias"]),
        ({"specify_prefix": "d"}, ["d.weight", "d.bias"]),
        ({"specify_prefix": ["d.b", "te"]}, ["d.bias"]),
        ({"specify_prefix": "d", "filter_prefix": "d.b"}, ["d.weight"]),
        ({"choice_func": lambda name: name.endswith("s")}, ["d.bias"]),
    ],
)
def test_names_can_be_chosen(saved, choice, names):
    assert list(load_checkpoint(saved, **choice)) == names


def test_the_content_tells_the_format_not_the_name(saved):
    other = saved.with_suffix(".ckpt" if saved.suffix == ".safetensors" else ".safetensors")
    saved.rename(other)
    assert list(load_checkpoint(other)) == ["d.weight", "d.bias", "step"]


def test_names_can_be_chosen_when_saving(tmp_path):
    save_checkpoint(network(), tmp_path / "x.ckpt", choice_func=lambda name: name.startswith("d"))
    assert list(load_checkpoint(tmp_path / "x.ckpt")) == ["d.weight", "d.bias"]


# Wrong arguments


@pytest.mark.parametrize(
    "error, arguments, options, message",
    [
        (TypeError, (3, "a"), {}, "'save_obj' must be a Cell or a list, but got int"),
        (TypeError, ([{"name": "a", "data": 3}], "a"), {}, "each element of the list must be a dict"),
        (TypeError, (Net(), 3), {}, "'ckpt_file_name' must be a str or a path, but got int"),
        (TypeError, (Net(), "a"), {"integrated_save": 3}, "'integrated_save' must be a bool, but got int"),
        (TypeError, (Net(), "a"), {"append_dict": []}, "'append_dict' must be a dict, but got list"),
        (TypeError, (Net(), "a"), {"append_dict": {"k": None}}, "but got 'k': None of type NoneType"),
        (TypeError, (Net(), "a"), {"append_dict": {3: "x"}}, "names in 'append_dict' must be texts, but got 3"),
        (ValueError, (Net(), "a"), {"append_dict": {"k": 2**63}}, "'k' must fit in 64 bits"),
        (ValueError, (network(), "a"), {"append_dict": {"step": 1}}, "names to save must differ, but got twice step"),
        (ValueError, (Net(), "a"), {"enc_key": b"0"}, "encryption is not supported"),
        (
            ValueError,
            ([{"name": "__metadata__", "data": Tensor(1)}], "a.safetensors"),
            {},
            "may be called '__metadata__'",
        ),
        (ValueError, ([{"name": "\ud800", "data": Tensor(1)}], "a"), {}, "names and texts must be Unicode"),
        (ValueError, (Net(), "a"), {"append_dict": {"k": "\ud800"}}, "names and texts must be Unicode"),
        (ValueError, (Net(), "a"), {"format": "pickle"}, r"must be one of \['ckpt', 'safetensors'\], but got 'pickle'"),
        (IsADirectoryError, (Net(), ""), {}, "must be a file, but got a folder"),
        (FileNotFoundError, (Net(), "nowhere/a"), {}, "the folder '.*nowhere' must exist"),
    ],
)
def test_wrong_arguments_of_save_write_nothing(tmp_path, monkeypatch, error, arguments, options, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        save_checkpoint(*arguments, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "error, options, message",
    [
        (TypeError, {"filter_prefix": 3}, "'filter_prefix' must be a str, or a list or tuple of str, but got 3"),
        (ValueError, {"specify_prefix": []}, r"'specify_prefix' must not be empty, but got \[\]"),
        (ValueError, {"specify_prefix": "zzz"}, "must hold a parameter that the arguments choose, but got none"),
        (ValueError, {"dec_key": b"0"}, "encryption is not supported"),
        (TypeError, {"net": 3}, "'net' must be a Cell, but got int"),
    ],
)
def test_wrong_arguments_of_load_are_refused(saved, error, options, message):
    with pytest.raises(error, match=message):
        load_checkpoint(saved, **options)


def test_a_missing_file_and_another_suffix_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"nope\.ckpt' must exist"):
        load_checkpoint(tmp_path / "nope.ckpt")
    with pytest.raises(ValueError, match=r"must end in \.ckpt or \.safetensors, but got '.*b\.txt'"):
        load_checkpoint(tmp_path / "b.txt")


# Damaged and foreign files


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "be a checkpoint of MindSpore or a safetensors file, but got 0 other bytes"),
        (b"hi", "be a checkpoint of MindSpore or a safetensors file, but got 2 other bytes"),
        (pickle.dumps({"a": WEIGHT}), r"a pickle, which is not read"),
        (b"PK\x03\x04" + b"\0" * 30, "a zip archive, as PyTorch"),
        (b"\n\x2c\n\x02sc\x12\x26\x08\x00\x12\x07Float32", "be complete, but got 17 of 44 bytes"),
        (b"\xff" * 99, "but got 99 other bytes"),
    ],
)
def test_a_foreign_file_is_refused_by_name(tmp_path, content, message):
    (tmp_path / "b.ckpt").write_bytes(content)
    with pytest.raises(ValueError, match=r"the file '.*b\.ckpt' must .*" + message):
        load_checkpoint(tmp_path / "b.ckpt")


def tampered(metadata, shape=(1,), end=4):
    """A checkpoint whose header says what ``save_checkpoint`` never writes."""
    header = {"__metadata__": metadata, "a": {"dtype": "F32", "shape": shape, "data_offsets": [0, end]}}
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(end)


@pytest.mark.parametrize(
    "text", ["{", "[" * 100_000, "9" * 5000, "[]", "3", "null", '{"note": 3}', '{"note": null}', '{"a": "x"}']
)
def test_texts_that_are_no_dict_of_texts_of_their_own_names_are_refused(tmp_path, text):
    (tmp_path / "b.ckpt").write_bytes(tampered({"producer": "minispore", "text": text}))
    with pytest.raises(
        ValueError, match=r"^For 'load_checkpoint', the file '.*b\.ckpt' must (note its texts|hold one)"
    ):
        load_checkpoint(tmp_path / "b.ckpt")


def test_texts_of_another_program_are_no_texts_of_ours(tmp_path):
    (tmp_path / "b.ckpt").write_bytes(tampered({"text": "{"}))
    assert list(load_checkpoint(tmp_path / "b.ckpt")) == ["a"]


@pytest.mark.parametrize("shape", [[0] * 100, [0, 2**63], [2**62, 2**62, 0]])
def test_arrays_that_numpy_cannot_hold_are_refused(tmp_path, shape):
    (tmp_path / "b.ckpt").write_bytes(tampered({}, shape, 0))
    with pytest.raises(ValueError, match=r"^For 'load_checkpoint', the file '.*b\.ckpt' must"):
        load_checkpoint(tmp_path / "b.ckpt")


def test_a_network_without_parameters_comes_back_empty(tmp_path):
    save_checkpoint(Net(), tmp_path / "x.safetensors")
    assert load_checkpoint(tmp_path / "x.safetensors") == {}


def test_an_empty_file_is_refused_though_mindspore_writes_one_for_a_network_without_parameters(tmp_path):
    save_checkpoint(Net(), tmp_path / "x.ckpt")
    with pytest.raises(ValueError, match="but got 0 other bytes"):
        load_checkpoint(tmp_path / "x.ckpt")


@pytest.mark.parametrize("name", ["x.ckpt", "x.safetensors"])
def test_saving_and_loading_take_memory_for_one_more_array_and_not_for_the_whole_file(tmp_path, name):
    net = Net(**{f"p{i}": np.zeros(1 << 18, np.float32) for i in range(16)})
    tracemalloc.start()
    save_checkpoint(net, tmp_path / name)
    saving = tracemalloc.get_traced_memory()[1]
    tracemalloc.clear_traces()
    loaded = load_checkpoint(tmp_path / name)
    loading = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = sum(p.asnumpy().nbytes for p in loaded.values())
    assert size == 16 << 20 and saving < 0.2 * size and loading < 1.2 * size


@pytest.mark.parametrize("keep", [-1, -30, 60, 5])
def test_a_truncated_file_is_refused_and_the_network_is_as_before(saved, keep):
    saved.write_bytes(saved.read_bytes()[:keep])
    net = network(0)
    with pytest.raises(ValueError, match=r"net\.\w+' must .*but (got|it ends)"):
        load_checkpoint(saved, net)
    assert net.values() == network(0).values()


@pytest.mark.parametrize("broken", ["os.fsync", "os.replace"])
def test_an_existing_checkpoint_survives_a_failed_write(saved, monkeypatch, broken):
    before = saved.read_bytes()

    def fail(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr(broken, fail)
    with pytest.raises(OSError, match="no space left"):
        save_checkpoint(network(1), saved)
    assert saved.read_bytes() == before and list(saved.parent.iterdir()) == [saved]


def test_a_checkpoint_replaces_the_one_before(saved):
    save_checkpoint(network(1), saved)
    assert load_checkpoint(saved)["d.bias"].asnumpy().tolist() == [1, 1] and list(saved.parent.iterdir()) == [saved]


# Into a network


def test_a_whole_checkpoint_is_loaded(saved):
    net = network(0)
    before = list(net.parameters)
    assert load_param_into_net(net, load_checkpoint(saved)) == ([], [])
    assert net.values() == network().values() and all(a is b for a, b in zip(net.parameters, before, strict=True))
    other = network(0)
    load_checkpoint(saved, other, strict_load=True)
    assert other.values() == network().values()


def test_missing_and_extra_names_are_returned_and_logged(caplog):
    net = network(0)
    with caplog.at_level(logging.WARNING, "minispore"):
        answer = load_param_into_net(net, parameters(d__bias=np.full(2, 5, np.float32), zz=WEIGHT))
    assert answer == (["d.weight", "step"], ["zz"])
    assert "2 parameters are not in the checkpoint: d.weight, step" in caplog.text
    assert net.values() == {"d.weight": [[0] * 3] * 2, "d.bias": [5, 5], "step": 0}


def test_strict_load_refuses_missing_names_and_lists_all():
    net = network(0)
    with pytest.raises(RuntimeError, match=r"2 missing: d\.weight, step; 1 extra: zz\.$"):
        load_param_into_net(net, parameters(d__bias=np.ones(2, np.float32), zz=WEIGHT), strict_load=True)
    assert net.values() == network(0).values()


def test_strict_load_allows_extra_names():
    source = network().parameters_dict() | parameters(zz=WEIGHT)
    assert load_param_into_net(network(0), source, strict_load=True) == ([], ["zz"])


@pytest.mark.parametrize("strict", [False, True])
def test_another_shape_is_refused_and_nothing_is_loaded(strict):
    net = network(0)
    source = parameters(
        d__bias=np.ones(2, np.float32), d__weight=np.ones((2, 4), np.float32), step=np.array([1], np.int32)
    )
    with pytest.raises(RuntimeError) as caught:
        load_param_into_net(net, source, strict)
    assert "2 that differ: d.weight is (2, 3) in the network and (2, 4) in the checkpoint" in str(caught.value)
    assert "step is () in the network and (1,) in the checkpoint" in str(caught.value)
    assert net.values() == network(0).values()


@pytest.mark.parametrize(
    "own, incoming, fits",
    [
        ("float32", "float16", True),
        ("float32", "float64", True),
        ("float16", "float32", True),
        ("float32", ml_dtypes.bfloat16, True),
        (ml_dtypes.bfloat16, "float32", True),
        ("int32", "int64", True),
        ("float32", "int32", False),
        ("int32", "float32", False),
        ("bool", "int32", False),
        ("float32", "bool", False),
    ],
)
def test_floats_become_floats_and_integers_integers_unless_strict(own, incoming, fits):
    net, source = Net(p=np.zeros(2, own)), parameters(p=np.ones(2, incoming))
    with pytest.raises(RuntimeError, match=r"1 that differ: p is .* in the network and .* in the checkpoint"):
        load_param_into_net(net, source, strict_load=True)
    if fits:
        assert load_param_into_net(net, source) == ([], [])
        assert net.parameters[0].dtype.np == np.dtype(own) and net.values() == {"p": [1, 1]}
    else:
        with pytest.raises(RuntimeError, match="1 that differ: p is"):
            load_param_into_net(net, source)
        assert not np.any(net.parameters[0].asnumpy())


def test_integers_that_do_not_fit_are_refused():
    with pytest.raises(RuntimeError, match="with values that do not fit"):
        load_param_into_net(Net(p=np.zeros(1, np.int32)), parameters(p=np.array([2**40])))


def test_a_network_saved_inside_another_is_found_by_the_end_of_its_names():
    net = network(0)
    inner = parameters(net__d__weight=WEIGHT, net__d__bias=np.ones(2, np.float32), net__step=np.array(7, np.int32))
    assert load_param_into_net(net, inner) == ([], ["net.d.weight", "net.d.bias", "net.step"])
    assert net.values() == network().values()
    with pytest.raises(RuntimeError, match="3 missing"):
        load_param_into_net(network(0), inner, strict_load=True)


@pytest.mark.parametrize("strict", [False, True])
def test_a_parameter_takes_its_own_name_before_a_longer_one_that_ends_in_it(strict):
    both = parameters(net__w=np.full(1, 2.0), w=np.full(1, 1.0))
    for names, values in ((("w",), [1.0]), (("net__w",), [2.0]), (("w", "net__w"), [1.0, 2.0])):
        net = Net(**{name: np.zeros(1) for name in names})
        load_param_into_net(net, both, strict)
        assert [value for (value,) in net.values().values()] == values


def test_the_shortest_name_with_that_end_is_taken_and_none_of_two_alike():
    net = Net(w=np.zeros(1))
    load_param_into_net(net, parameters(moments__net__w=np.full(1, 2.0), net__w=np.full(1, 1.0)))
    assert net.values() == {"w": [1.0]}
    assert load_param_into_net(net, parameters(a__w=np.full(1, 3.0), b__w=np.full(1, 4.0)))[0] == ["w"]
    assert net.values() == {"w": [1.0]}


def test_a_parameter_takes_no_entry_of_another_nor_one_that_ends_in_its_name_without_a_dot():
    net = Net(w=np.zeros(1), net__w=np.zeros(1))
    assert load_param_into_net(net, parameters(net__w=np.full(1, 2.0))) == (["w"], [])
    assert net.values() == {"w": [0.0], "net.w": [2.0]}
    assert load_param_into_net(net, parameters(raw=np.full(1, 3.0)))[0] == ["w", "net.w"]
    assert net.values() == {"w": [0.0], "net.w": [2.0]}


def test_texts_are_extra():
    assert load_param_into_net(Net(), {"note": "x"}) == ([], ["note"])


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((3, {}), "'net' must be a Cell, but got int"),
        ((Net(), 3), "'parameter_dict' must be a dict, but got int"),
        ((Net(), {}, 3), "'strict_load' must be a bool, but got int"),
        ((Net(), {"a": Tensor([1.0])}), "must hold Parameters by name, but got 'a': Tensor"),
    ],
)
def test_wrong_arguments_of_load_param_into_net_are_refused(arguments, message):
    with pytest.raises(TypeError, match=message):
        load_param_into_net(*arguments)


@pytest.mark.usefixtures("restored")
def test_the_state_of_the_scale_is_among_the_parameters_and_survives_a_checkpoint(tmp_path):
    step = train_step(PoisonedDense())
    for _ in range(2):
        step(ms.ops.ones((5, 3)))
    ms.save_checkpoint(step, str(tmp_path / "step"))
    fresh = train_step(PoisonedDense())
    ms.load_param_into_net(fresh, ms.load_checkpoint(str(tmp_path / "step.ckpt")))
    assert {"scale_sense", "current_iterator_step"} <= set(fresh.parameters_dict())
    assert int(fresh.loss_scaling_manager.cur_iter) == 2


@pytest.mark.parametrize(
    "make",
    [lambda: amp.DynamicLossScaler(8, 2, 3), lambda: amp.DynamicLossScaleManager(8, 2, 3)],
    ids=["scaler", "manager"],
)
def test_state_survives_a_checkpoint(make, tmp_path):
    def move(face, finite):
        face.adjust(finite) if hasattr(face, "adjust") else face.update_loss_scale(not finite)

    first, second = make(), make()
    for finite in (False, True, True):
        move(first, finite)
    ms.save_checkpoint(first, str(tmp_path / "scale"))
    ms.load_param_into_net(second, ms.load_checkpoint(str(tmp_path / "scale.ckpt")))
    move(first, True)
    move(second, True)
    values = [[p.asnumpy().item() for p in face.parameters_dict().values()] for face in (first, second)]
    assert values[0] == values[1]
    assert 8.0 in values[0]


def step_of(plan, level, optimizer):
    network = network_of(plan)
    manager = amp.DynamicLossScaleManager(2.0**12, 2, 2)
    return amp.build_train_network(
        network, OPTIMIZERS[optimizer](network.trainable_params()), nn.MSELoss(), level, loss_scale_manager=manager
    )


def train(step, numbers):
    return [tuple(out.asnumpy().tobytes() for out in step(*rows(number))) for number in numbers]


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("level", LEVELS)
@settings(max_examples=settings.default.max_examples // 10)  # of each of the 36
@given(plan=plans())
def test_a_converted_network_trains_saves_loads_and_resumes_bit_for_bit(tmp_path, level, optimizer, plan):
    ms.set_context(cpu_loss_scale=True)
    step = step_of(plan, level, optimizer)
    train(step, range(3))
    ms.save_checkpoint(step, str(tmp_path / "step"))
    draws = seeds.seed.draws
    course = train(step, range(3, 6))
    fresh = step_of(plan, level, optimizer)
    ms.load_param_into_net(fresh, ms.load_checkpoint(str(tmp_path / "step.ckpt")))
    seeds.seed.draws = draws
    assert train(fresh, range(3, 6)) == course
    states = [{name: p.asnumpy().tobytes() for name, p in s.parameters_dict().items()} for s in (step, fresh)]
    assert states[0] == states[1]


_RUN = """
import numpy as np, sys
from saved import NetOpt
import minispore as ms
net = NetOpt()
ms.load_param_into_net(net, ms.load_checkpoint("net.ckpt"))
np.save("out.npy", net(ms.Tensor(np.array([[1.0, -2.0]], np.float32))).asnumpy())
"""


_MODULE = """
import minispore as ms
from minispore import nn, ops

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 2)

    def construct(self, x, scale=2.0):
        return self.helper(ops.relu(self.fc(x))) * scale

    def helper(self, x):
        return x + 1
"""


def test_a_saved_file_is_imported_by_another_process_and_computes_the_same(tmp_path, monkeypatch):
    (tmp_path / "my_networks.py").write_text(_MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    net = __import__("my_networks").Net()
    tree = SymbolTree.create(net)
    tree.set_saved_file_name(str(tmp_path / "saved"))
    assert tree.get_saved_file_name() == str(tmp_path / "saved.py")
    tree.save_network_to_file()
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    subprocess.run([sys.executable, "-c", _RUN], cwd=tmp_path, check=True, env={"PYTHONPATH": ":".join(sys.path)})
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), net(X).asnumpy())


@pytest.mark.parametrize("kind", STORED, ids=named)
def test_checkpoints_keep_the_codes(kind, tmp_path):
    parameter = ms.Parameter(ms.Tensor(NUMBERS, kind), name="w", requires_grad=False)
    rows = [{"name": "w", "data": parameter}]
    ms.save_checkpoint(rows, str(tmp_path / "a.ckpt"))
    found = ms.load_checkpoint(str(tmp_path / "a.ckpt"))["w"]
    assert found.dtype == kind and np.array_equal(codes(found), codes(parameter))
    if kind == ms.hifloat8:
        with pytest.raises(TypeError, match=r"the dtype of 'w' must be one of \['bfloat16', .*'float8_e4m3fn'"):
            ms.save_checkpoint(
                [{"name": "w", "data": parameter}], str(tmp_path / "a.safetensors"), format="safetensors"
            )
    else:
        ms.save_checkpoint([{"name": "w", "data": parameter}], str(tmp_path / "a.safetensors"), format="safetensors")
        found = ms.load_checkpoint(str(tmp_path / "a.safetensors"))["w"]
        assert found.dtype == kind and np.array_equal(codes(found), codes(parameter))
        torch = pytest.importorskip("safetensors.torch").load_file(tmp_path / "a.safetensors")
        assert np.array_equal(torch["w"].view(pytest.importorskip("torch").uint8).numpy(), codes(parameter))
