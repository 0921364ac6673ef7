"""Nodes against MindSpore 2.0.0: the same, in the same order, where constructs are made of calls; else as known."""

import importlib.util
import json
import sys
from pathlib import Path
from unittest import mock

import pytest

import minispore
from minispore.rewrite import Node, SymbolTree, TreeNodeHelper, check

HERE = Path(__file__).parent
RECORDED = json.loads((HERE / "vectors" / "nodes.json").read_text())["nodes"]


def networks():
    """``networks_of_calls.py`` with minispore as its ``mindspore``; it stays in sys.modules for its source."""
    name = "networks_of_calls"
    if name not in sys.modules:
        ours = {"mindspore": minispore, "mindspore.nn": minispore.nn, "mindspore.ops": minispore.ops}
        spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        with mock.patch.dict(sys.modules, ours):
            spec.loader.exec_module(module)
        sys.modules[name] = module
    return sys.modules[name]


def described(node):
    """A node as the recorder writes it."""
    kind = node.get_node_type().name
    found = {
        "name": node.get_name(),
        "type": kind,
        "class": node.get_instance_type().__name__,
        "targets": [str(target) for target in node.get_targets()],
        "args": [str(arg) for arg in node.get_args()],
        "kwargs": {name: str(value) for name, value in node.get_kwargs().items()},
        "users": [user.get_name() for user in node.get_users()],
        "inputs": [each.get_name() for each in node.get_inputs()],
    }
    if kind == "Tree":
        found["inside"] = [described(each) for each in TreeNodeHelper.get_sub_tree(node).nodes()]
    elif kind == "CellContainer":
        found["inside"] = [described(Node(each)) for each in node.get_handler().node_list]
    return found


def comparable(nodes):
    """The nodes, with the class alone of those in containers, which MindSpore gives no values of their own."""

    def inside(node):
        if node["type"] == "CellContainer":
            return {"inside": [each["class"] for each in node["inside"]]}
        return {"inside": comparable(node["inside"])} if "inside" in node else {}

    return [{**node, **inside(node)} for node in nodes]


def differences(ours, theirs):
    """What differs between nodes, as lines."""
    names = [[node["name"] for node in nodes] for nodes in (ours, theirs)]
    if names[0] != names[1]:
        return [f"nodes: {', '.join(names[0])} for {', '.join(names[1])}"]
    pairs = [(one, other, key) for one, other in zip(ours, theirs, strict=True) for key in other]
    return [f"{a['name']}.{key}: {a[key]} for {b[key]}" for a, b, key in pairs if a[key] != b[key]]


def nodes_of(name):
    tree = SymbolTree.create(getattr(networks(), name)())
    check(tree.get_handler())
    return comparable([described(node) for node in tree.nodes()])


_KNOWN = {
    # A constant tuple is an argument, not a node of its own.
    "Constants": ["nodes: input_x, reshape, mean, return for input_x, tuple, reshape, mean, return"],
    # A function's node has the function's own name, without the module's.
    "Functions": ["nodes: input_x, fc, tanh, return for input_x, fc, ops.tanh, return"],
    # A function is no cell, even if there is an attribute of its name.
    "FunctionNamedAsACell": ["relu.type: CallFunction for CallCell"],
}


@pytest.mark.parametrize("name", [name for name, nodes in RECORDED.items() if isinstance(nodes, list)])
def test_nodes_are_mindspores_but_for_known_differences(name):
    found = differences(nodes_of(name), comparable(RECORDED[name]))
    assert found[:1] == _KNOWN.get(name, [])


def test_a_call_whose_value_nobody_takes_is_a_node_where_mindspore_raises():
    assert RECORDED["Unused"] == "TypeError: 'NoneType' object is not iterable"
    relu = nodes_of("Unused")[2]
    assert (relu["name"], relu["type"], relu["args"], relu["users"]) == ("relu", "CallCell", ["y"], [])


def test_the_cells_of_a_container_read_one_another_where_mindspores_all_read_the_containers_argument():
    (call,) = [node for node in RECORDED["Containers"] if node["name"] == "seq"]
    assert [each["args"] for each in call["inside"]] == [["x"], ["x"], ["x"]]
    tree = SymbolTree.create(networks().Containers())
    inside = tree.get_node("seq").get_handler().node_list
    assert [str(node.args[0]) for node in inside] == ["input_data", "x", "x_1"]
    assert inside[0].users == [inside[1]]
