"""The adapter of whatever has MindSpore's API: minispore, and MindSpore itself in a process of its own.

It imports NumPy alone, and is Python 3.9, since MindSpore 2.0.0's Python runs this file.
"""

# ruff: noqa: B905 - Python 3.9 has no strict zip

import importlib.util
import itertools
import os
import re
import sys
import tempfile

import numpy as np

_numbers = itertools.count()

FACES = {"manager": "mindspore manager", "update cell": "mindspore update cell", "scaler": "mindspore scaler"}
LACKS = {
    "infer": "what it infers cannot be asked for without computing",
    "scales_losses": "MindSpore refuses a loss scale with overflow checks on the CPU",
}


class MindSpore:
    """The protocol of ``targets/__init__.py`` over a module that has MindSpore's API."""

    speaks = "mindspore"
    faces = FACES
    scales_losses = False  # MindSpore refuses overflow checks on the CPU
    keeps_streams = False  # True if a resumed run may draw the random numbers that the first would have drawn
    lacks = LACKS

    def __init__(self, ms, name="mindspore"):
        self.ms, self.name, self.version = ms, name, ms.__version__
        self.names = {"ms": ms, "nn": ms.nn, "ops": ms.ops, "amp": ms.amp, "np": np}
        self._compiled, self._program, self._folder = {}, {}, None

    # Operations

    def compute(self, call, inputs):
        """The outputs of an expression, as arrays."""
        return [_array(y) for y in self._run(call, self._tensors(inputs))]

    def gradient(self, call, inputs, moving, weights):
        """The gradients, by the inputs at ``moving``, of the sum of weights times outputs; None: no weight."""
        made, weights = self._tensors(inputs), self._tensors(weights)
        return self._gradients(lambda *xs: self._weighed(call, xs, weights), made, moving)

    def second(self, call, inputs, moving, weights, ways):
        """The gradients of the derivative along ``ways``: by the inputs at ``moving``, then by each weight."""
        ways, count = self._tensors(ways), len(inputs)
        given = [i for i, w in enumerate(weights) if w is not None]

        def total(*every):  # the weights are inputs: MindSpore takes a function's outer values for constants
            held = [None] * len(weights)
            for i, w in zip(given, every[count:]):
                held[i] = w
            return self._weighed(call, every[:count], held)

        def slope(*every):
            grads = self._grad(total, tuple(moving))(*every)
            grads = grads if isinstance(grads, tuple) else (grads,)
            return _sum([(g * d).sum() for g, d in zip(grads, ways)])

        every = self._tensors([*inputs, *(weights[i] for i in given)])
        return self._gradients(slope, every, [*moving, *range(count, len(every))])

    def jvp(self, call, inputs, ways):
        """The outputs of an expression, and their derivatives along directions."""
        inputs, ways = self._tensors(inputs), self._tensors(ways)
        given = (tuple(inputs), tuple(ways)) if len(inputs) > 1 else (inputs[0], ways[0])
        return [_arrays(found) for found in self.ms.jvp(self._function(call, len(inputs)), *given)]

    def vjp(self, call, inputs, weights):
        """The outputs of an expression, and the gradients of the sum of weights times outputs, by every input."""
        out, pull_back = self.ms.vjp(self._function(call, len(inputs)), *self._tensors(inputs))
        return _arrays(out), _arrays(pull_back(*self._tensors(weights)))

    def vmap(self, call, inputs, axes, out):
        """The outputs of an expression that is mapped over an axis of each input; None: of none."""
        function = self.ms.vmap(self._function(call, len(inputs)), tuple(axes), out)
        return _arrays(function(*self._tensors(inputs)))

    def _function(self, call, count):
        """An expression as a function with a source. MindSpore reads the source to map it."""
        names = ", ".join(f"x{i}" for i in range(count))
        return self._made(f"def function({names}):\n    return {call}\n")["function"]

    def _weighed(self, call, xs, weights):
        outs = self._run(call, xs)
        return _sum([(y * w).sum() for y, w in zip(outs, weights) if w is not None])

    def _gradients(self, function, inputs, moving):
        found = self._grad(function, tuple(moving))(*inputs)
        return [_array(g) for g in (found if isinstance(found, tuple) else (found,))]

    def _grad(self, function, positions):
        return self.ms.grad(function, positions if len(positions) > 1 else positions[0])

    def _tensors(self, inputs):
        return [self.ms.Tensor(x) if isinstance(x, np.ndarray) else x for x in inputs]

    def _run(self, call, xs):
        if callable(call):
            out = call(*xs)
        else:
            code = self._compiled.setdefault(call, compile(call, "<expression>", "eval"))
            space = {"__name__": __name__, **self.names}
            space.update((f"x{i}", x) for i, x in enumerate(xs))
            out = eval(code, space)
        return out if isinstance(out, (tuple, list)) else (out,)

    def has(self, expression):
        """True if the names of an expression are there."""
        found = self._compiled.setdefault(expression, compile(expression, "<expression>", "eval"))
        wanted = [name for name in found.co_names if name[:1].isupper()]
        return all(any(hasattr(m, n) for m in (self.ms.ops, self.ms.nn, self.ms)) for n in wanted)

    # The loss scale

    def scale_course(self, face, start, factor, window, word):
        """The scales after each step of a word of overflows."""
        step, read = getattr(self, "_" + face.replace(" ", "_"))(start, factor, window)
        scales = []
        for overflow in word:
            step(bool(overflow))
            scales.append(float(read()))
        return scales

    def _manager(self, start, factor, window):
        manager = self.ms.amp.DynamicLossScaleManager(start, factor, window)
        return manager.update_loss_scale, manager.get_loss_scale

    def _update_cell(self, start, factor, window):
        cell = self.ms.nn.DynamicLossScaleUpdateCell(start, factor, window)
        scale = self.ms.Parameter(self.ms.Tensor(start, self.ms.float32), name="scale")
        return lambda overflow: cell(scale, self.ms.Tensor(overflow)), lambda: scale.asnumpy()

    def _scaler(self, start, factor, window):
        scaler = self.ms.amp.DynamicLossScaler(start, factor, window)
        return lambda overflow: scaler.adjust(self.ms.Tensor(not overflow)), lambda: scaler.scale_value.asnumpy()

    def finite(self, arrays):
        """True if all elements of arrays are finite."""
        return bool(self.ms.amp.all_finite(tuple(self._tensors(arrays))))

    def unscale(self, scale, arrays):
        """Scaled gradients, unscaled."""
        scaler = self.ms.amp.StaticLossScaler(scale)
        return [_array(x) for x in scaler.unscale(tuple(self._tensors(arrays)))]

    # Networks

    def _made(self, source):
        """The names that a program defines; it is a file, since MindSpore reads the sources of networks."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory()
        path = os.path.join(self._folder.name, f"network_{next(_numbers)}.py")
        with open(path, "w") as file:
            file.write("import numpy as np\nimport mindspore as ms\nfrom mindspore import amp, nn, ops\n\n\n" + source)
        spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return vars(module)

    def _network(self, source):
        self.ms.set_seed(1)
        self._program = self._made(source)
        return self._program["make"]()

    def _output(self, network, inputs):
        self.ms.set_seed(1)
        return _array(network(*self._tensors(inputs)))

    def forward(self, source, values, inputs):
        """The output of a network in evaluation, with these values of its Parameters."""
        return self._output(self._filled(source, values), inputs)

    def backward(self, source, values, inputs, weights):
        """The gradients of the sum of weights times that output: by the floating inputs, by the trained Parameters."""
        network, weights = self._filled(source, values), self.ms.Tensor(weights)
        floating = tuple(i for i, x in enumerate(inputs) if x.dtype.kind == "f")
        trained = list(network.trainable_params())

        def total(*xs):
            return (network(*xs) * weights).sum()

        found = self.ms.grad(total, floating or None, trained or None)(*self._tensors(inputs))
        parts = found if floating and trained else (found,)
        return [_array(g) for part in parts for g in (part if isinstance(part, (tuple, list)) else (part,))]

    def accumulate(self, source, summing, values, inputs, labels):
        """The loss of a network on a batch in parts, and its gradients by the trained Parameters.

        ``summing`` is the expression of the cell that runs ``network`` on the parts. The network gives the mean of
        squares.
        """
        network = self._filled(source, values)
        with_loss = self.ms.nn.WithLossCell(network, self.ms.nn.MSELoss())
        parts, trained = eval(summing, dict(self.names, network=with_loss)), list(network.trainable_params())
        find = self.ms.value_and_grad(lambda *xs: parts(*xs), None, trained)
        loss, gradients = find(*self._tensors([inputs, labels]))
        return _array(loss), [_array(g) for g in gradients]

    def in_graph(self, source, values, inputs):
        """The output in graph mode, after two calls with other data: the first one compiles, or records."""
        before = self.ms.get_context("mode")
        self.ms.set_context(mode=self.ms.GRAPH_MODE)
        try:
            network = self._filled(source, values)
            for _ in range(2):
                self._output(network, [_turned(x) for x in inputs])
            return self._output(network, inputs)
        finally:
            self.ms.set_context(mode=before)

    def _filled(self, source, values):
        network = self._network(source).set_train(False)
        for parameter, value in zip(network.get_parameters(), values):
            parameter.set_data(self.ms.Tensor(value))
        return network

    def convert(self, source, how, inputs, training=False, again=False):
        """The effect of a conversion: ``before``, ``after``, the ``original`` afterwards, and converting ``again``.

        ``how`` is a level, or ``{"white_list": [...]}`` or ``{"black_list": [...]}`` with expressions, which may name
        classes of the program.
        """
        network = self._network(source).set_train(training)
        before, identity = self._facts(network, inputs), [id(p) for p in network.get_parameters()]
        converted = self._converted(network, how)
        found = {"before": before, "after": self._facts(converted, inputs)}
        found["same parameters"] = identity == [id(p) for p in converted.get_parameters()]
        found["in place"] = converted is network
        found["original"] = self._facts(network, inputs)
        if again:
            found["again"] = self._facts(self._converted(converted, how), inputs)
        return found

    def _converted(self, network, how):
        if isinstance(how, str):
            return self.ms.amp.auto_mixed_precision(network, how)
        lists = {key: [eval(text, {**self._program, **self.names}) for text in value] for key, value in how.items()}
        return self.ms.amp.custom_mixed_precision(network, **lists)

    def _facts(self, network, inputs):
        """A network's cells, Parameters and output; statistics are put back, so that it is left as it was."""
        before = [p.asnumpy().copy() for p in network.get_parameters()]
        found = {
            "cells": [[path, type(cell).__name__] for path, cell in network.cells_and_names() if path],
            "parameters": [[p.name, str(p.dtype), p.asnumpy().copy()] for p in network.get_parameters()],
            "output": self._output(network, inputs),
        }
        for parameter, value in zip(network.get_parameters(), before):
            parameter.set_data(self.ms.Tensor(value))
        return found

    def ran_in(self, source, how, inputs, probe, moved="inputs"):
        """The dtype in which a network sees its inputs or its Parameters, as ``probe`` finds it by moving them.

        ``how`` is a level or lists, by which the network is converted before; None: it is not.
        """
        network = self._network(source).set_train(False)
        network = network if how is None else self._converted(network, how)
        if moved == "inputs":
            return probe(network, *self._tensors(inputs))
        parameters = list(network.get_parameters())

        def output(*values):
            for parameter, value in zip(parameters, values):
                parameter.set_data(self.ms.Tensor(value))
            return network(*self._tensors(inputs))

        return probe(output, *[p.asnumpy() for p in parameters])

    def edit(self, source, edits, inputs):
        """The outputs of the network ``Net`` after edits of its SymbolTree, and by whom each of its values is read.

        A value is named by the attribute of its cell, ``v0`` of ``self.v0_cell``; the input, and an added cell, by its
        name. An edit is ``("insert", value, cell, reader)``: a new cell takes the value, and the reader takes its
        output; ``("replace", value, cell)``: another cell makes the value, under a new name where one follows;
        ``("erase", value)``: the readers of the value take its node's input, and the node goes;
        ``("link", value, other, reader)``: the reader takes the other value. ``cell`` is an expression.
        """
        tree = self.ms.rewrite.SymbolTree.create(self._made(source)["Net"]())
        for number, (kind, value, *rest) in enumerate(edits):
            getattr(self, "_" + kind)(tree, value, *rest, *([f"new{number}"] if kind == "insert" else []))
        users = {_value(node): sorted(map(_value, node.get_users())) for node in tree.nodes()}
        users.pop("return", None)
        network = tree.get_network()
        return [_array(network(self.ms.Tensor(x))) for x in inputs], users

    def _insert(self, tree, value, cell, reader, name):
        node, reads = _node(tree, value), self._named(value)
        made = self.ms.rewrite.Node.create_call_cell(eval(cell, self.names), [name], [reads], {}, name)
        tree.insert(tree.after(node), made)
        self._relink(_node(tree, reader), value, name)

    def _replace(self, tree, value, cell, name=None):
        node = _node(tree, value)
        reads = self._named(node.get_args()[0].value)
        made = self.ms.rewrite.Node.create_call_cell(
            eval(cell, self.names), [name or node.get_targets()[0].value], [reads], {}, "other_" + value
        )
        tree.replace(node, [made])

    def _erase(self, tree, value):
        node = _node(tree, value)
        for user in list(node.get_users()):
            self._relink(user, value, node.get_args()[0].value)
        (tree.erase if hasattr(tree, "erase") else tree.erase_node)(node)

    def _link(self, tree, value, other, reader):
        """Let a node read another value. Its name may mean a later value at the reader."""
        node, name = _node(tree, reader), _node(tree, value).get_targets()[0].value
        for i, arg in enumerate(node.get_args()):
            if arg.value == name:
                node.set_arg_by_node(i, _node(tree, other))

    def _relink(self, node, value, other):
        """Let a node read another value in each place where it reads one."""
        for i, arg in enumerate(node.get_args()):
            if arg.value == value:
                node.set_arg(i, self._named(other))

    def _named(self, name):
        return self.ms.rewrite.ScopedValue.create_naming_value(name)

    def rewrite(self, source, inputs, times=1):
        """The outputs of a network, and of the network rewritten so many times; None stands for an error."""
        network = rewritten = self._made(source)["Net"]()
        for _ in range(times):
            rewritten = self.ms.rewrite.SymbolTree.create(rewritten).get_network()
        return [[self._outcome(each, x) for x in inputs] for each in (network, rewritten)]

    def _outcome(self, network, x):
        try:
            with np.errstate(all="ignore"):
                return network(self.ms.Tensor(x)).asnumpy()
        except (TypeError, AttributeError, KeyError, ValueError, UnboundLocalError):
            return None

    # Training

    def train(self, source, optimizer, level, scale, course):
        """The state after each event of a course: the loss, the overflow, the scale, and everything else.

        An event is "good", a place of an overflow ("data", "forward" or "gradient"), or "resume": save a checkpoint,
        make all anew, load it; "pause" does nothing. ``scale`` is None or a tuple ``(start, factor, window)``.
        """
        self.ms.set_seed(1)
        step, found = self._step(source, optimizer, level, scale), []
        for number, event in enumerate(course):
            if event in ("resume", "pause"):
                step = self._resumed(step, source, optimizer, level, scale) if event == "resume" else step
                found.append({"event": event, "state": self._state(step)})
                continue
            found.append({"event": event, **self._stepped(step, event, number), "state": self._state(step)})
        return found

    def _step(self, source, optimizer, level, scale):
        network = self._network(source)
        made = eval(optimizer, dict(self.names, params=network.trainable_params()))
        manager = self.ms.amp.DynamicLossScaleManager(*scale) if scale else None
        return self.ms.amp.build_train_network(
            network, made, self.ms.nn.MSELoss(), level=level, loss_scale_manager=manager
        )

    def _stepped(self, step, event, number):
        poison = next((cell for _, cell in step.cells_and_names() if hasattr(cell, "spoils")), None)
        x, y = batch(number, event == "data")
        if poison is not None:
            poison.forwards = np.inf if event == "forward" else 1.0
            poison.backwards = np.inf if event == "gradient" else 1.0
        out = step(self.ms.Tensor(x), self.ms.Tensor(y))
        if not isinstance(out, tuple):
            return {"loss": _array(out), "overflow": None, "scale": None}
        return {"loss": _array(out[0]), "overflow": bool(out[1].asnumpy()), "scale": float(step.scale_sense.asnumpy())}

    def _state(self, step):
        """Every Parameter by its path; the loss scale's are under ``scale``."""
        state = {path: _array(p) for path, p in step.parameters_and_names()}
        of_scale = [path for path in state if path == "scale_sense" or path.startswith("loss_scaling_manager")]
        kept = {path: state.pop(path) for path in of_scale}
        return {"state": state, "scale": kept, "streams": self._streams()}

    def _streams(self):
        return None

    def _resumed(self, step, *how):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "step.ckpt")
            self.ms.save_checkpoint(step, path)
            streams = self._streams()
            fresh = self._step(*how)
            self.ms.load_param_into_net(fresh, self.ms.load_checkpoint(path))
        self._continue(streams)
        return fresh

    def _continue(self, streams):
        pass

    # Losses and optimizers

    def descend(self, optimizer, start, gradients):
        """The values of a Parameter after each step of an optimizer that is given these gradients."""
        return [value for (value,) in self.descend_groups(optimizer, [start], [[g] for g in gradients])]

    def descend_groups(self, optimizer, starts, gradients):
        """The values of several Parameters after each step of an optimizer that is given a gradient for each."""
        parameters = [self.ms.Parameter(self.ms.Tensor(x), name=f"w{i}") for i, x in enumerate(starts)]
        made, course = eval(optimizer, dict(self.names, params=parameters)), []
        for step in gradients:
            made(tuple(self._tensors(step)))
            course.append([parameter.asnumpy().copy() for parameter in parameters])
        return course


def batch(number, bad=False):
    """The data and labels of a step; with an inf where ``bad``."""
    rng = np.random.default_rng(number)
    x = rng.standard_normal((4, 3)).astype(np.float32)
    if bad:
        x[1, 2] = np.inf
    return x, rng.standard_normal((4, 3)).astype(np.float32)


def _turned(x):
    """An input with its elements in another order, where they are floating; whole numbers may be indices."""
    return x.ravel()[::-1].reshape(x.shape).copy() if x.dtype.kind == "f" else x


def _value(node):
    """The name of the value that a node makes, alone; "return" of the output."""
    return re.match(r"(?:input_|other_)?(.*?)(?:_cell)?(?:_\d+)?$", node.get_name()).group(1)


def _node(tree, value):
    return next(node for node in tree.nodes() if _value(node) == value)


def _sum(terms):
    return sum(terms[1:], terms[0])


def _arrays(found):
    return [_array(y) for y in (found if isinstance(found, (tuple, list)) else (found,))]


def _array(y):
    return np.array(y.asnumpy()) if hasattr(y, "asnumpy") else np.asarray(y)


def target():
    """MindSpore, in the process of its own Python."""
    import mindspore as ms

    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU", pynative_synchronize=True)
    return MindSpore(ms)
