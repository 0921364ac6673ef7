"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from typing import Any
__all__ = []

AdaSumByDeltaWeightWrapCell: Any
AdaSumByGradWrapCell: Any
ConvertModelUtils: Any
ConvertNetUtils: Any
DebugHook: Any
GraphData: Any
JiebaTokenizer: Any
SentencePieceTokenizer: Any
SentencePieceVocab: Any
build_searched_strategy: Any
merge_pipeline_strategys: Any
rank_list_for_transform: Any
restore_group_info_list: Any
thor: Any
transform_checkpoint_by_rank: Any
transform_checkpoints: Any
