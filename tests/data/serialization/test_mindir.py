"""MINDIR files: written whole or not at all; what they cannot say is refused by name; no file harms its reader."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import nn, ops
from minispore.data.serialization.mindir.model import Described, Graph, Model, Node, Primitive, decoded, encoded
from minispore.data.serialization.mindir.run import graph_of
from minispore.data.serialization.mindir.values import NotSaidError, tensor_message, tensor_of, value_message, value_of


class Function(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, *xs):
        return self.function(*xs)


X = ms.Tensor(np.random.RandomState(0).randn(2, 3).astype(np.float32))


def saved(tmp_path, network, *inputs):
    ms.export(network, *inputs, file_name=str(tmp_path / "net"), file_format="MINDIR")
    return (tmp_path / "net.mindir").read_bytes()


# Values

NUMBERS = st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(width=32, allow_nan=False), st.text())
VALUES = st.recursive(st.none() | NUMBERS, lambda x: st.lists(x) | st.lists(x).map(tuple), max_leaves=20)
KINDS = ["bool", "float16", "float32", "float64", "complex64", "complex128"]
KINDS += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


def same(x, y):
    if isinstance(x, (tuple, list)):
        return type(x) is type(y) and len(x) == len(y) and all(map(same, x, y))
    return type(x) is type(y) and x == y


@given(VALUES, st.text())
def test_values_come_back_with_their_types(value, name):
    found, back = value_of(value_message(value, name))
    assert found == name and same(back, value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (2, 0, 3)])
def test_arrays_and_data_types_come_back(kind, shape):
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(kind)
    found, name = tensor_of(tensor_message(array, "a"))
    assert name == "a" and found.dtype == array.dtype and found.shape == shape and np.array_equal(found, array)
    assert value_of(value_message(array.dtype, "t"))[1].np == array.dtype


@pytest.mark.parametrize("value", [2**63, object(), {"a": 1}, ms.bfloat16, ...])
def test_a_value_without_a_place_is_refused(value):
    with pytest.raises(NotSaidError):
        value_message(value, "a")


# Files


def test_a_file_is_decoded_to_what_was_encoded():
    nodes = [Node((), "c", None, (1, -2)), Node(("x", "w", "c"), "y", "Add:0")]
    graph = Graph("main", nodes, {"w": ("own.w", np.ones(2))}, [Described("x", (2,), np.dtype("f4"))], [Described("y")])
    model = Model(graph, {"f": graph._replace(name="f", parameters={})}, {"Add:0": Primitive("Add", {"a": [1.5]})})
    back = decoded(encoded(model))
    assert back.primitives == model.primitives and back.functions["f"] == model.functions["f"]
    assert back.graph.nodes == nodes and back.graph.inputs == graph.inputs and back.graph.outputs == graph.outputs
    assert back.graph.parameters["w"][0] == "own.w" and np.array_equal(back.graph.parameters["w"][1], np.ones(2))


def test_a_file_is_replaced_as_a_whole(tmp_path):
    before = saved(tmp_path, nn.Dense(3, 2), X)
    with pytest.raises(RuntimeError, match="Zeta"):
        saved(tmp_path, Function(lambda x: ops.zeta(x + 9, ms.Tensor(2.0))), X)
    assert (tmp_path / "net.mindir").read_bytes() == before and os.listdir(tmp_path) == ["net.mindir"]


REFUSED = [
    (lambda x: x if x.sum() > 0 else -x, "reads a value that depends on one"),
    (lambda x: ops.standard_normal((2,)) + x.sum(), "StandardNormal"),
    (lambda x: {"a": x + 1}, "must return Tensors, or tuples of them"),
    (lambda x: x.astype(ms.bfloat16), "bfloat16"),
    (lambda x: x[x > 0], "depends on data"),
]


@pytest.mark.parametrize(("function", "part"), REFUSED, ids=["path", "random", "dict", "type", "shape"])
def test_what_mindir_cannot_say_is_refused_by_name_before_a_file_is_written(tmp_path, function, part):
    with pytest.raises(RuntimeError, match=part):
        saved(tmp_path, Function(function), X)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", [{"enc_key": b"0123456789ABCDEF"}, {"obf_config": {"type": "dynamic"}}])
def test_an_option_that_would_change_the_file_is_refused(tmp_path, option):
    with pytest.raises(ValueError, match="must be left out"):
        ms.export(nn.ReLU(), X, file_name=str(tmp_path / "a"), file_format="MINDIR", **option)
    saved(tmp_path, nn.ReLU(), X)
    with pytest.raises(ValueError, match="must be left out"):
        ms.load(str(tmp_path / "net.mindir"), **{"enc_key": {"dec_key": b"x" * 16}}.get(next(iter(option)), option))


def test_parameters_keep_names_values_and_types_in_float16_networks(tmp_path):
    network = ms.amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4)), "O2")
    found = graph_of(saved(tmp_path, network, X)).parameters
    wanted = {p.name: p.asnumpy() for p in network.get_parameters()}
    assert found.keys() == wanted.keys()
    assert all(np.array_equal(found[n], wanted[n]) and found[n].dtype == wanted[n].dtype for n in wanted)


class SameNames(nn.Cell):
    """An input, a Parameter, and nodes and the graph might have one name."""

    def __init__(self):
        super().__init__()
        self.weight = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="weight")

    def construct(self, weight, constant_1, SameNames):  # noqa: N803 - the name is the point
        return (self.weight + weight) * 2 + constant_1 - SameNames


def test_equal_names_of_inputs_parameters_and_nodes_are_kept_apart(tmp_path):
    network = SameNames()
    cell = nn.GraphCell(graph_of(saved(tmp_path, network, X, X * 2, X * 3)))
    np.testing.assert_allclose(cell(X, X * 2, X * 3).asnumpy(), network(X, X * 2, X * 3).asnumpy(), 1e-6)
    assert list(cell.parameters_dict()) == ["weight"]


class Fresh(nn.Cell):
    """Makes a layer where it is used, and counts its calls."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def construct(self, x):
        self.calls += 1
        return nn.Softmax(axis=-1)(x) * self.calls


def test_a_cell_that_is_made_or_changed_in_construct_is_as_this_run_has_it(tmp_path):
    cell = nn.GraphCell(graph_of(saved(tmp_path, Fresh(), X)))
    for _ in range(2):
        np.testing.assert_allclose(cell(X).asnumpy(), ops.softmax(X).asnumpy(), 1e-6)


# Files of strangers


def attributes(data, kind, **changed):
    """A file in which the primitives of a kind have other attributes."""
    model = decoded(data)
    primitives = {
        name: p._replace(attributes={**p.attributes, **changed}) if p.kind == kind else p
        for name, p in model.primitives.items()
    }
    return encoded(model._replace(primitives=primitives))


def renamed(data, old, new):
    model = decoded(data)
    primitives = {n: p._replace(kind=new) if p.kind == old else p for n, p in model.primitives.items()}
    return encoded(model._replace(primitives=primitives))


def load(tmp_path, data):
    (tmp_path / "strange.mindir").write_bytes(data)
    return ms.load(str(tmp_path / "strange.mindir"))


def test_a_file_cut_off_anywhere_ends_in_a_sentence(tmp_path):
    data = saved(tmp_path, nn.Dense(3, 2), X)
    for length in range(0, len(data) - 2, 7):
        with pytest.raises(ValueError, match=r"^For 'load', the file"):
            load(tmp_path, data[:length])


@pytest.fixture(scope="module")
def networks_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("a")
    return saved(folder, nn.SequentialCell(nn.Dense(3, 4), nn.LayerNorm((4,)), nn.Softmax()), X)


@given(st.data())
def test_a_changed_file_ends_in_a_sentence_or_is_a_graph(networks_file, tmp_path_factory, data):
    changed = bytearray(networks_file)
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(changed) - 1))
        changed[place] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "changed.mindir"
    path.write_bytes(bytes(changed))
    try:
        assert nn.GraphCell(ms.load(str(path)))
    except ValueError as error:
        assert str(error).startswith("For 'load', the file")


@pytest.mark.parametrize(
    "kind", ["Print", "Custom", "Primitive", "AllReduce", "__init__", "os.system", "operations", ""]
)
def test_a_file_runs_no_operation_but_those_that_compute(tmp_path, kind):
    data = renamed(saved(tmp_path, nn.ReLU(), X), "ReLU", kind)
    with pytest.raises(ValueError, match="hold operations that minispore has"):
        load(tmp_path, data)


def test_attributes_that_no_primitive_takes_are_refused_when_the_file_is_loaded(tmp_path):
    data = saved(tmp_path, nn.Softmax(), X)
    with pytest.raises(ValueError, match="hold attributes that 'Softmax' takes"):
        load(tmp_path, attributes(data, "Softmax", axis="last"))
    data = saved(tmp_path, Function(lambda x: x.sum(1)), X)
    with pytest.raises(ValueError, match="skip_mode"):
        load(tmp_path, attributes(data, "ReduceSum", skip_mode=True))


def strange(nodes, inputs=("x",), output="y", primitives=None, functions=None):
    graph = Graph("main", nodes, {}, [Described(name) for name in inputs], [Described(output)])
    return encoded(Model(graph, functions or {}, primitives or {"ReLU": Primitive("ReLU", {})}))


def test_names_that_lead_nowhere_are_refused(tmp_path):
    relu = Node(("x",), "y", "ReLU")
    for nodes, inputs, output in [
        ([Node(("gone",), "y", "ReLU")], ("x",), "y"),
        ([relu, relu], ("x",), "y"),
        ([Node(("y",), "y", "ReLU")], ("x",), "y"),
        ([relu], ("x", "x"), "y"),
        ([relu], ("x",), "gone"),
        ([Node(("x",), "y", "Gone")], ("x",), "y"),
    ]:
        with pytest.raises(ValueError, match=r"^For 'load', the file .* must hold"):
            load(tmp_path, strange(nodes, inputs, output))


def test_functions_that_call_themselves_without_end_end_in_a_sentence(tmp_path):
    inner = Graph(
        "f",
        [Node(("a",), "b", "f"), Node(("b",), "c", "ReLU")],
        {},
        [Described("a")],
        [Described("c")],
    )
    file = strange([Node(("x",), "y", "f")], functions={"f": inner})
    with pytest.raises(RuntimeError, match="must call at most"):
        nn.GraphCell(load(tmp_path, file))(X)


@pytest.mark.parametrize(
    ("kind", "inputs"),
    [("TupleGetItem", ("x", "x")), ("TupleGetItem", ()), ("Depend", ()), ("Switch", ("x",)), ("Partial", ("x",))],
)
def test_inputs_that_a_primitive_cannot_have_end_in_a_sentence_when_the_graph_runs(tmp_path, kind, inputs):
    file = strange([Node(inputs, "y", "P")], primitives={"P": Primitive(kind, {})})
    with pytest.raises((RuntimeError, TypeError, ValueError), match=r"^For '"):
        nn.GraphCell(load(tmp_path, file))(X)


def test_tuples_inside_one_another_without_end_are_refused():
    data = value_message(1)
    for _ in range(200):
        data = b"\x8a\x01" + _length(data) + data + b"\x80\x01\x14"
    with pytest.raises(ValueError, match="deep"):
        value_of(data)


def _length(data):
    number, out = len(data), bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def test_a_file_of_a_later_release_is_refused_with_the_reason(tmp_path):
    data = saved(tmp_path, nn.ReLU(), X)
    primitive = b"\x0a\x01R\x12\x04ReLU\x28\x02"
    with pytest.raises(ValueError, match=r"MindSpore 2\.0"):
        load(tmp_path, data + b"\x62" + _length(primitive) + primitive)
