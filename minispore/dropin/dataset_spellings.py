"""MindSpore's attributes of data sets about its engine in C++, and their meaning where Python reads the rows.

``minispore.dataset`` imports this file, since it is imported itself only when it is asked for.
"""

from __future__ import annotations

import importlib
from functools import cached_property
from typing import Any

from minispore.data.dataset.engine.dataset import Dataset
from minispore.data.dataset.engine.iterators import Iterator
from minispore.data.dataset.engine.operations.batch import BatchDataset
from minispore.data.dataset.engine.operations.columns import RenameDataset
from minispore.data.dataset.engine.operations.map import MapDataset
from minispore.data.dataset.engine.operations.order import ShuffleDataset
from minispore.data.dataset.engine.samplers import BuiltinSampler
from minispore.data.dataset.engine.sources.indexed import ArraysDataset, MappableDataset, SourceDataset
from minispore.dropin.addresses import PACKAGE
from minispore.dropin.withheld import WITHHELD, withhold
from minispore.ops.added import add_to

__all__ = []

_ENGINE = "it is about MindSpore's engine in C++, and the rows are read by Python here"
WITHHELD["data set"] = {
    _ENGINE: (
        "copy_batch_size create_ir_tree iterator_bootstrap parse parse_tree post_parse prepare_multiprocessing to_json"
    ),
    "the rows are read from NumPy's arrays": "source",
    "minispore has no SentencePiece": "build_sentencepiece_vocab",
}
WITHHELD["sampler"] = {_ENGINE: "parse parse_child parse_child_for_minddataset parse_for_minddataset"}
WITHHELD["iterator"] = {_ENGINE: "ir_tree"}


class _OfAll:
    """The attributes that every data set gets."""

    cache = estimated_output_shapes = runtime_context = saved_output_shapes = saved_output_types = None

    @cached_property
    def parent(self) -> list[Any]:
        """An empty list: a data set does not know who reads it."""
        return []

    @property
    def dataset_size(self) -> int:
        """``get_dataset_size()``; a number that is set here is what that then returns."""
        return self.get_dataset_size()

    @dataset_size.setter
    def dataset_size(self, size) -> None:
        self.get_dataset_size = lambda: size

    @property
    def num_parallel_workers(self) -> int | None:
        """The number of workers; None for an operation that has none of its own."""
        return getattr(self, "workers", None)

    def is_sync(self) -> bool:
        """True if ``sync_wait`` stands in the pipeline."""
        return hasattr(self, "condition_name") or any(child.is_sync() for child in self.children)

    def get_sync_notifiers(self) -> dict[str, Any]:
        """An empty dict: ``sync_update`` reaches its condition by itself."""
        return {}

    def build_vocab(self, columns, freq_range, top_k, special_tokens, special_first) -> Any:
        """``text.Vocab.from_dataset`` of this data set."""
        vocab = importlib.import_module(f"{PACKAGE}.dataset.text").Vocab
        return vocab.from_dataset(self, columns, freq_range, top_k, special_tokens, special_first is not False)


class _OfSources:
    """The attributes that every source gets."""

    prepared_source = sample_fn = schema = None
    max_rowsize, python_multiprocessing = 6, True

    @cached_property
    def column_types(self) -> list[Any]:
        """An empty list: the values have the types in which they come."""
        return []

    @property
    def shuffle_flag(self) -> bool:
        """True if the order of the rows is random."""
        return self.is_shuffled()


class _OfSampled:
    """The attributes of sources whose rows a sampler chooses."""

    @property
    def num_samples(self) -> int:
        """The largest number of rows; 0 means all."""
        return vars(self).get("num_samples", self.sampler.num_samples or 0)

    @num_samples.setter
    def num_samples(self, count) -> None:
        """Keep the number of a source that counts by itself."""
        vars(self)["num_samples"] = count

    @property
    def num_shards(self) -> int:
        """The number of parts into which the rows are split; 1 without shards."""
        return getattr(self.sampler, "num_shards", 1)

    @property
    def shard_id(self) -> int:
        """The part that is read; 0 without shards."""
        return getattr(self.sampler, "shard_id", 0)

    @property
    def source_len(self) -> int:
        """The number of rows of the source itself; -1 where it has no length."""
        return -1 if self.size is None else self.size


class _Named:
    """The columns that an operation takes and gives."""

    offload = process_pool = batch_size_func = None
    max_rowsize = 16

    @cached_property
    def callbacks(self) -> list[Any]:
        """An empty list: a data set calls nothing back."""
        return []

    @property
    def input_columns(self) -> list[str]:
        """The columns that the function takes."""
        return list(getattr(self, "inputs", []))

    @property
    def output_columns(self) -> list[str]:
        """The columns of its results."""
        return list(getattr(self, "outputs", []))


def _batch_size_func(self):
    """The function that gives the size of each batch; None for a number."""
    return self.batch_size if callable(self.batch_size) else None


class _OfIterators:
    """The attributes that every iterator gets."""

    offload_model = None

    def get_col_names(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self.names)


add_to(Dataset, _OfAll)
add_to(SourceDataset, _OfSources)
add_to(MappableDataset, _OfSampled)
for _kind in (BatchDataset, MapDataset):
    add_to(_kind, _Named)
BatchDataset.batch_size_func = property(_batch_size_func)
RenameDataset.input_column_names = property(lambda self: list(self.child.get_col_names()))
RenameDataset.output_column_names = property(lambda self: list(self.columns))
ArraysDataset.column_names = property(lambda self: list(self.columns))
ShuffleDataset.reshuffle_each_epoch = True
add_to(Iterator, _OfIterators)
for _kind, _owner in (("data set", Dataset), ("sampler", BuiltinSampler), ("iterator", Iterator)):
    withhold(_kind, _owner)
