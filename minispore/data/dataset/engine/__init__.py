"""The engine: datasets, their sources, samplers, operations, iterators and workers.

Reading order: ``user_code``, ``samplers``, ``workers``, ``schema``, ``iterators``, ``dataset`` (the base of all),
``operations`` (its methods), ``sources``, ``datasets`` (MindSpore's address for all but the sources), ``validators``,
``resident`` (rows that a GPU keeps).
"""

from minispore.data.dataset.engine.datasets import *
from minispore.data.dataset.engine.datasets import __all__ as _datasets
from minispore.data.dataset.engine.samplers import *
from minispore.data.dataset.engine.samplers import __all__ as _samplers
from minispore.data.dataset.engine.sources import *
from minispore.data.dataset.engine.sources import __all__ as _sources

__all__ = sorted({*_datasets, *_samplers, *_sources})
