"""Record what MindSpore 2.0.0's rewrite makes of networks.

``python -m conformance.record.nodes`` writes ``vectors/nodes.json``.

Runs with MindSpore 2.0.0's Python. For each network, and each tree and container inside it, the file
has its nodes in order: name, type, targets, arguments, keyword arguments, users, inputs, and the class called; and what
the rewritten network returns. Of networks that are more than calls it has the nodes and outputs, or the errors.
"""

import json
import pathlib

import mindspore as ms
from mindspore.rewrite import Node, SymbolTree, TreeNodeHelper
from support.constructs.recorded_calls import NETWORKS, inputs, made
from support.constructs.recorded_statements import BEYOND

VECTORS = pathlib.Path(__file__).parent.parent / "vectors"


def told(make):
    """What ``make`` returns; the error, if it raises one."""
    try:
        return make()
    except Exception as error:  # whatever it is, it is what was observed
        return f"{type(error).__name__}: {error}"


def described(node):
    """A node as JSON, with the nodes inside it."""
    kind = node.get_node_type().name
    found = {
        "name": node.get_name(),
        "type": kind,
        "class": node.get_instance_type().__name__,
        "targets": [str(target) for target in node.get_targets() or []],
        "args": [str(arg) for arg in node.get_args() or []],
        "kwargs": {name: str(value) for name, value in (node.get_kwargs() or {}).items()},
        "users": told(lambda: [user.get_name() for user in node.get_users()]),
        "inputs": told(lambda: [each.get_name() for each in node.get_inputs()]),
    }
    if kind == "Tree":
        found["inside"] = [described(each) for each in TreeNodeHelper.get_sub_tree(node).nodes()]
    elif kind == "CellContainer":
        found["inside"] = [described(Node(each)) for each in node.get_handler().node_list]
    return found


def nodes(network):
    """The nodes of a network."""
    return [described(node) for node in SymbolTree.create(made(network)).nodes()]


def outputs(network):
    """What the rewritten network returns for the common inputs, as a list of lists."""
    found = SymbolTree.create(made(network)).get_network()(*inputs(network))
    return [out.asnumpy().tolist() for out in (found if isinstance(found, tuple) else (found,))]


def recorded(network):
    """What is known of a network, as JSON."""
    return {"nodes": told(lambda: nodes(network)), "outputs": told(lambda: outputs(network))}


def main():
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    lines = [f'"{network.__name__}": {json.dumps(recorded(network))}' for network in (*NETWORKS, *BEYOND)]
    text = f'{{"mindspore": "{ms.__version__}", "networks": {{\n' + ",\n".join(lines) + "\n}}\n"
    (VECTORS / "nodes.json").write_text(text)


if __name__ == "__main__":
    main()
