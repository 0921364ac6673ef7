"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['BCELoss', 'BCEWithLogitsLoss', 'CTCLoss', 'CosineEmbeddingLoss', 'CrossEntropyLoss', 'DiceLoss', 'FocalLoss', 'GaussianNLLLoss', 'HingeEmbeddingLoss', 'HuberLoss', 'KLDivLoss', 'L1Loss', 'LossBase', 'MAELoss', 'MSELoss', 'MarginRankingLoss', 'MultiClassDiceLoss', 'MultiLabelSoftMarginLoss', 'MultiMarginLoss', 'NLLLoss', 'PoissonNLLLoss', 'RMSELoss', 'SmoothL1Loss', 'SoftMarginLoss', 'SoftmaxCrossEntropyWithLogits', 'TripletMarginLoss']

from minispore.nn import BCELoss as BCELoss
from minispore.nn import BCEWithLogitsLoss as BCEWithLogitsLoss
from minispore.nn import CTCLoss as CTCLoss
from minispore.nn import CosineEmbeddingLoss as CosineEmbeddingLoss
from minispore.nn import CrossEntropyLoss as CrossEntropyLoss
from minispore.nn import DiceLoss as DiceLoss
from minispore.nn import FocalLoss as FocalLoss
from minispore.nn import GaussianNLLLoss as GaussianNLLLoss
from minispore.nn import HingeEmbeddingLoss as HingeEmbeddingLoss
from minispore.nn import HuberLoss as HuberLoss
from minispore.nn import KLDivLoss as KLDivLoss
from minispore.nn import L1Loss as L1Loss
from minispore.nn import LossBase as LossBase
from minispore.nn import MAELoss as MAELoss
from minispore.nn import MSELoss as MSELoss
from minispore.nn import MarginRankingLoss as MarginRankingLoss
from minispore.nn import MultiClassDiceLoss as MultiClassDiceLoss
from minispore.nn import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from minispore.nn import MultiMarginLoss as MultiMarginLoss
from minispore.nn import NLLLoss as NLLLoss
from minispore.nn import PoissonNLLLoss as PoissonNLLLoss
from minispore.nn import RMSELoss as RMSELoss
from minispore.nn import SmoothL1Loss as SmoothL1Loss
from minispore.nn import SoftMarginLoss as SoftMarginLoss
from minispore.nn import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from minispore.nn import TripletMarginLoss as TripletMarginLoss
