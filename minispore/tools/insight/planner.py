"""The planner: the exactness of a network at each level, and the classes to keep in float32 for a target."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from minispore import nn
from minispore.amp.lowbit.recipe import as_recipe
from minispore.amp.policy.levels import AS_A_WHOLE, AS_IT_IS, names
from minispore.core.dtype import bfloat16
from minispore.ops.number_checks import check_real
from minispore.tools.insight.form_errors import FormError, error_of, exact
from minispore.tools.insight.forms import MOST, checked_subject, run_of
from minispore.tools.insight.non_finite import NonFinite
from minispore.tools.insight.numerics import power_text
from minispore.tools.insight.operator_stats import check_alone

__all__ = ["Plan", "PlanStep", "plan"]

_INFINITE, _FREE = 1e30, 1e-3  # an error that counts as infinite, and a share that counts as 0


class PlanStep(NamedTuple):
    """A step of the search: a class was added to the black list, or dropping one was tried.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3, weight_init="ones"), ms.nn.ReLU(), ms.nn.Dense(3, 1))
        >>> found = ms.insight.plan(net, ms.nn.MSELoss(), (ms.ops.ones((4, 2)), ms.ops.zeros((4, 1))))
        >>> print(found.steps[0].action, found.steps[0].black_list)
        begin ()
    """

    action: str  # "begin", "add", "drop" (not needed) or "keep" (needed for the target)
    cell_class: str  # the name of the class; "" to begin with
    black_list: tuple  # the names of the classes that ``error`` was measured with
    error: float

    def __str__(self) -> str:
        tried = "nothing in float32" if not self.black_list else f"{', '.join(self.black_list)} in float32"
        done = f"{self.action} {self.cell_class}".strip()
        return f"{done}: {tried}, error {self.error:.3g}"


@dataclass(frozen=True)
class Plan:
    """The exactness of a network in each form, and the black list that makes it exact enough; ``str`` is a table.

    Attributes:
        target (float): The error to stay within, of the loss and of the gradients.
        forms (tuple): The :class:`FormError` of float32, of each level, of the whole network in bfloat16, and of each
            recipe of low bits.
        steps (tuple): The :class:`PlanStep` of the search.
        black_list (tuple): The classes of cells to keep in float32; all are needed. None if no list of the network's
            classes meets the target.
        found (FormError): The :class:`FormError` with that list, or None.
        line (str): The line of Python that converts ``network`` so, of ``ms`` and the user's own classes; None without.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3, weight_init="ones"), ms.nn.ReLU(), ms.nn.Dense(3, 1))
        >>> found = ms.insight.plan(net, ms.nn.MSELoss(), (ms.ops.ones((4, 2)), ms.ops.zeros((4, 1))))
        >>> print(found.black_list, found.line)
        () network = ms.amp.auto_mixed_precision(network, "O3")
    """

    target: float
    forms: tuple
    steps: tuple
    black_list: tuple
    found: FormError
    line: str

    def __str__(self) -> str:
        rows, width = self.rows, max(len(row.name) for row in self.rows)
        header = f"{'form':<{width}}       error        loss   gradients  float32  loss scale  worst layer"
        table = [header, *(_line(row, width) for row in rows)]
        if any(row.seconds is not None for row in rows):
            table += [f"{row.name:<{width}}  {1e3 * row.seconds:.3g} ms, {row.bytes / 2**20:.3g} MiB" for row in rows]
        return "\n".join([*table, *map(str, self.steps), self.sentence])

    @property
    def rows(self) -> Any:
        """The :class:`FormError` of each line of the table; the black list's is last, unless the list is empty."""
        return (*self.forms, self.found) if self.black_list else self.forms

    @property
    def sentence(self) -> Any:
        """The conclusion: a line of Python, or that no list is enough."""
        if self.line is not None:
            return f"Within {self.target:g} with: {self.line}"
        none = f"No black list keeps the network's error within {self.target:g}"
        if math.isinf(self.forms[0].error):
            return f"{none}, and that of float32 is infinite."
        return f"{none}: leave it in float32."


def _line(row, width):
    layer, worst = row.worst_layer
    scale = "none" if row.scale is None else power_text(row.scale)
    numbers = f"{row.error:>10.3g}  {row.loss:>10.3g}  {row.gradients:>10.3g}  {row.float32_share:>7.1%}  {scale:>10}"
    return f"{row.name:<{width}}  {numbers}  {layer} ({worst:.3g})"


def plan(network, loss_fn, batch: tuple[Any, ...], target: float = 1e-2, recipes: tuple[Any, ...] = ()) -> Any:
    """Measure each level of mixed precision against a float64 reference, and find the shortest sufficient black list.

    The error of a form of the network is the larger of two errors: of the loss, and of all gradients as one vector.
    Each is the L2 difference from float64's over their L2 norm, for one batch in training. The loss scale is the
    greatest up to 2**24 at which the gradients are finite. The black list begins empty, as O3 is. Classes of cells are
    added until the target is met. Each time the class is taken that lowers the error most for its share of float32
    numbers. Then each class that proves idle is dropped. Afterwards everything is restored.

    Args:
        network (Cell): The network, not converted yet.
        loss_fn (Union[None, Cell]): The loss; None if the network's output is the loss.
        batch (tuple): The inputs: of ``network`` and ``loss_fn``, data and label.
        target (float): The greatest error, above 0. Default: 0.01.
        recipes (tuple[Recipe]): Recipes of low bits, or their texts. Each is measured at O0, and the table lists them
            from the most exact to the least. Default: ().

    Returns:
        Plan.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If the network has been converted or has no Parameters to train, or ``target`` is not above 0.
        RuntimeError: If something else observes the operations, or graph mode records them.

    Examples:
        >>> import minispore as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 3, weight_init="ones"), ms.nn.ReLU(), ms.nn.Dense(3, 1))
        >>> found = ms.insight.plan(net, ms.nn.MSELoss(), (ms.ops.ones((4, 2)), ms.ops.zeros((4, 1))))
        >>> found.black_list, found.line
        ((), 'network = ms.amp.auto_mixed_precision(network, "O3")')
    """
    subject = checked_subject("plan", network, loss_fn, batch)
    check_real("plan", "target", target, 0, above=True)
    check_alone("plan")
    recipes = [as_recipe("plan", recipe) for recipe in recipes]
    search = _Search(subject, target)
    forms = (*search.levels(), *sorted(search.recipes(recipes), key=lambda form: form.error))
    black_list = search.shortest()
    found = None if black_list is None else search.known(black_list)
    return Plan(target, forms, tuple(search.steps), black_list, found, _line_of(black_list))


class _Search:
    """The measured forms, and the steps of the search so far."""

    def __init__(self, subject, target):
        self.subject, self.target, self.steps = subject, target, []
        self._expected = exact(subject)
        self._known, self._ran = {}, set()

    def levels(self):
        """The errors of the levels, float32 first; the level without kept classes is the empty black list."""
        yield self._error("float32", self.subject.at_level(AS_IT_IS.name))
        for name in names():
            if name == AS_A_WHOLE.name:
                yield self.known(())
            elif name != AS_IT_IS.name:
                yield self._error(name, self.subject.at_level(name))
        yield self._error("bfloat16", self.subject.all_but((), bfloat16))

    def recipes(self, recipes):
        """The errors of recipes of low bits."""
        for recipe in recipes:
            yield self._error(str(recipe), self.subject.by_recipe(recipe)[0])

    def _error(self, name, form):
        return error_of(name, form, self.subject, self._expected)[0]

    def known(self, black_list):
        """The error with a black list."""
        key = frozenset(black_list)
        if key not in self._known:
            first = next((int(math.log2(e.scale)) for e in reversed(self._known.values()) if e.scale), MOST)
            form = self.subject.all_but(black_list)
            name = f"all but {', '.join(map(_name, black_list))}" if black_list else AS_A_WHOLE.name
            self._known[key], ran = error_of(name, form, self.subject, self._expected, first)
            self._ran |= ran
        return self._known[key]

    def shortest(self):
        """The black list, or None."""
        black_list = ()
        self._note("begin", None, black_list)
        while not self._meets(black_list):
            kind = self._next(black_list)
            if kind is None:
                return None
            black_list = (*black_list, kind)
            self._note("add", kind, black_list)
        return self._pruned(black_list)

    def _meets(self, black_list):
        return self.known(black_list).error <= self.target

    def _note(self, action, kind, black_list):
        names = tuple(map(_name, black_list))
        self.steps.append(PlanStep(action, "" if kind is None else _name(kind), names, self.known(black_list).error))

    def _candidates(self, black_list):
        """The unlisted classes of the cells that run inside the network, in its order."""
        ran, network = {type(cell) for cell in self._ran}, self.subject.network
        kinds = dict.fromkeys(type(cell) for _, cell in network.cells_and_names())
        return [kind for kind in kinds if kind in ran and kind not in black_list and not isinstance(network, kind)]

    def _next(self, black_list):
        """The class to add: the one that overflows first, otherwise the one with the best gain; or None."""
        further = self._candidates(black_list)
        if math.isinf(self.known(black_list).error):
            first = self._first_to_overflow(black_list)
            if first in further:
                return first
        return max(further, key=lambda kind: self._gain(black_list, (*black_list, kind)), default=None)

    def _first_to_overflow(self, black_list):
        """The class, among the candidates, of the innermost cell with the first non-finite result."""
        seen, candidates = NonFinite(None), self._candidates(black_list)
        run_of(self.subject.all_but(black_list), self.subject, observer=seen)
        event = seen.origin().event
        cells = [type(cell) for cell, _ in event.site.cells] if event else []
        return next((kind for kind in reversed(cells) if kind in candidates), None)

    def _gain(self, shorter, longer):
        """The factor of the error's fall, down to the target, per share of numbers in float32."""
        before, after = self.known(shorter), self.known(longer)
        fall = math.log(min(before.error, _INFINITE) / min(max(after.error, self.target), _INFINITE))
        return fall / max(after.float32_share - before.float32_share, _FREE)

    def _pruned(self, black_list):
        """The list without idle classes; the classes with the most numbers are tried first."""
        for kind in sorted(black_list, key=lambda kind: -self.known((kind,)).float32_share):
            fewer = tuple(other for other in black_list if other is not kind)
            idle = self._meets(fewer)
            self._note("drop" if idle else "keep", kind, fewer)
            if idle:
                return self._pruned(fewer)
        return black_list


def _name(kind):
    return kind.__name__


def _line_of(black_list):
    if black_list is None:
        return None
    if not black_list:
        return f'network = ms.amp.auto_mixed_precision(network, "{AS_A_WHOLE.name}")'
    kinds = [f"ms.nn.{_name(kind)}" if getattr(nn, _name(kind), None) is kind else _name(kind) for kind in black_list]
    return f"network = ms.amp.custom_mixed_precision(network, black_list=[{', '.join(kinds)}])"
