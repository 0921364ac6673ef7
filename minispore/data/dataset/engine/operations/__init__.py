"""The operations of datasets; each file puts its own among the methods of every dataset.

Reading order: ``order`` (shuffle, repeat, take, skip), ``columns`` (project, rename), ``map``, ``batch``, ``rows``
(filter, flat_map, split, apply), ``combined`` (zip, concat), ``sync``, ``save``.
"""

from minispore.data.dataset.engine.operations.batch import *
from minispore.data.dataset.engine.operations.columns import *
from minispore.data.dataset.engine.operations.combined import *
from minispore.data.dataset.engine.operations.map import *
from minispore.data.dataset.engine.operations.order import *
from minispore.data.dataset.engine.operations.rows import *
from minispore.data.dataset.engine.operations.save import *
from minispore.data.dataset.engine.operations.sync import *

__all__ = [
    "BatchDataset",
    "BatchInfo",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "FilterDataset",
    "MapDataset",
    "PaddedBatchDataset",
    "ProjectDataset",
    "RenameDataset",
    "RepeatDataset",
    "ShuffleDataset",
    "SkipDataset",
    "SyncWaitDataset",
    "TakeDataset",
    "TransferDataset",
    "ZipDataset",
    "zip",
]
