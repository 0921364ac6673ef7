"""Running a file's graph: its nodes in order, each by the callable that its primitive means.

A function may read values of the graph around it. So a value that is a function has, beside its first inputs, the
values of those graphs that it or what it calls reads from.
"""

from typing import Any, NamedTuple

import numpy as np

from minispore.core.errors import escaped, is_own_sentence, shown
from minispore.core.tensor import Tensor
from minispore.data.serialization.mindir.calls import call_of, is_known, truth
from minispore.data.serialization.mindir.model import Model, decoded
from minispore.data.serialization.mindir.names import check_names, outer_graphs
from minispore.nn.graph_cell import FuncGraph

__all__ = []

_FLOW = ("Partial", "Switch")  # values that are functions
_DEEPEST = 100  # calls of functions inside one another


class _Function(NamedTuple):
    """A function of the file, by name; its first inputs; the values of the graphs around it, by graph and name."""

    name: str
    given: tuple
    around: dict


class _TailCall(NamedTuple):
    """A call of another function, whose result a function returns."""

    function: Any
    inputs: tuple


class LoadedGraph(FuncGraph):
    """The graph of a file: a function of inputs and Parameters.

    Raises:
        ValueError: If it is not sound, or has an operation that minispore has not; the message continues "the file
            must".
    """

    def __init__(self, model: Model) -> None:
        graphs = [model.graph, *model.functions.values()]
        _check_kinds(model.primitives)
        self.functions = {graph.name: graph for graph in graphs}
        self.homes = check_names(graphs, model.primitives)
        self.outer = outer_graphs(graphs, self.homes)
        self.parameters = dict(pair for graph in graphs for pair in graph.parameters.values())
        self.kinds = {name: p.kind for name, p in model.primitives.items()}
        self.calls = {name: _made(p) for name, p in model.primitives.items() if p.kind not in _FLOW}
        nodes = [node for graph in graphs for node in graph.nodes if node.operation is None]
        self.constants = {node.output: _constant(node.value) for node in nodes}
        self.main = model.graph.name
        self.locals = {local: own for graph in graphs for local, (own, _) in graph.parameters.items()}

    def __call__(self, inputs: tuple[Any, ...], parameters: dict[str, Any]) -> Any:
        """The outputs for ``inputs``, with ``parameters`` by their own names."""
        expected = len(self.functions[self.main].inputs)
        if len(inputs) != expected:
            raise RuntimeError(f"For 'GraphCell', there must be {expected} inputs, but got {len(inputs)}.")
        run = _Run(self, {local: parameters[own] for local, own in self.locals.items()})
        return run.called(_Function(self.main, (), {}), tuple(inputs), _DEEPEST)


class _Run:
    """One run of a graph, with its Parameters by their names within the file."""

    def __init__(self, file, parameters):
        self.file, self.outside = file, {**file.constants, **parameters}

    def called(self, function, inputs, left):
        """The result of a function; a call that ends it is not a call inside it."""
        if not left:
            raise RuntimeError(f"For 'GraphCell', functions must call at most {_DEEPEST} deep, but got deeper calls.")
        while True:
            graph, given = self.file.functions[function.name], (*function.given, *inputs)
            if len(given) != len(graph.inputs):
                expected = f"'{escaped(graph.name[:40])}' must have {len(graph.inputs)} inputs"
                raise RuntimeError(f"For 'GraphCell', {expected}, but got {len(given)}.")
            own = dict(zip([x.name for x in graph.inputs], given, strict=True))
            out = self._result(graph, {**function.around, graph.name: own}, own, left)
            if not isinstance(out, _TailCall):
                return out
            function, inputs = out

    def _result(self, graph, around, own, left):
        """The output of a graph; ``own`` are its values, ``around`` all that its nodes may read."""
        last = graph.outputs[0].name
        for node in graph.nodes:
            if node.operation is None:
                continue
            inputs = tuple([self._found(name, around) for name in node.inputs])
            kind = self.file.kinds.get(node.operation)
            if kind is not None:
                own[node.output] = self._computed(kind, node.operation, inputs)
                continue
            function = _callable(self._found(node.operation, around))
            if node.output == last and node is graph.nodes[-1]:
                return _TailCall(function, inputs)
            own[node.output] = self.called(function, inputs, left - 1)
        return self._found(last, around)

    def _found(self, name, around):
        if name in self.outside:
            return self.outside[name]
        if name in self.file.functions:
            outer = self.file.outer[name]
            return _Function(name, (), {graph: values for graph, values in around.items() if graph in outer})
        return around[self.file.homes[name]][name]

    def _computed(self, kind, operation, inputs):
        """The result of a primitive; what is wrong with its inputs is told in a sentence."""
        try:
            return _flown(kind, inputs) if kind in _FLOW else self.file.calls[operation](*inputs)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            if is_own_sentence(error):
                raise
            expected = f"the inputs of '{escaped(kind[:40])}' must be what it computes with"
            raise RuntimeError(f"For 'GraphCell', {expected}, but got: {shown(error, str, 200)}.") from error


def _flown(kind, inputs):
    """The function that a primitive of control makes or chooses."""
    if kind == "Partial":
        function, *given = inputs
        function = _callable(function)
        return function._replace(given=(*function.given, *given))
    condition, yes, no = inputs
    return yes if truth(condition) else no


def _constant(value):
    return Tensor(value) if isinstance(value, np.ndarray) else value


def _callable(value):
    if not isinstance(value, _Function):
        raise RuntimeError(f"For 'GraphCell', the graph must call functions, but got {shown(value)}.")
    return value


def _check_kinds(primitives):
    missing = sorted({p.kind for p in primitives.values() if p.kind not in _FLOW and not is_known(p.kind)})
    if missing:
        raise ValueError(f"hold operations that minispore has, but got {shown(', '.join(missing), str, 200)}")


def _made(primitive):
    """The callable of a primitive."""
    try:
        return call_of(primitive)
    except (TypeError, ValueError) as error:
        reason = shown(error, str, 200)
        raise ValueError(f"hold attributes that '{primitive.kind:.40}' takes, but got: {reason}") from error


def graph_of(data):
    """The :class:`LoadedGraph` of a file's bytes.

    Raises:
        ValueError: If it is none; the message continues "the file must".
    """
    return LoadedGraph(decoded(data))
