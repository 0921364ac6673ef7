"""minispore: MindSpore's Cell, Primitive, autograd, rewrite and mixed precision, on NumPy and CuPy."""

from minispore import _startup  # noqa: F401 - must run before NumPy is imported
from minispore import context, nn, ops
from minispore.autograd import grad, jvp, value_and_grad, vjp
from minispore.context import *  # noqa: F403
from minispore.dtype import *  # noqa: F403
from minispore.parameter import Parameter, ParameterTuple
from minispore.tensor import Tensor
