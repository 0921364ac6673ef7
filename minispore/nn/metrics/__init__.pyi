"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['Accuracy', 'BleuScore', 'ConfusionMatrix', 'ConfusionMatrixMetric', 'CosineSimilarity', 'Dice', 'EvaluationBase', 'F1', 'Fbeta', 'HausdorffDistance', 'Loss', 'MAE', 'MSE', 'MeanSurfaceDistance', 'Metric', 'OcclusionSensitivity', 'Perplexity', 'Precision', 'ROC', 'Recall', 'RootMeanSquareDistance', 'Top1CategoricalAccuracy', 'Top5CategoricalAccuracy', 'TopKCategoricalAccuracy', 'auc', 'get_metric_fn', 'get_metrics', 'names', 'rearrange_inputs']

from minispore.nn import Accuracy as Accuracy
from minispore.nn import BleuScore as BleuScore
from minispore.nn import ConfusionMatrix as ConfusionMatrix
from minispore.nn import ConfusionMatrixMetric as ConfusionMatrixMetric
from minispore.nn import CosineSimilarity as CosineSimilarity
from minispore.nn import Dice as Dice
from minispore.nn import EvaluationBase as EvaluationBase
from minispore.nn import F1 as F1
from minispore.nn import Fbeta as Fbeta
from minispore.nn import HausdorffDistance as HausdorffDistance
from minispore.nn import Loss as Loss
from minispore.nn import MAE as MAE
from minispore.nn import MSE as MSE
from minispore.nn import MeanSurfaceDistance as MeanSurfaceDistance
from minispore.nn import Metric as Metric
from minispore.nn import OcclusionSensitivity as OcclusionSensitivity
from minispore.nn import Perplexity as Perplexity
from minispore.nn import Precision as Precision
from minispore.nn import ROC as ROC
from minispore.nn import Recall as Recall
from minispore.nn import RootMeanSquareDistance as RootMeanSquareDistance
from minispore.nn import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from minispore.nn import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from minispore.nn import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from minispore.nn import auc as auc
from minispore.nn import get_metric_fn as get_metric_fn
from minispore.nn import get_metrics as get_metrics
from minispore.nn import names as names
from minispore.nn import rearrange_inputs as rearrange_inputs
