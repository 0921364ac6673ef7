"""minispore: MindSpore's Cell, Primitive, autograd, rewrite and mixed precision, on NumPy and CuPy.

>>> import minispore as ms
>>> print(ms.grad(lambda x: x * x)(ms.Tensor(3.0)))
6.0
"""

import importlib
import os

from minispore.core import _startup

# isort: split
# _startup came first: it must run before NumPy is imported. The package of operations begins before what needs some.
from minispore import ops

# isort: split
from minispore import amp, nn, rewrite
from minispore.amp import build_train_network
from minispore.core import context, dtype
from minispore.core.context import *
from minispore.core.dtype import *
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.core.version import __version__ as __version__
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.ops import get_grad, jacfwd, jacrev, vmap
from minispore.ops.functional.gradients import grad, jvp, value_and_grad, vjp
from minispore.ops.kinds import *
from minispore.ops.kinds import __all__ as _kinds

STARTUP = _startup.REPORT  # the switches of the process set-up

__all__ = [
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "amp",
    "build_train_network",
    "context",
    "get_grad",
    "grad",
    "jacfwd",
    "jacrev",
    "jvp",
    "nn",
    "ops",
    "rewrite",
    "value_and_grad",
    "vjp",
    "vmap",
    *context.__all__,
    *_kinds,
    *dtype.__all__,
]


def _shown(room):
    """The modules and names that a lower room shows here: modules, and names of modules, ``module:name,name``."""
    found = {}
    for source in room.FRONT.split():
        path, colon, names = source.partition(":")
        module = importlib.import_module(f"{room.__name__}.{path}")
        found |= {name: getattr(module, name) for name in names.split(",") if name} if colon else {path: module}
    return found


for _room in ("graph", "devices", "parallel", "data", "training", "tools", "dropin"):
    if os.path.exists(os.path.join(__path__[0], _room, "__init__.py")):
        _opened = importlib.import_module(f"{__name__}.{_room}")
        __all__ += _opened.LISTED
        globals().update(_shown(_opened))

_startup.resume_gc()
