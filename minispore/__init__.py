"""minispore: MindSpore's Cell, Primitive, autograd, rewrite and mixed precision, on NumPy and CuPy.

>>> import minispore as ms
>>> print(ms.grad(lambda x: x * x)(ms.Tensor(3.0)))
6.0
"""

import sys
from types import ModuleType

# _startup comes first: it must run before NumPy is imported
from minispore import (
    _startup,
    amp,
    context,
    dataset,
    dtype,
    initializer,
    nn,
    ops,
    parameter,
    rewrite,
    serialization,
    tensor,
    train,
)
from minispore.autograd import grad, jvp, value_and_grad, vjp
from minispore.context import *
from minispore.dtype import *
from minispore.graph import JitConfig, jit, ms_function
from minispore.parameter import Parameter, ParameterTuple
from minispore.tensor import Tensor
from minispore.train import *

__version__ = "0.1.0"
STARTUP = _startup.REPORT  # what the process set-up has switched on

# Names that MindSpore has at other addresses than this package: cells that nn exports too, and module paths.
_CELLS_OF_AMP = (
    amp.DynamicLossScaleUpdateCell,
    amp.FixedLossScaleUpdateCell,
    amp.GradAccumulationCell,
    amp.MicroBatchInterleaved,
    amp.PipelineCell,
    amp.TrainOneStepWithLossScaleCell,
)
_SUBMODULES = {
    "common.dtype": dtype,
    "common.initializer": initializer,
    "common.parameter": parameter,
    "common.tensor": tensor,
    "dataset.engine.datasets_standard_format": dataset.engine,
    "dataset.engine.datasets_text": dataset.engine,
    "dataset.engine.datasets_user_defined": dataset.engine,
    "dataset.engine.datasets_vision": dataset.engine,
    "dataset.samplers": dataset.engine.samplers,
    "nn.dynamic_lr": nn.optim.dynamic_lr,
    "nn.learning_rate_schedule": nn.optim.learning_rate_schedule,
    "train.amp": amp,
    "train.dataset_helper": train.data_helper,
    "train.loss_scale_manager": amp.loss_scale.managers,
    "train.metrics": nn.metrics,
    "train.serialization": serialization,
}


common = ModuleType("minispore.common", "MindSpore's paths to what stands elsewhere.")
common.__path__ = []
sys.modules[common.__name__] = common


def _publish():
    """Make every alias of the tables importable."""
    for cell in _CELLS_OF_AMP:
        setattr(nn, cell.__name__, cell)
        nn.__all__.append(cell.__name__)
    for path, module in _SUBMODULES.items():
        package_name, _, name = path.rpartition(".")
        package = sys.modules[f"{__name__}.{package_name}"]
        setattr(package, name, module)
        sys.modules[f"{__name__}.{package_name}.{name}"] = module


_publish()

__all__ = [
    "JitConfig",
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "amp",
    "context",
    "dataset",
    "grad",
    "jit",
    "jvp",
    "ms_function",
    "nn",
    "ops",
    "rewrite",
    "serialization",
    "train",
    "value_and_grad",
    "vjp",
    *context.__all__,
    *dtype.__all__,
    *train.__all__,
]
