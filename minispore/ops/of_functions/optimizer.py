"""Optimizers' steps for the rows of a Parameter that a gradient has; gradients of one row are added up first."""

from __future__ import annotations

from minispore.core.errors import type_error, value_error
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.ops import functional as F  # noqa: N812 - the field's name for it
from minispore.ops.functional._wrappers import make
from minispore.ops.number_checks import check_python_float
from minispore.ops.of_functions.base import OfFunction
from minispore.ops.operations.nn.apply_adaptive import ApplyAdagrad
from minispore.ops.operations.nn.apply_proximal import ApplyFtrl, ApplyProximalAdagrad
from minispore.ops.operations.nn.apply_update import Adam

__all__ = [
    "FusedSparseAdam",
    "FusedSparseFtrl",
    "FusedSparseLazyAdam",
    "FusedSparseProximalAdagrad",
    "SparseApplyAdagrad",
    "SparseApplyFtrl",
    "SparseApplyProximalAdagrad",
]


class _OfRows(OfFunction):
    """Base of steps for rows: the first inputs are Parameters of one shape, and are written."""

    tensors = 1

    def _rows(self, states, gradient, indices):
        """The rows that have a gradient, and the sum of each row's gradients."""
        if not all(isinstance(x, Parameter) for x in states):
            raise type_error(self.name, "the variable and its states must be Parameters", type(states[0]).__name__)
        if not isinstance(indices, Tensor) or indices.ndim != 1 or indices.dtype.np.kind not in "iu":
            raise type_error(self.name, "the 'indices' must be a Tensor of ints with 1 axis", type(indices).__name__)
        if gradient.shape != indices.shape + states[0].shape[1:]:
            wanted = indices.shape + states[0].shape[1:]
            raise value_error(self.name, f"the gradient must have the shape {wanted}", gradient.shape)
        rows, place = F.unique(indices)
        return rows, F.unsorted_segment_sum(gradient, place, rows.size)

    def _step(self, update, states, gradient, indices):
        """Write what ``update`` makes of the rows of the states, as Parameters, and of their gradients."""
        rows, gradient = self._rows(states, gradient, indices)
        parts = [Parameter(F.gather(x, rows, 0), name=x.name) for x in states]
        update(*parts, gradient)
        for x, part in zip(states, parts, strict=True):
            F.scatter_update(x, rows, part.value())
        return tuple(x.value() for x in states)


class SparseApplyAdagrad(_OfRows):
    """Adagrad for rows: ``SparseApplyAdagrad(lr)(var, accum, gradient, indices)``; ``ApplyAdagrad``'s formula.

    Shapes: (N, ...) for the variable and its states; K indices (K,) and gradients (K, ...). Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Args:
        lr (float): The rate.
        update_slots (bool): If False, accum stays as it is. Default: True.
        use_locking (bool): Accepted, without effect. Default: False.

    Raises:
        TypeError: If ``lr`` is not a float, ``update_slots`` or ``use_locking`` is not a bool, or the gradient or
            ``indices`` is not a Tensor. Also if the variable and its states are not Parameters.
        ValueError: If ``lr`` is not finite, the gradient does not have the shape that it needs, or an index is out of
            range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, accum = (ms.Parameter(ms.Tensor([[float(name == "p")]] * 2), name=name) for name in ("p", "accum"))
        >>> print(ops.SparseApplyAdagrad(0.1)(p, accum, ms.Tensor([[2.0]]), ms.Tensor([1], ms.int32))[0])
        [[1. ]
         [0.9]]
    """

    writes = (0, 1)

    def __init__(self, lr: float, update_slots: bool = True, use_locking: bool = False) -> None:
        self._keep(lr=check_python_float(self.name, "lr", lr), update_slots=update_slots, use_locking=use_locking)

    def run(self, var, accum, grad, indices) -> tuple[Tensor, ...]:
        """The new values of both."""
        step = make(ApplyAdagrad, self.update_slots)
        return self._step(lambda w, a, g: step(w, a, self.lr, g), (var, accum), grad, indices)


class SparseApplyFtrl(_OfRows):
    """FTRL for rows: ``SparseApplyFtrl(lr, l1, l2, lr_power)(var, accum, linear, gradient, indices)``, ``ApplyFtrl``.

    Shapes: (N, ...) for the variable and its states; K indices (K,) and gradients (K, ...). Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Args:
        lr (float): The rate, above 0.
        l1 (float): At least 0.
        l2 (float): At least 0.
        lr_power (float): At most 0.
        use_locking (bool): Accepted, without effect. Default: False.

    Raises:
        TypeError: If an argument is not a float, ``use_locking`` is not a bool, or the gradient or ``indices`` is not a
            Tensor. Also if the variable and its states are not Parameters.
        ValueError: If ``lr`` is not finite and above 0, or ``l1`` or ``l2`` is not finite and at least 0. Also if
            ``lr_power`` is not finite and at most 0, or the gradient does not have the shape that it needs.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, a, l = (ms.Parameter(ms.Tensor([[float(name != "l")]] * 2), name=name) for name in "pal")
        >>> print(ops.SparseApplyFtrl(0.1, 0.0, 0.0, -0.5)(p, a, l, ms.Tensor([[2.0]]), ms.Tensor([1], ms.int32))[0])
        [[1.        ]
         [0.46334368]]
    """

    writes = (0, 1, 2)

    def __init__(self, lr: float, l1: float, l2: float, lr_power: float, use_locking: bool = False) -> None:
        self._keep(lr=check_python_float(self.name, "lr", lr, 0, above=True), use_locking=use_locking)
        self._keep(l1=check_python_float(self.name, "l1", l1, 0), l2=check_python_float(self.name, "l2", l2, 0))
        self._keep(lr_power=check_python_float(self.name, "lr_power", lr_power, None, 0))

    def run(self, var, accum, linear, grad, indices) -> tuple[Tensor, ...]:
        """The new values of the three."""
        numbers = self.lr, self.l1, self.l2, self.lr_power
        return self._step(lambda *xs: make(ApplyFtrl)(*xs, *numbers), (var, accum, linear), grad, indices)


class FusedSparseFtrl(SparseApplyFtrl):
    """FTRL for rows, as ``SparseApplyFtrl``; gradients of one row are added up.

    Shapes: (N, ...) for the variable and its states; K indices (K,) and gradients (K, ...). Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Args:
        lr (float): The rate, above 0.
        l1 (float): At least 0.
        l2 (float): At least 0.
        lr_power (float): At most 0.
        use_locking (bool): Accepted, without effect. Default: False.

    Raises:
        TypeError: If an argument is not a float, ``use_locking`` is not a bool, or the gradient or ``indices`` is not a
            Tensor. Also if the variable and its states are not Parameters.
        ValueError: If ``lr`` is not finite and above 0, or ``l1`` or ``l2`` is not finite and at least 0. Also if
            ``lr_power`` is not finite and at most 0, or the gradient does not have the shape that it needs.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, a, l = (ms.Parameter(ms.Tensor([[float(name != "l")]] * 2), name=name) for name in "pal")
        >>> step = ops.FusedSparseFtrl(0.1, 0.0, 0.0, -0.5)
        >>> out = step(p, a, l, ms.Tensor([[1.0], [1.0]]), ms.Tensor([1, 1], ms.int32))
        >>> print(p.value())
        [[1.        ]
         [0.46334368]]
    """


class SparseApplyProximalAdagrad(_OfRows):
    """Proximal Adagrad for rows: ``SparseApplyProximalAdagrad()(var, accum, lr, l1, l2, gradient, indices)``.

    The formula is that of ``ApplyProximalAdagrad``.

    Shapes: (N, ...) for the variable and its states; K indices (K,) and gradients (K, ...). Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Args:
        use_locking (bool): Accepted, without effect. Default: False.

    Raises:
        TypeError: If ``use_locking`` is not a bool, the variable and its states are not Parameters, or an input holds
            no numbers. Also if an input is not a floating Tensor.
        ValueError: If the gradient does not have the shape that it needs, or an index is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, accum = (ms.Parameter(ms.Tensor([[float(name == "p")]] * 2), name=name) for name in ("p", "accum"))
        >>> step = ops.SparseApplyProximalAdagrad()
        >>> print(step(p, accum, 0.1, 0.0, 0.0, ms.Tensor([[2.0]]), ms.Tensor([1], ms.int32))[0])
        [[1. ]
         [0.9]]
    """

    writes = (0, 1)

    def __init__(self, use_locking: bool = False) -> None:
        self._keep(use_locking=use_locking)

    def run(self, var, accum, lr, l1, l2, grad, indices) -> tuple[Tensor, ...]:
        """The new values of both."""
        step = make(ApplyProximalAdagrad)
        return self._step(lambda w, a, g: step(w, a, lr, l1, l2, g), (var, accum), grad, indices)


class FusedSparseProximalAdagrad(SparseApplyProximalAdagrad):
    """Proximal Adagrad for rows, as ``SparseApplyProximalAdagrad``; gradients of one row are added up.

    Shapes: (N, ...) for the variable and its states; K indices (K,) and gradients (K, ...). Dtypes: floats, kept;
    TypeError for ints, bools and complex.

    Args:
        use_locking (bool): Accepted, without effect. Default: False.

    Raises:
        TypeError: If ``use_locking`` is not a bool, the variable and its states are not Parameters, or an input holds
            no numbers. Also if an input is not a floating Tensor.
        ValueError: If an input is not a number, or the gradient does not have the shape that it needs. Also if an index
            is out of range.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, accum = (ms.Parameter(ms.Tensor([[float(name == "p")]] * 2), name=name) for name in ("p", "accum"))
        >>> gradient, rows = ms.Tensor([[1.0], [1.0]]), ms.Tensor([1, 1], ms.int32)
        >>> step = ops.FusedSparseProximalAdagrad()
        >>> out = step(p, accum, ms.Tensor(0.1), ms.Tensor(0.0), ms.Tensor(0.0), gradient, rows)
        >>> print(p.value())
        [[1. ]
         [0.9]]
    """


class FusedSparseLazyAdam(_OfRows):
    """Adam for the rows that have a gradient: the moments of the others stay as they are.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: the variable, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, the gradient of rows, and indices.

    Args:
        use_locking (bool): Accepted, without effect. Default: False.
        use_nesterov (bool): Default: False.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m, v = (ms.Parameter(ms.Tensor([[float(name == "p")]] * 2), name=name) for name in "pmv")
        >>> rates = [ms.Tensor(x) for x in (0.9, 0.999, 0.1, 0.9, 0.999, 1e-8)]
        >>> step = ops.FusedSparseLazyAdam()
        >>> out = step(p, m, v, *rates, ms.Tensor([[2.0]]), ms.Tensor([1], ms.int32))
        >>> print(p.value())
        [[1.        ]
         [0.90000004]]
    """

    writes = (0, 1, 2)

    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None:
        self._keep(use_locking=use_locking, use_nesterov=use_nesterov)

    def run(self, var, m, v, power1, power2, lr, beta1, beta2, epsilon, gradient, indices) -> tuple[Tensor, ...]:
        """The new values of the three."""
        step, numbers = make(Adam, False, self.use_nesterov), (power1, power2, lr, beta1, beta2, epsilon)
        return self._step(lambda w, a, b, g: step(w, a, b, *numbers, g), (var, m, v), gradient, indices)


class FusedSparseAdam(FusedSparseLazyAdam):
    """Adam with a gradient of some rows, and of zero for the others, whose moments fade.

    Dtypes: floats, kept; TypeError for ints, bools and complex.

    Inputs: the variable, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, the gradient of rows, and indices.

    Args:
        use_locking (bool): Accepted, without effect. Default: False.
        use_nesterov (bool): Default: False.

    Examples:
        >>> import minispore as ms
        >>> from minispore import ops
        >>> p, m, v = (ms.Parameter(ms.Tensor([[float(name == "p")]] * 2), name=name) for name in "pmv")
        >>> rates = [ms.Tensor(x) for x in (0.9, 0.999, 0.1, 0.9, 0.999, 1e-8)]
        >>> step = ops.FusedSparseAdam()
        >>> out = step(p, m, v, *rates, ms.Tensor([[2.0]]), ms.Tensor([1], ms.int32))
        >>> print(p.value())
        [[1.        ]
         [0.90000004]]
    """

    def run(self, var, m, v, power1, power2, lr, beta1, beta2, epsilon, gradient, indices) -> tuple[Tensor, ...]:
        """The new values of the three."""
        rows, gradient = self._rows((var, m, v), gradient, indices)
        whole = F.tensor_scatter_update(F.zeros_like(var), rows.expand_dims(-1), gradient)
        make(Adam, False, self.use_nesterov)(var, m, v, power1, power2, lr, beta1, beta2, epsilon, whole)
        return var.value(), m.value(), v.value()
