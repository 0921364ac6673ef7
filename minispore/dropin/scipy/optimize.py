"""Minimization of a function of one Tensor by BFGS, and by L-BFGS, which keeps a few steps in place of a matrix."""

import math
from collections import deque
from typing import NamedTuple

import numpy as np

from minispore.core.checks import check_choice, check_int
from minispore.core.dtype import FLOATS
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.dropin.scipy.line_search import Point, line_search
from minispore.ops.functional.gradients import grad
from minispore.ops.number_checks import check_real, is_real
from minispore.ops.object_checks import check_callable

__all__ = ["minimize"]


class OptimizeResults(NamedTuple):
    """The end of a minimization: ``status`` is 0 at a minimum, 1 after ``maxiter`` steps, 5 if no step goes down."""

    x: Tensor
    success: bool
    status: int
    fun: float
    jac: Tensor
    hess_inv: object
    nfev: int
    njev: int
    nit: int


class _Matrix:
    """The estimate of BFGS of the inverse Hessian."""

    def __init__(self, size, kind, maxcor):
        self.inverse = np.eye(size, dtype=kind)

    def times(self, gradient):
        """The estimate times a gradient."""
        return self.inverse @ gradient

    def learn(self, move, change):
        """Take the gradient's ``change`` over a ``move`` into the estimate."""
        weight = 1 / (change @ move)
        left = np.eye(len(move), dtype=move.dtype) - weight * np.outer(move, change)
        self.inverse = left @ self.inverse @ left.T + weight * np.outer(move, move)

    def as_tensor(self):
        """The estimate as a Tensor."""
        return Tensor(self.inverse)


class _Steps:
    """The last ``maxcor`` moves and changes, from which L-BFGS computes its estimate's products."""

    def __init__(self, size, kind, maxcor):
        self.pairs = deque(maxlen=maxcor)

    def times(self, gradient):
        """The estimate times a gradient: two loops over the pairs (Nocedal and Wright, algorithm 7.4)."""
        shares = []
        for move, change in reversed(self.pairs):
            shares.append((move @ gradient) / (move @ change))
            gradient = gradient - shares[-1] * change
        if self.pairs:
            move, change = self.pairs[-1]
            gradient = gradient * ((move @ change) / (change @ change))
        for (move, change), share in zip(self.pairs, reversed(shares), strict=True):
            gradient = gradient + move * (share - (change @ gradient) / (move @ change))
        return gradient

    def learn(self, move, change):
        """Keep a move and the gradient's change over it."""
        self.pairs.append((move, change))

    def as_tensor(self):
        """None: there is no matrix."""


_SHARED = {"maxiter": None, "norm": math.inf, "gtol": 1e-5, "line_search_maxiter": 10}
_METHODS = {"bfgs": (_Matrix, _SHARED), "lbfgs": (_Steps, {**_SHARED, "maxcor": 10})}


def minimize(
    func,
    x0,
    args=(),
    method=None,
    jac=None,
    hess=None,
    hessp=None,
    bounds=None,
    constraints=(),
    tol=None,
    callback=None,
    options=None,
):
    """The minimum of ``func(x, *args)`` that is reached from ``x0`` by going down.

    Args:
        func (Callable): A function of a Tensor of one axis; its answer is one number.
        x0 (Tensor): Where to start, of one axis and floating.
        args (tuple): Further arguments of ``func``. Default: ().
        method (str): "BFGS" or "LBFGS", in small or capital letters.
        jac (Callable): The gradient of ``func``, with the same arguments. Default: None, it is derived.
        hess (object): Not used, as ``hessp``, ``bounds``, ``constraints`` and ``callback``. Default: None.
        hessp (object): Not used. Default: None.
        bounds (object): Not used. Default: None.
        constraints (object): Not used. Default: ().
        tol (float): The gradient's norm at which to stop, where ``options`` has no "gtol". Default: None.
        callback (object): Not used. Default: None.
        options (dict): "maxiter" (steps; default 200 for each number of x), "gtol" (default 1e-5), "norm" (the order
            of the gradient's norm; default inf), "line_search_maxiter" (default 10), with "LBFGS" also "maxcor" (how
            many steps are kept; default 10). Default: None.

    Returns:
        A named tuple ``(x, success, status, fun, jac, hess_inv, nfev, njev, nit)``.

    Raises:
        TypeError: If an argument is of a wrong kind, or there is no such option.
        ValueError: If there is no such method, or x0 has not one axis.

    Examples:
        >>> import minispore as ms
        >>> from minispore.scipy.optimize import minimize
        >>> found = minimize(lambda x: ((x - 2) ** 2).sum(), ms.ops.zeros(2), method="BFGS")
        >>> print(found.x, found.success)
        [2. 2.] True
    """
    estimate, settings = _method(method, tol, options)
    check_callable("minimize", "func", func), _check_start(x0, args)
    jac = grad(func) if jac is None else check_callable("minimize", "jac", jac)

    def at(x):
        x = Tensor(x.astype(x0.dtype.np))
        return float(func(x, *args).asnumpy()), jac(x, *args).asnumpy()

    return _descend(at, x0.asnumpy(), estimate, settings)


def _method(method, tol, options):
    """The kind of estimate, and the options with their defaults."""
    if not isinstance(method, str):
        raise value_error("minimize", f"the 'method' must be one of {[m.upper() for m in _METHODS]}", shown(method))
    check_choice("minimize", "method", method.lower(), _METHODS)
    estimate, defaults = _METHODS[method.lower()]
    if tol is not None:
        defaults = {**defaults, "gtol": tol}
    options = {} if options is None else options
    if not isinstance(options, dict) or options.keys() - defaults.keys():
        raise type_error("minimize", f"the 'options' must be a dict with keys of {list(defaults)}", shown(options))
    settings = {**defaults, **{key: value for key, value in options.items() if value is not None}}
    check_real("minimize", "gtol", settings["gtol"], 0)
    if not is_real(settings["norm"]):
        raise type_error("minimize", "the 'norm' must be a number", shown(settings["norm"]))
    for key in settings.keys() - {"gtol", "norm"}:
        if settings[key] is not None:
            check_int("minimize", key, settings[key], low=0 if key == "maxiter" else 1)
    return estimate, settings


def _check_start(x0, args):
    if not isinstance(x0, Tensor) or x0.dtype.np not in FLOATS:
        raise type_error("minimize", "the 'x0' must be a floating Tensor", shown(x0))
    if x0.ndim != 1:
        raise value_error("minimize", "the 'x0' must have one axis", f"shape {x0.shape}")
    if not isinstance(args, tuple):
        raise type_error("minimize", "the 'args' must be a tuple", shown(args))


def _descend(at, x, estimate, settings):
    """Steps along the estimate's direction until the gradient is small, no step goes down, or there were enough."""
    estimate = estimate(x.size, x.dtype, settings.get("maxcor"))
    steps, calls, status = 0, 1, 0
    value, gradient = at(x)
    before = value + float(np.linalg.norm(gradient)) / 2  # as if the last step had gone down by this much
    most = 200 * x.size if settings["maxiter"] is None else settings["maxiter"]
    while not np.linalg.norm(gradient, settings["norm"]) < settings["gtol"] and not status:
        if steps == most:
            status = 1
            break
        direction = -estimate.times(gradient)
        start = Point(0.0, value, float(gradient @ direction), gradient)
        found, count = _step(at, x, direction, start, before, settings["line_search_maxiter"])
        calls += count
        if found is None:
            status = 5
            break
        move, change = found.step * direction, found.kept - gradient
        before, value, gradient, x = value, found.value, found.kept, (x + move).astype(x.dtype)
        if change @ move > 0:
            estimate.learn(move, change)
        steps += 1
    inverse = estimate.as_tensor()
    return OptimizeResults(Tensor(x), status == 0, status, value, Tensor(gradient), inverse, calls, calls, steps)


def _step(at, x, direction, start, before, most):
    """The Point of a good step along the direction, or None, and how often the function was computed.

    ``start`` is the Point at step 0, ``before`` the function's value before the last step.
    """
    count = 0
    if not start.slope < 0:
        return None, count

    def along(step):
        nonlocal count
        count += 1
        value, gradient = at(x + step * direction)
        return Point(step, value, float(gradient @ direction), gradient)

    first = 2.02 * (start.value - before) / start.slope
    first = first if 0 < first < 1 else 1.0
    return line_search(along, start, first, most), count
