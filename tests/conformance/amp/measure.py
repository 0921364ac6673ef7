"""What is measured of a network under mixed precision, the same under MindSpore and minispore.

``measured(name, mode)`` converts a network of ``networks.py`` and gives a dict: the dtype of each call of a leaf
cell and of a primitive, the names and classes of its cells, its Parameters with dtypes, its output and the gradients of
its Parameters as arrays; of a conversion or a call that dies, the kind of error.
"""

import re
import zlib

import mindspore as ms
import numpy as np
from conformance.amp import networks
from mindspore import amp, nn, ops

MODES = ("O0", "O1", "O2", "O3", "white", "black")
# Primitives whose output dtype is logged: those that both frameworks call by these names, in the same order.
WATCHED = ("Conv2D", "Conv3D", "MatMul", "BatchMatMul", "ReLU", "PReLU", "Ger", "Softmax", "BatchNorm")
# Those that minispore computes inside one primitive of its own.
HELD = {"LSTMStep": ["MatMul", "MatMul"], "GRUStep": ["MatMul", "MatMul"]}


def white_list():
    """A white list of classes that the built-in one has not, and Dense."""
    return [nn.Dense, nn.LayerNorm, nn.BatchNorm2d, nn.ReLU, nn.GELU, ops.Softmax, ops.Tanh]


def black_list():
    """A black list of classes that the built-in one has not, and LayerNorm."""
    return [nn.Dense, nn.Conv2d, nn.LayerNorm]


def converted(network, mode):
    """The network at a level, or by a custom list."""
    if mode == "white":
        return amp.custom_mixed_precision(network, white_list=white_list())
    if mode == "black":
        return amp.custom_mixed_precision(network, black_list=black_list())
    return amp.auto_mixed_precision(network, mode)


def values(name, shape):
    """Reproducible numbers for what is called ``name``; scales and variances are positive."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    numbers = 0.5 * rng.standard_normal(shape)
    return np.float32(1 + abs(numbers) if name.endswith(("gamma", "variance")) else numbers)


def build(name, mode):
    """A converted network in training mode, with values by its Parameters' names, and its inputs."""
    factory, kinds = networks.NETWORKS[name]
    network = factory().set_train()
    for parameter in network.get_parameters():
        parameter.set_data(ms.Tensor(values(parameter.name, parameter.shape)))
    return converted(network, mode).set_train(), [made(i, *kind) for i, kind in enumerate(kinds)]


def made(number, kind, shape):
    """An input."""
    numbers = values(f"input {number}", shape)
    return ms.Tensor(numbers) if kind == "normal" else ms.Tensor((numbers > 0).astype(np.int32))


def dtypes(value):
    """The dtypes of a Tensor, or of those in a tuple."""
    parts = value if isinstance(value, (tuple, list)) else [value]
    return [str(part.dtype) for part in parts if isinstance(part, ms.Tensor)]


def leaves(network):
    """The cells whose class is the framework's own, but containers; what stands inside them is not looked at."""
    found = []
    for path, cell in network.cells_and_names():
        ours = type(cell).__module__.split(".")[0] in ("mindspore", "minispore")
        inside = any(path.startswith(f"{other}.") for other, _ in found)
        holds = isinstance(cell, (nn.SequentialCell, nn.CellList)) or hasattr(cell, "_backbone")
        if ours and path and not inside and not holds:
            found.append((path, cell))
    return found


def class_name(cell):
    """The name of a cell's class, without the number that MindSpore puts behind those that its rewrite makes."""
    return re.sub(r"Opt_\d+$", "Opt", type(cell).__name__)


def cell_log(network, inputs):
    """``[path, dtypes in, dtypes out]`` of each call of a leaf cell, in order, by forward hooks."""
    log = []

    def listen(path):
        return lambda cell_id, args, out: log.append([path, dtypes(args), dtypes(out)])

    for path, cell in leaves(network):
        cell.register_forward_hook(listen(path))
    network(*inputs)
    return log


def primitive_log(network, inputs):
    """``[name, dtype out]`` of each call of a watched primitive, in order."""
    log, call = [], ops.Primitive.__call__

    def listening(self, *args):
        out = call(self, *args)
        held = [self.name] if self.name in WATCHED else HELD.get(self.name, [])
        log.extend([name, dtypes(out)[0]] for name in held)
        return out

    ops.Primitive.__call__ = listening
    try:
        network(*inputs)
    finally:
        ops.Primitive.__call__ = call
    return log


def gradients(network, inputs, out):
    """The gradients by each trainable Parameter of the output's sum with fixed weights."""
    weights = network.trainable_params()
    if not weights:
        return []
    sens = ms.Tensor(values("sens", out.shape)).astype(out.dtype)
    operation = ops.GradOperation(get_by_list=True, sens_param=True)
    return list(operation(network, ms.ParameterTuple(weights))(*inputs, sens))


def measured(name, mode):
    """All that is measured of a network in a mode."""
    try:
        network, inputs = build(name, mode)
        out = network(*inputs)
        found = gradients(network, inputs, out)
        return {
            "cells": [[path, class_name(cell)] for path, cell in network.cells_and_names()],
            "parameters": [[p.name, str(p.dtype)] for p in network.get_parameters()],
            "out_dtype": str(out.dtype),
            "gradient_dtypes": dtypes(found),
            "calls": cell_log(*build(name, mode)),
            "primitives": primitive_log(*build(name, mode)),
            "out": out.asnumpy().astype(np.float32).ravel(),
            "gradients": np.concatenate([np.zeros(0), *(g.asnumpy().ravel() for g in found)]).astype(np.float32),
        }
    except Exception as error:  # what dies is part of what is recorded
        return {"error": type(error).__name__}
