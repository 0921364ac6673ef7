"""Distribution: the common part of distributions, which asks a subclass for its formulas."""

import numpy as np

from minispore.core.checks import check_int, check_text, is_int
from minispore.core.dtype import FLOATS, as_dtype, float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.ops import functional as F  # noqa: N812 - the field's name for it

__all__ = ["Distribution"]


_METHODS = (
    *("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival", "mean", "mode", "sd", "var"),
    *("entropy", "kl_loss", "cross_entropy", "sample", "get_dist_type", "get_dist_args"),
)


class Distribution(Cell):
    """Base of distributions: a subclass defines some of ``_prob``, ``_log_prob``, ``_cdf``, ``_mean``, ``_sample``, ...

    What is not defined follows from what is: ``prob = exp(log_prob)``, ``survival_function = 1 - cdf``,
    ``sd = sqrt(var)``, ``cross_entropy = entropy + kl_loss``, and the other way around; what does not follow raises
    NotImplementedError. ``distribution("prob", x)`` is ``distribution.prob(x)``.

    Each method takes the distribution's parameters after its own arguments, by position or name. They are needed if the
    constructor did not get them; else they take the place of those.

    Args:
        seed (int): The seed of draws; None or 0 for the next stream of ``set_seed``.
        dtype (mindspore.dtype): The dtype of draws; densities are of it, or of float32 if it is not floating.
        name (str): The distribution's name.
        param (dict): The constructor's arguments, which ``parameters`` tells.
    """

    _arguments = ()  # the names of the parameters in calls
    _other = ()  # their names in calls of ``kl_loss`` and ``cross_entropy``: the other distribution's
    _printed = ()  # their names in the printed form
    _floating = False  # True if draws are real numbers
    _vector = 0  # the number of last axes of a parameter that belong to one distribution

    def __init__(self, seed, dtype, name, param):
        super().__init__()
        kind = type(self).__name__
        self._seed = 0 if seed is None else check_int(kind, "seed", seed, low=0)
        self._dtype, self._name = as_dtype(dtype), check_text(kind, "name", name)
        given = {key: param[key] for key in param if key not in ("self", "__class__")}
        self._param = {**given, "param_dict": {key: given[key] for key in self._arguments_at_first()}}
        if self._floating and self._dtype.np not in FLOATS:
            raise type_error(kind, "the 'dtype' must be a floating dtype", str(self._dtype))
        if self._arguments and self._dtype.np.kind in "bc":
            raise type_error(kind, "the 'dtype' must be a dtype of real numbers", str(self._dtype))
        self._kind = self._dtype if self._dtype.np in FLOATS else float32
        for key in self._arguments_at_first():
            setattr(self, f"_given_{key}", self._taken(key, given[key]))
        self._check_shapes()
        self._check_parameters()

    def _arguments_at_first(self):
        """The names of the parameters in the constructor."""
        return self._arguments

    def _taken(self, argument, value):
        """A parameter as a Tensor of the distribution's dtype; None stays None."""
        if value is None or isinstance(value, Tensor):
            return value
        numbers = np.asarray(value) if isinstance(value, (int, float, list, tuple, np.ndarray, np.number)) else None
        if numbers is None or isinstance(value, bool) or numbers.dtype.kind not in "iuf":
            raise type_error(
                type(self).__name__, f"the '{argument}' must be a number, a list or a Tensor", shown(value)
            )
        return Tensor(numbers, self._kind)

    def _check_shapes(self):
        """Raise ValueError unless the given parameters' shapes broadcast."""
        shapes = [value.shape for value in self._given() if value is not None]
        try:
            np.broadcast_shapes(*shapes)
        except ValueError:
            expected = "the shapes of the parameters must broadcast"
            raise value_error(type(self).__name__, expected, shown(shapes)) from None

    def _check_parameters(self):
        """Raise ValueError unless the given parameters are those of a distribution."""

    def _check_all(self, argument, expected, holds):
        """Raise ValueError unless ``holds`` is true of every number of a given parameter."""
        value = getattr(self, f"_given_{argument}")
        if value is not None and not holds(value.asnumpy()).all():
            raise value_error(
                type(self).__name__, f"the '{argument}' must be {expected}", shown(value.asnumpy().tolist())
            )

    # Its kind

    @property
    def name(self):
        """The name."""
        return self._name

    @property
    def dtype(self):
        """The dtype of draws."""
        return self._dtype

    @property
    def seed(self):
        """The seed of draws; 0 for the stream of ``set_seed``."""
        return self._seed

    @property
    def parameters(self):
        """The constructor's arguments, as a dict."""
        return self._param

    @property
    def is_scalar_batch(self):
        """True if each given parameter is that of one distribution."""
        return all(value is None or value.ndim <= self._vector for value in self._given())

    @property
    def batch_shape(self):
        """The shape of the given parameters together; None unless all are given."""
        if any(value is None for value in self._given()):
            return None
        return np.broadcast_shapes(*(value.shape for value in self._given()))

    @property
    def broadcast_shape(self):
        """The shape of one draw; None unless all parameters are given."""
        shape = self.batch_shape
        return shape if shape is None else shape[: len(shape) - self._vector]

    def _given(self):
        return [getattr(self, f"_given_{key}") for key in self._arguments_at_first()]

    def extend_repr(self):
        """The parameters of one distribution, or the shape of several."""
        if not self.is_scalar_batch:
            return f"batch_shape = {self.batch_shape}"
        known = all(value is not None for value in self._given())
        return ", ".join(f"{n} = {v}" for n, v in zip(self._printed, self._given(), strict=False)) if known else ""

    # Calls

    def construct(self, name, *args, **kwargs):
        """The method ``name`` with the other arguments."""
        if name not in _METHODS:
            raise NotImplementedError(f"For '{type(self).__name__}', {shown(name)} is not defined.")
        return getattr(self, name)(*args, **kwargs)

    def _resolved(self, method, args, kwargs):
        """The parameters of a call; the constructor's stand in for those that it lacks."""
        if not self._arguments:
            return args
        unknown = kwargs.keys() - set(self._arguments)
        if len(args) > len(self._arguments) or unknown:
            expected = f"the parameters of '{method}' must be of {self._arguments}"
            raise type_error(type(self).__name__, expected, shown(sorted(unknown) or len(args)))
        called = {**kwargs, **dict(zip(self._arguments, args, strict=False))}
        rows = zip(self._arguments, self._given(), strict=True)
        return [self._parameter(name, called.get(name), given) for name, given in rows]

    def _parameter(self, name, called, given):
        """One parameter, at least in float32."""
        value = given if called is None else called
        if not isinstance(value, Tensor):
            expected = f"the '{name}' must be a Tensor where the constructor was not given it"
            raise type_error(type(self).__name__, expected, type(value).__name__)
        return self._wide(value)

    def _wide(self, value):
        wide = float32 if self._kind.np.itemsize < float32.np.itemsize else self._kind
        return F.cast(value, wide)

    def _narrow(self, out):
        return F.cast(out, self._kind)

    def _answer(self, method, *values, parameters):
        """A formula of the subclass's; raises NotImplementedError if there is none."""
        formula = getattr(type(self), f"_{method}", None)
        if formula is None:
            raise NotImplementedError(f"For '{type(self).__name__}', '{method}' is not defined.")
        return formula(self, *values, *parameters)

    def _has(self, method):
        return hasattr(type(self), f"_{method}")

    def _of_value(self, method, value, args, kwargs):
        if not isinstance(value, Tensor):
            raise type_error(type(self).__name__, "the 'value' must be a Tensor", type(value).__name__)
        parameters = self._resolved(method, args, kwargs)
        return self._narrow(self._function(method, self._wide(value), parameters))

    def _function(self, method, value, parameters):
        """A function of a value: by its own formula, or by one that it follows from."""
        if self._has(method):
            return self._answer(method, value, parameters=parameters)
        if method == "prob" and self._has("log_prob"):
            return F.exp(self._function("log_prob", value, parameters))
        if method == "log_prob" and self._has("prob"):
            return F.log(self._function("prob", value, parameters))
        if method in ("log_cdf", "survival_function") and self._has("cdf"):
            cdf = self._function("cdf", value, parameters)
            return F.log(cdf) if method == "log_cdf" else 1 - cdf
        if method == "log_survival" and (self._has("cdf") or self._has("survival_function")):
            return F.log(self._function("survival_function", value, parameters))
        return self._answer(method, value, parameters=parameters)

    def prob(self, value, *args, **kwargs):
        """The density, or the probability, of each value."""
        return self._of_value("prob", value, args, kwargs)

    def log_prob(self, value, *args, **kwargs):
        """The logarithm of :meth:`prob`."""
        return self._of_value("log_prob", value, args, kwargs)

    def cdf(self, value, *args, **kwargs):
        """The probability of a draw that is at most the value."""
        return self._of_value("cdf", value, args, kwargs)

    def log_cdf(self, value, *args, **kwargs):
        """The logarithm of :meth:`cdf`."""
        return self._of_value("log_cdf", value, args, kwargs)

    def survival_function(self, value, *args, **kwargs):
        """``1 - cdf(value)``."""
        return self._of_value("survival_function", value, args, kwargs)

    def log_survival(self, value, *args, **kwargs):
        """The logarithm of :meth:`survival_function`."""
        return self._of_value("log_survival", value, args, kwargs)

    def mean(self, *args, **kwargs):
        """The expected draw."""
        return self._narrow(self._answer("mean", parameters=self._resolved("mean", args, kwargs)))

    def mode(self, *args, **kwargs):
        """The likeliest draw."""
        return F.cast(self._answer("mode", parameters=self._resolved("mode", args, kwargs)), self._dtype)

    def sd(self, *args, **kwargs):
        """The standard deviation."""
        parameters = self._resolved("sd", args, kwargs)
        if not self._has("sd") and self._has("var"):
            return self._narrow(F.sqrt(self._answer("var", parameters=parameters)))
        return self._narrow(self._answer("sd", parameters=parameters))

    def var(self, *args, **kwargs):
        """The variance."""
        parameters = self._resolved("var", args, kwargs)
        if not self._has("var") and self._has("sd"):
            return self._narrow(F.square(self._answer("sd", parameters=parameters)))
        return self._narrow(self._answer("var", parameters=parameters))

    def entropy(self, *args, **kwargs):
        """The expected ``-log_prob`` of a draw."""
        return self._narrow(self._answer("entropy", parameters=self._resolved("entropy", args, kwargs)))

    def kl_loss(self, dist, *args, **kwargs):
        """The divergence of Kullback and Leibler from this to another distribution of this kind.

        Args:
            dist (str): The kind, such as "Normal".
            args: The other distribution's parameters, and after them this one's.
            kwargs: The same by name: the other's end in ``_b``.

        Raises:
            ValueError: If ``dist`` is another kind.
            TypeError: If a parameter is missing.
        """
        return self._narrow(self._divergence("kl_loss", dist, args, kwargs)[0])

    def _divergence(self, method, dist, args, kwargs):
        """The divergence, and this distribution's parameters."""
        kind = type(self).__name__
        if not self._has("kl_loss"):
            raise NotImplementedError(f"For '{kind}', '{method}' is not defined.")
        if check_text(kind, "dist", dist) != kind:
            raise value_error(kind, f"the 'dist' of '{method}' must be '{kind}'", shown(dist))
        if not self._arguments:
            return self._answer("kl_loss", dist, *args, parameters=()), ()
        count = len(self._other)
        called = {**dict(zip(self._other, args, strict=False)), **{k: kwargs[k] for k in self._other if k in kwargs}}
        others = [self._parameter(name, called.get(name), None) for name in self._other]
        rest = {k: v for k, v in kwargs.items() if k not in self._other}
        parameters = self._resolved(method, args[count:], rest)
        return self._answer("kl_loss", *others, parameters=parameters), parameters

    def cross_entropy(self, dist, *args, **kwargs):
        """The expected ``-log_prob``, by another distribution, of this one's draws: ``entropy + kl_loss``."""
        divergence, parameters = self._divergence("cross_entropy", dist, args, kwargs)
        return self._narrow(self._answer("entropy", parameters=parameters) + divergence)

    def sample(self, shape=(), *args, **kwargs):
        """Draws: a Tensor of ``shape`` followed by the shape of the parameters.

        Raises:
            TypeError: If ``shape`` is not a tuple of ints.
        """
        if not isinstance(shape, tuple) or not all(map(is_int, shape)):
            raise type_error(type(self).__name__, "the 'shape' must be a tuple of ints", shown(shape))
        parameters = self._resolved("sample", args, kwargs)
        shapes = [p.shape[: p.ndim - self._vector] for p in parameters]
        return F.cast(
            self._answer("sample", (*shape, *np.broadcast_shapes(*shapes)), parameters=parameters), self._dtype
        )

    def _uniform(self, shape):
        """Numbers of the uniform distribution over [0, 1)."""
        return F.rand(*shape, seed=self._seed or None) if shape else F.rand(1, seed=self._seed or None).reshape(())

    def _normal(self, shape):
        """Numbers of the normal distribution with mean 0 and deviation 1."""
        return F.standard_normal(shape, self._seed or None)

    def get_dist_type(self):
        """The kind: the class's name."""
        return type(self).__name__

    def get_dist_args(self, *args, **kwargs):
        """The parameters, as a tuple."""
        return tuple(self._resolved("get_dist_args", args, kwargs))
