"""minispore: MindSpore's Cell, Primitive, autograd, rewrite and mixed precision, on NumPy and CuPy.

>>> import minispore as ms
>>> print(ms.grad(lambda x: x * x)(ms.Tensor(3.0)))
6.0
"""

# _startup comes first: it must run before NumPy is imported
from minispore import (
    _startup,
    addresses,
    amp,
    boost,  # noqa: F401 - as in MindSpore, it is here and not in ``__all__``
    communication,
    context,
    devices,  # noqa: F401 - a device's kernels are imported when it comes into force
    dtype,
    log,
    nn,
    ops,
    overflow_register,  # noqa: F401 - it follows the device
    parallel,
    rewrite,
    serialization,
)
from minispore.amp import build_train_network
from minispore.autograd import grad, jvp, value_and_grad, vjp
from minispore.context import *
from minispore.dtype import *
from minispore.graph import *
from minispore.log import *
from minispore.ops import get_grad, jacfwd, jacrev, vmap
from minispore.ops.sparse.tensors import COOTensor, CSRTensor, RowTensor, SparseTensor
from minispore.parameter import Parameter, ParameterTuple
from minispore.tensor import Tensor
from minispore.version import __version__ as __version__

STARTUP = _startup.REPORT  # the switches of the process set-up

__all__ = [
    "COOTensor",
    "CSRTensor",
    "JitConfig",
    "Parameter",
    "ParameterTuple",
    "Profiler",
    "RowTensor",
    "SparseTensor",
    "Tensor",
    "amp",
    "build_train_network",
    "communication",
    "context",
    "dataset",
    "get_grad",
    "grad",
    "insight",
    "jacfwd",
    "jacrev",
    "jit",
    "jit_class",
    "jvp",
    "log",
    "ms_class",
    "ms_function",
    "mutable",
    "nn",
    "ops",
    "parallel",
    "profiler",
    "rewrite",
    "serialization",
    "train",
    "value_and_grad",
    "vjp",
    "vmap",
    *context.__all__,
    *dtype.__all__,
    *log.__all__,
]
_NAMES = __all__
del __all__  # those of ``train`` belong to it, which is imported when it is first asked for: see ``addresses``
addresses.serve()
addresses.open_modules()
_startup.resume_gc()
