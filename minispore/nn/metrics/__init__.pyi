"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['Accuracy', 'EvaluationBase', 'F1', 'Fbeta', 'Loss', 'MAE', 'MSE', 'Metric', 'Precision', 'Recall', 'Top1CategoricalAccuracy', 'Top5CategoricalAccuracy', 'TopKCategoricalAccuracy', 'get_metric_fn', 'get_metrics', 'names', 'rearrange_inputs']

from minispore.nn import Accuracy as Accuracy
from minispore.nn import EvaluationBase as EvaluationBase
from minispore.nn import F1 as F1
from minispore.nn import Fbeta as Fbeta
from minispore.nn import Loss as Loss
from minispore.nn import MAE as MAE
from minispore.nn import MSE as MSE
from minispore.nn import Metric as Metric
from minispore.nn import Precision as Precision
from minispore.nn import Recall as Recall
from minispore.nn import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from minispore.nn import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from minispore.nn import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from minispore.nn import get_metric_fn as get_metric_fn
from minispore.nn import get_metrics as get_metrics
from minispore.nn import names as names
from minispore.nn import rearrange_inputs as rearrange_inputs
