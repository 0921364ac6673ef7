"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.nn.wrap import *
from minispore.nn.virtual_dataset import VirtualDatasetCellTriple as VirtualDatasetCellTriple, _VirtualDatasetCell as _VirtualDatasetCell
from minispore.amp import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell as FixedLossScaleUpdateCell, GradAccumulationCell as GradAccumulationCell, MicroBatchInterleaved as MicroBatchInterleaved, PipelineCell as PipelineCell, TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
