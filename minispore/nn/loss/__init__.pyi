"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['BCELoss', 'BCEWithLogitsLoss', 'CosineEmbeddingLoss', 'CrossEntropyLoss', 'HuberLoss', 'L1Loss', 'LossBase', 'MSELoss', 'NLLLoss', 'SmoothL1Loss', 'SoftmaxCrossEntropyWithLogits']

from minispore.nn import BCELoss as BCELoss
from minispore.nn import BCEWithLogitsLoss as BCEWithLogitsLoss
from minispore.nn import CosineEmbeddingLoss as CosineEmbeddingLoss
from minispore.nn import CrossEntropyLoss as CrossEntropyLoss
from minispore.nn import HuberLoss as HuberLoss
from minispore.nn import L1Loss as L1Loss
from minispore.nn import LossBase as LossBase
from minispore.nn import MSELoss as MSELoss
from minispore.nn import NLLLoss as NLLLoss
from minispore.nn import SmoothL1Loss as SmoothL1Loss
from minispore.nn import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
