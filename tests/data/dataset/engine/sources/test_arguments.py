"""The constructors of sources: one function makes them of a table of their arguments."""

import ast
import inspect
import pathlib
import pickle

import pytest

from minispore.data.dataset.engine import sources
from minispore.data.dataset.engine.sources.arguments import ARRAYS, IMAGES, OPTIONS, arguments
from minispore.dataset import Caltech256Dataset, MnistDataset, SBUDataset, VisionBaseDataset


@arguments("dataset_dir", "name", usage="all", **ARRAYS)
class Seen:
    def _set_up(self, options, **own):
        self.options, self.own = options, own


def test_options_come_in_the_order_of_mappable_dataset_and_the_others_by_name():
    seen = Seen("folder", num_samples=3, name="digits", num_parallel_workers=2)
    assert seen.options == (3, None, None, None, None, 2, None)
    assert seen.own == {"dataset_dir": "folder", "name": "digits", "usage": "all"}


def test_the_tables_hold_the_options_of_mappable_dataset():
    parameters = list(inspect.signature(sources.indexed.MappableDataset.__init__).parameters)
    assert tuple(parameters[2:]) == OPTIONS
    assert set(ARRAYS) == set(OPTIONS)
    assert set(IMAGES) == {*OPTIONS, "decode"}


def test_the_signature_is_that_of_the_table():
    text = "(dataset_dir, num_samples=None, num_parallel_workers=None, shuffle=None, decode=False, sampler=None, "
    assert str(inspect.signature(SBUDataset)) == text + "num_shards=None, shard_id=None, cache=None)"
    assert str(inspect.signature(SBUDataset.__init__)).startswith("(self, dataset_dir, ")


class Plain:
    def __init__(self, dataset_dir, name, usage="all", num_samples=None):
        pass


@arguments("dataset_dir", "name", usage="all", num_samples=None)
class Made:
    pass


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((), {}),
        (("a",), {}),
        (("a", "b", "c", 1, 2, 3), {}),
        (("a", "b"), {"dataset_dir": "c"}),
        (("a", "b"), {"other": 1}),
    ],
)
def test_a_call_that_does_not_fit_is_refused_in_pythons_own_words(args, kwargs):
    with pytest.raises(TypeError) as expected:
        Plain(*args, **kwargs)
    with pytest.raises(TypeError) as found:
        Made(*args, **kwargs)
    assert str(found.value) == str(expected.value).replace("Plain", "Made")


@pytest.fixture
def folder(tmp_path):
    for kind in ("bear", "cat"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "1.jpg").write_bytes(b"pixels")
    return tmp_path


class Mine(Caltech256Dataset):
    def __init__(self, folder):
        super().__init__(folder, 1, shuffle=False)
        self.mine = True


def test_a_source_can_be_subclassed_and_pickled(folder):
    data = pickle.loads(pickle.dumps(Mine(folder)))
    assert isinstance(data, VisionBaseDataset)
    assert data.mine
    assert data.get_dataset_size() == 1
    assert list(inspect.signature(Mine).parameters) == ["folder"]


def test_a_subclass_without_a_constructor_inherits_it():
    class Digits(MnistDataset):
        pass

    assert inspect.signature(Digits) == inspect.signature(MnistDataset)


# A constructor that spells the options of choosing rows itself has a reason: they are passed on in another way.
SPELLED = {
    "MappableDataset": "takes them",
    "FilesDataset": "takes them, without a sampler",
    "TextFolder": "passes them to FilesDataset",
    "_OtherOrder": "passes them to FilesDataset in another order",
    "EnWik9Dataset": "passes them to FilesDataset",
    "Multi30kDataset": "passes them to FilesDataset",
    "USPSDataset": "passes them to FilesDataset",
    "TextFileDataset": "passes them to FilesDataset",
    "CSVDataset": "passes them to FilesDataset",
    "CLUEDataset": "passes them to FilesDataset",
    "TFRecordDataset": "passes them to FilesDataset",
    "GeneratorDataset": "has arguments of its own between them and checks of workers",
    "MindDataset": "pads the rows before it chooses",
    "NumpySlicesDataset": "makes its columns of any data",
    "ImageFolderDataset": "the source whose arguments the others refer to",
}


def test_no_other_constructor_spells_the_options():
    spelled = set()
    for file in pathlib.Path(sources.__file__).parent.glob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            for part in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(part, ast.FunctionDef) and "shard_id" in [name.arg for name in part.args.args]:
                    spelled.add(node.name)
    assert spelled == set(SPELLED)
