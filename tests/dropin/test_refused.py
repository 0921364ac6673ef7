"""Names that can be imported and not used."""

import importlib

import pytest

from minispore.dropin import refused
from minispore.tools.cli import usage

ADDRESSES = [
    "build_searched_strategy",
    "train.serialization.build_searched_strategy",
    "train.serialization.restore_group_info_list",
    "transform_checkpoints",
    "transform_checkpoint_by_rank",
    "merge_pipeline_strategys",
    "rank_list_for_transform",
    "nn.AdaSumByDeltaWeightWrapCell",
    "nn.AdaSumByGradWrapCell",
    "nn.thor",
    "nn.optim.thor.thor",
    "train.train_thor.ConvertModelUtils",
    "train.train_thor.ConvertNetUtils",
    "dataset.GraphData",
    "dataset.debug.DebugHook",
    "dataset.text.JiebaTokenizer",
    "dataset.text.SentencePieceTokenizer",
    "dataset.text.utils.SentencePieceVocab",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_refused_name_is_imported_and_raises_its_sentence_when_called(address):
    module, _, name = address.rpartition(".")
    found = getattr(importlib.import_module(f"minispore.{module}".rstrip(".")), name)
    with pytest.raises(NotImplementedError, match=f"^For '{name}', nothing can be done here: minispore "):
        found("x", size=3)


def test_every_refused_name_has_an_address():
    assert {address.rpartition(".")[2] for address in ADDRESSES} == refused.REFUSALS.keys()


def test_check_lists_refused_names(tmp_path):
    (tmp_path / "a.py").write_text("from mindspore import nn\nnn.thor\nnn.Dense\n")
    found = usage.used_in(tmp_path)
    assert "mindspore.nn.thor is here, but refuses (minispore computes no second" in usage.as_text(found)
    assert [name.address for name in found.names if name.missing] == []
    assert '"refuses"' in usage.as_json(found)
