"""Record the nodes that MindSpore 2.0.0's rewrite makes: ``python record_nodes.py`` writes ``vectors/nodes.json``.

Runs with MindSpore 2.0.0's Python, in this folder. For each network, and each tree and container inside it, the file
has its nodes in order: name, type, targets, arguments, keyword arguments, users, inputs, and the class called.
"""

import json
import pathlib

import mindspore as ms
from mindspore.rewrite import Node, SymbolTree, TreeNodeHelper
from networks_of_calls import NETWORKS

HERE = pathlib.Path(__file__).parent


def described(node):
    """A node as JSON, with the nodes inside it."""
    kind = node.get_node_type().name
    found = {
        "name": node.get_name(),
        "type": kind,
        "class": node.get_instance_type().__name__,
        "targets": [str(target) for target in node.get_targets() or []],
        "args": [str(arg) for arg in node.get_args()],
        "kwargs": {name: str(value) for name, value in (node.get_kwargs() or {}).items()},
        "users": [user.get_name() for user in node.get_users()],
        "inputs": [each.get_name() for each in node.get_inputs()],
    }
    if kind == "Tree":
        found["inside"] = [described(each) for each in TreeNodeHelper.get_sub_tree(node).nodes()]
    elif kind == "CellContainer":
        found["inside"] = [described(Node(each)) for each in node.get_handler().node_list]
    return found


def recorded(network):
    """The nodes of a network; the error, if that raises one."""
    try:
        return [described(node) for node in SymbolTree.create(network()).nodes()]
    except Exception as error:  # whatever it is, it is what was observed
        return f"{type(error).__name__}: {error}"


def main():
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    found = {network.__name__: recorded(network) for network in NETWORKS}
    (HERE / "vectors" / "nodes.json").write_text(json.dumps({"mindspore": ms.__version__, "nodes": found}, indent=1))


if __name__ == "__main__":
    main()
