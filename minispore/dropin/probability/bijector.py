"""Bijectors: smooth functions with an inverse, and the logarithms of their derivatives, which densities change by.

All compute in float32 at least, and round once to the dtype of their input.
"""

import numpy as np

from minispore.core.checks import check_bool, check_text
from minispore.core.dtype import FLOATS, float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the conventional name

__all__ = ["Bijector", "Exp", "GumbelCDF", "Invert", "PowerTransform", "ScalarAffine", "Softplus"]

_METHODS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


class Bijector(Cell):
    """Base of bijectors: a subclass has ``_forward``, ``_inverse`` and the logarithms of their derivatives.

    Args:
        is_constant_jacobian (bool): Whether the derivative is the same everywhere. Default: False.
        is_injective (bool): Whether each value has one inverse. Default: True.
        name (str): Default: None, the class's name.
        dtype (mindspore.dtype): That of the parameters and of values; None for any floating one. Default: None.
        param (dict): Kept as ``parameters``. Default: None.

    Inputs:
        - **name** (str) - "forward", "inverse", "forward_log_jacobian" or "inverse_log_jacobian".
        - **value** (Tensor) - Of a floating dtype.

    Outputs:
        What the method of that name gives.

    Raises:
        TypeError: If an argument is of a wrong kind.
        NotImplementedError: If there is no such method.
    """

    def __init__(self, is_constant_jacobian=False, is_injective=True, name=None, dtype=None, param=None):
        super().__init__(auto_prefix=False)
        kind = type(self).__name__
        self.name = kind if name is None else check_text(kind, "name", name)
        self.is_constant_jacobian = check_bool(kind, "is_constant_jacobian", is_constant_jacobian)
        self.is_injective = check_bool(kind, "is_injective", is_injective)
        self.dtype, self.parameters = dtype, {} if param is None else dict(param)
        self._common = dtype  # of the parameters; without ``dtype`` that of the first

    def construct(self, name, value):
        """The method ``name`` of the value."""
        if name not in _METHODS:
            raise NotImplementedError(f"For '{type(self).__name__}', {shown(name)} is not defined.")
        return getattr(self, name)(value)

    def forward(self, value):
        """The function of each value."""
        return self._answer("forward", value)

    def inverse(self, value):
        """The value of which the function is this one."""
        return self._answer("inverse", value)

    def forward_log_jacobian(self, value):
        """The logarithm of the absolute derivative of :meth:`forward`."""
        return self._answer("forward_log_jacobian", value)

    def inverse_log_jacobian(self, value):
        """The logarithm of the absolute derivative of :meth:`inverse`."""
        return self._answer("inverse_log_jacobian", value)

    def _answer(self, method, value):
        """A formula of the subclass's, in float32 at least."""
        kind = type(self).__name__
        self._check_value_dtype(value)
        if self.dtype is not None and value.dtype != self.dtype:
            raise type_error(kind, f"the 'value' must be a Tensor of {self.dtype}", value.dtype)
        if not hasattr(self, f"_{method}"):
            raise NotImplementedError(f"For '{kind}', '{method}' is not defined.")
        wide = value.astype(float32) if value.array.dtype.itemsize < float32.np.itemsize else value
        return getattr(self, f"_{method}")(wide).astype(value.dtype)

    # For a user's bijector

    def _check_value_dtype(self, value):
        """The value, which must be a Tensor of a floating dtype."""
        if not isinstance(value, Tensor) or value.array.dtype not in FLOATS:
            found = value.dtype if isinstance(value, Tensor) else type(value).__name__
            raise type_error(type(self).__name__, "the 'value' must be a Tensor of a floating dtype", found)
        return value

    def _add_parameter(self, value, name):
        """A parameter as a Tensor: arrays keep their dtype, numbers and lists are float32; all must be of one dtype."""
        number = self._number(name, value)
        made = Tensor(value) if isinstance(value, (np.ndarray, np.floating)) else number
        if self._common not in (None, made.dtype):
            raise type_error(type(self).__name__, f"the '{name}' must be of {self._common}", made.dtype)
        self._common = made.dtype
        return made

    def cast_param_by_value(self, value, para):
        """A parameter in the dtype of a value."""
        return para.astype(value.dtype)

    def _number(self, argument, value):
        """A parameter as a Tensor; TypeError unless it is one of floats, or a float, or a list or array of them."""
        array = value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)
        if array.dtype.kind != "f" and array.dtype not in FLOATS:
            raise type_error(type(self).__name__, f"the '{argument}' must be a float, or floats", shown(value))
        return value if isinstance(value, Tensor) else Tensor(array, float32)

    def _check(self, argument, value, holds, expected):
        if not holds(value.asnumpy()).all():
            raise value_error(type(self).__name__, f"the '{argument}' must be {expected}", shown(value))


class PowerTransform(Bijector):
    """``forward(x) = (1 + power * x) ** (1 / power)``, and ``exp(x)`` where the power is 0.

    Args:
        power (Union[float, list, numpy.ndarray, Tensor]): At least 0. Default: 0.0.
        name (str): Default: "PowerTransform".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a power is below 0.

    Examples:
        >>> import minispore as ms
        >>> from minispore.nn.probability.bijector import PowerTransform
        >>> print(PowerTransform(0.5).forward(ms.Tensor([1.0, 2.0])))
        [2.25 4.  ]
    """

    def __init__(self, power=0.0, name="PowerTransform"):
        super().__init__(name=name, param={"power": power})
        self.power = self._number("power", power)
        self._check("power", self.power, lambda p: p >= 0, "at least 0")
        self._is_zero = F.equal(self.power, 0.0)
        self._divisor = F.select(self._is_zero, F.ones_like(self.power), self.power)

    def extend_repr(self):
        return f"power = {self.parameters['power']}"

    def _by_power(self, value, at_zero, elsewhere):
        """The limit where the power is 0, and the formula elsewhere; each sees 1 in the place of the other's values.

        Both are computed everywhere, and a gradient of zero times nan would be nan.
        """
        shape = np.broadcast_shapes(self._is_zero.shape, value.shape)
        zero, value = F.broadcast_to(self._is_zero, shape), F.broadcast_to(value, shape)
        one = F.ones_like(value)
        return F.select(zero, at_zero(F.select(zero, value, one)), elsewhere(F.select(zero, one, value)))

    def _forward(self, x):
        return self._by_power(x, F.exp, lambda x: F.exp(F.log1p(self._divisor * x) / self._divisor))

    def _inverse(self, y):
        return self._by_power(y, F.log, lambda y: F.expm1(self._divisor * F.log(y)) / self._divisor)

    def _forward_log_jacobian(self, x):
        return self._by_power(x, F.identity, lambda x: (1 / self._divisor - 1) * F.log1p(self._divisor * x))

    def _inverse_log_jacobian(self, y):
        return (self.power - 1) * F.log(y)


class Exp(PowerTransform):
    """``forward(x) = exp(x)``.

    Args:
        name (str): Default: "Exp".

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.probability.bijector.Exp().forward(ms.Tensor([0.0])))
        [1.]
    """

    def __init__(self, name="Exp"):
        super().__init__(0.0, name)

    def extend_repr(self):
        return "exp"


class ScalarAffine(Bijector):
    """``forward(x) = scale * x + shift``.

    Args:
        scale (Union[float, list, numpy.ndarray, Tensor]): Not 0. Default: 1.0.
        shift (Union[float, list, numpy.ndarray, Tensor]): Default: 0.0.
        name (str): Default: "ScalarAffine".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a scale is 0, so that there is no inverse.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.probability.bijector.ScalarAffine(2.0, 1.0).inverse(ms.Tensor([5.0])))
        [2.]
    """

    def __init__(self, scale=1.0, shift=0.0, name="ScalarAffine"):
        super().__init__(True, name=name, param={"scale": scale, "shift": shift})
        self.scale, self.shift = self._number("scale", scale), self._number("shift", shift)
        self._check("scale", self.scale, lambda s: s != 0, "another number than 0")

    def extend_repr(self):
        return ", ".join(f"{key} = {value}" for key, value in self.parameters.items())

    def _forward(self, x):
        return self.scale * x + self.shift

    def _inverse(self, y):
        return (y - self.shift) / self.scale

    def _forward_log_jacobian(self, x):
        return F.log(F.abs(self.scale))

    def _inverse_log_jacobian(self, y):
        return -F.log(F.abs(self.scale))


class Softplus(Bijector):
    """``forward(x) = log(1 + exp(sharpness * x)) / sharpness``.

    Args:
        sharpness (Union[float, list, numpy.ndarray, Tensor]): Not 0. Default: 1.0.
        name (str): Default: "Softplus".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a sharpness is 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.probability.bijector.Softplus().forward(ms.Tensor([100.0])))
        [100.]
    """

    def __init__(self, sharpness=1.0, name="Softplus"):
        super().__init__(name=name, param={"sharpness": sharpness})
        self.sharpness = self._number("sharpness", sharpness)
        self._check("sharpness", self.sharpness, lambda s: s != 0, "another number than 0")

    def extend_repr(self):
        return f"sharpness = {self.parameters['sharpness']}"

    def _forward(self, x):
        z = self.sharpness * x
        return (F.maximum(z, F.zeros_like(z)) + F.log1p(F.exp(-F.abs(z)))) / self.sharpness

    def _inverse(self, y):
        z = self.sharpness * y
        return (z + F.log(-F.expm1(-z))) / self.sharpness

    def _forward_log_jacobian(self, x):
        z = self.sharpness * x
        return F.minimum(z, F.zeros_like(z)) - F.log1p(F.exp(-F.abs(z)))

    def _inverse_log_jacobian(self, y):
        return -F.log(-F.expm1(-self.sharpness * y))


class GumbelCDF(Bijector):
    """``forward(x) = exp(-exp(-(x - loc) / scale))``, the distribution function of Gumbel's distribution.

    Args:
        loc (Union[float, list, numpy.ndarray, Tensor]): Default: 0.0.
        scale (Union[float, list, numpy.ndarray, Tensor]): Above 0. Default: 1.0.
        name (str): Default: "GumbelCDF".

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a scale is not above 0.

    Examples:
        >>> import minispore as ms
        >>> print(ms.nn.probability.bijector.GumbelCDF().inverse_log_jacobian(ms.Tensor([1 / 2.718281828])))
        [1.]
    """

    def __init__(self, loc=0.0, scale=1.0, name="GumbelCDF"):
        super().__init__(name=name, param={"loc": loc, "scale": scale})
        self.loc, self.scale = self._number("loc", loc), self._number("scale", scale)
        self._check("scale", self.scale, lambda s: s > 0, "above 0")

    def extend_repr(self):
        return ", ".join(f"{key} = {value}" for key, value in self.parameters.items())

    def _forward(self, x):
        return F.exp(-F.exp((self.loc - x) / self.scale))

    def _inverse(self, y):
        return self.loc - self.scale * F.log(-F.log(y))

    def _forward_log_jacobian(self, x):
        z = (x - self.loc) / self.scale
        return -z - F.exp(-z) - F.log(self.scale)

    def _inverse_log_jacobian(self, y):
        return F.log(self.scale) - F.log(-F.log(y) * y)


class Invert(Bijector):
    """The inverse of a bijector: its ``forward`` is the other's ``inverse``.

    Args:
        bijector (Bijector): The bijector.
        name (str): Default: "", "Invert" and the bijector's name.

    Raises:
        TypeError: If an argument is of a wrong kind.

    Examples:
        >>> import minispore as ms
        >>> from minispore.nn.probability.bijector import Exp, Invert
        >>> print(Invert(Exp()).forward(ms.Tensor([1.0])))
        [0.]
    """

    def __init__(self, bijector, name=""):
        if not isinstance(bijector, Bijector):
            raise type_error("Invert", "the 'bijector' must be a Bijector", type(bijector).__name__)
        check_text("Invert", "name", name)
        constant, injective = bijector.is_constant_jacobian, bijector.is_injective
        super().__init__(constant, injective, name or f"Invert{bijector.name}", bijector.dtype, {"bijector": bijector})
        self._bijector = bijector

    @property
    def bijector(self):
        """The bijector."""
        return self._bijector

    def _forward(self, x):
        return self._bijector.inverse(x)

    def _inverse(self, y):
        return self._bijector.forward(y)

    def _forward_log_jacobian(self, x):
        return self._bijector.inverse_log_jacobian(x)

    def _inverse_log_jacobian(self, y):
        return self._bijector.forward_log_jacobian(y)
