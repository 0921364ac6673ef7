"""Primitive: an operation, as a value with three rules (infer, compute, bprop) and no state between calls.

``Primitive.__call__`` lowers precision, checks, computes, wraps and records. ``fast_call.of_two`` computes, wraps and
records too, for two Tensors like others that were checked before. It holds a copy of ``tape.record_outputs``,
since a call of it would cost small Tensors their time.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from minispore.core import backend, lone_operations  # noqa: F401 - it attaches itself to the layers
from minispore.core.dtype import REAL_NUMBERS
from minispore.core.errors import raise_in_words, type_error
from minispore.core.kernel_table import computed_as, kernel_for
from minispore.core.layers import BOTTOM
from minispore.core.primitive_attributes import Attributes
from minispore.core.primitive_inputs import Inputs
from minispore.core.running import running
from minispore.core.tape import record_outputs
from minispore.core.tensor import Tensor, wrap

__all__ = ["Primitive", "Spec"]

_BELOW = object()  # the bottom of the chain of layers passes it
REMEMBERED = 4096  # checked input specs that one primitive keeps before it forgets them all


class Spec(NamedTuple):
    """The shape of a Tensor (None for a length that depends on data) and its NumPy dtype, as ``infer`` knows them.

    Examples:
        >>> import numpy as np
        >>> from minispore import ops
        >>> ops.Spec((2, 3), np.dtype(np.float32))
        Spec(shape=(2, 3), dtype=dtype('float32'))
    """

    shape: tuple
    dtype: np.dtype


def described(args):
    """The key by which checked arguments are known, ``(module, dtype, shape, ..., value, ...)``, and their arrays."""
    key, arrays = [backend.xp], []
    for a in args:
        if isinstance(a, Tensor):
            a = a.array
            key += a.dtype, a.shape
        else:
            key.append(a)
        arrays.append(a)
    return tuple(key), arrays


class Primitive(Attributes, Inputs):
    """An operation on Tensors; subclasses give its rules.

    - ``infer(self, *specs)``: from the :class:`Spec` of each Tensor input (other inputs as values) the Spec of the
      output, or a tuple of them; raises the error for inputs that do not fit.
    - ``compute(self, xp, *arrays)``: from arrays (other inputs as values) the output array, or a tuple of them;
      ``xp`` is NumPy or CuPy.
    - ``bprop(self, x, y, ..., out, dout)``: from Tensors the gradient for each input, or None, written with operations.

    What a subclass declares: ``differentiable`` (has a bprop), ``random``, ``writes`` (the positions of inputs whose
    values the call replaces by its first outputs), ``variadic`` (takes one tuple of Tensors), ``autocast`` (whether a
    marked cell lowers its inputs) and ``complex_numbers`` (whether it takes them, and what its rule then is given).
    One that is differentiable without a bprop refuses: a gradient that is asked for through it is an error.
    Attributes may be set between calls, never during one.

    Args:
        name (str): The operation's name. Default: None, the name of the class.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> class Twice(ops.Primitive):
        ...     def infer(self, x):
        ...         return x
        ...
        ...     def compute(self, xp, x):
        ...         return 2 * x
        ...
        ...     def bprop(self, x, out, dout):
        ...         return (dout * 2,)
        >>> print(ms.grad(Twice())(ms.Tensor([1.0, 5.0])))
        [2. 2.]
        >>> print(Twice()(ms.Tensor([1.0, 5.0])))
        [ 2. 10.]
    """

    differentiable = True
    random = False
    writes = ()
    variadic = False
    autocast = True
    complex_numbers: str | None = None  # refused; "analytic": the rule holds between conjugates; "as written": as it is
    adapt: Any = None  # a method that makes the inputs fit one another (promotion) before they are checked

    def infer(self, *specs):
        """The Spec of the output; every primitive has this rule."""
        raise NotImplementedError(f"For '{self.name}', the rule 'infer' is not defined.")

    def compute(self, xp, *arrays):
        """The output arrays; every primitive has this rule."""
        raise NotImplementedError(f"For '{self.name}', the rule 'compute' is not defined.")

    def array_function(self, xp, *arrays):
        """``compute`` as a bare function of arrays like these."""
        return partial(self.compute if kernel_for(type(self), xp) is None else self._computed, xp)

    def bprop(self, *inputs_out_dout):
        """The gradients of the inputs; primitives that declare ``differentiable`` have this rule."""
        raise NotImplementedError(f"For '{self.name}', the rule 'bprop' is not defined.")

    _rule = _checked_bprop = bprop  # what is recorded; for a user's primitive ``ops/checked_gradients.py`` checks it

    def _rule_for(self, kinds):
        """The name of the rule to record for such NumPy dtypes: ``ops/number_kinds.py`` puts its knowledge here."""
        return "_rule"

    def __call__(self, *args: Any, below: object = None) -> Tensor | Any:
        """Lower, adapt, check, compute, wrap, record. ``_BELOW`` skips the layers that see the call as written."""
        now = running.__dict__  # one look-up of what is this thread's, instead of one for each field
        if below is not _BELOW and (below is not None or now["around_operation"] is not None):
            return self._seen(now["around_operation"], args, below)
        if now["cast"] is not None or self.adapt is not None or self.variadic:
            args = self._fitted(args, now["cast"])
        key, arrays = described(args)
        try:
            known = self._known.get(key)
        except TypeError:  # a list or an array, which cannot be remembered
            known = None
        rule, kernel = known or self._check(key, args)
        try:
            if (around := now["around_compute"]) is not None:
                result = around(self, args, arrays)
            elif kernel is None or (result := kernel(self, backend.xp, *arrays)) is None:
                result = self.compute(backend.xp, *arrays)
        except (IndexError, MemoryError, OverflowError, ValueError) as error:
            raise_in_words(self, error)
        out = wrap(result) if type(result) is backend.array_type else self._wrapped(result)
        if self.writes:
            return self._written(args, out, rule)
        if now["tape"] is not None and rule is not None:
            record_outputs(getattr(self, rule), args, out)
        return out

    def _fitted(self, args, mark):
        """The inputs spread out, cast as the running cell's mark asks, and adapted to one another."""
        if self.variadic:
            args = self._spread(args)
        if mark is not None and self.autocast:
            args = self._autocast(args, mark)
        return args if self.adapt is None else self.adapt(*args)

    def _seen(self, around, args, below):
        """Call through the layers. TypeError for a keyword of the user's: the chain of layers alone passes one."""
        if below is not None:
            raise type_error(self.name, "the inputs must be given by place", "the keyword 'below'")
        return around(self, args)

    def _computed(self, xp, *arrays):
        """The output arrays: ``compute``, or a device's kernel in its place."""
        return computed_as(type(self), self, xp, *arrays)

    def _wrapped(self, result):
        if type(result) is tuple:
            return tuple([self._wrapped(y) for y in result])
        return wrap(result if type(result) is backend.array_type else backend.as_array(self.name, result))

    def _check(self, key, args):
        """Let ``infer`` raise for inputs that do not fit, once for each combination of shapes, dtypes and values.

        Returns:
            tuple: the name of the method that is recorded, or None, and the device's kernel, or None. A primitive that
            kept its own method would hold itself.
        """
        specs = [Spec(a.array.shape, a.array.dtype) if isinstance(a, Tensor) else a for a in args]
        kinds = {s.dtype for s in specs if type(s) is Spec}
        rule = "_rule" if kinds <= REAL_NUMBERS else self._rule_for(kinds)
        self.infer(*specs)
        known = rule if self.differentiable else None, kernel_for(type(self), backend.xp)
        if len(self._known) >= REMEMBERED:
            self._known.clear()
        with suppress(TypeError):
            self._known[key] = known
        return known


BOTTOM["around_operation"] = lambda primitive, args: Primitive.__call__(primitive, *args, below=_BELOW)
