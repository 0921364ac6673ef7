"""Names of MindSpore that scripts import and never use: each can be imported, and raises one sentence when it is used.

``minispore check`` lists them as "here, but refuses".
"""

__all__ = []

_ONE_PROCESS = "minispore computes in one process, where nothing is spread over devices"
_PIECES = (
    "minispore has no SentencePiece: call the processor of the package sentencepiece in a function that 'map' is given"
)
_SECOND_ORDER = "minispore computes no second derivatives for training: use nn.Momentum or nn.Lamb"

# MindSpore's name -> why it cannot be used; the addresses are in :mod:`minispore.addresses`
REFUSALS = {
    "AdaSumByDeltaWeightWrapCell": _ONE_PROCESS,
    "AdaSumByGradWrapCell": _ONE_PROCESS,
    "ConvertModelUtils": _SECOND_ORDER,
    "ConvertNetUtils": _SECOND_ORDER,
    "DebugHook": "minispore has no hooks of pipelines: a function of 'map' sees each row and may call breakpoint()",
    "GraphData": "minispore has no store of graphs: read them in a GeneratorDataset",
    "JiebaTokenizer": "minispore has no dictionary of Jieba: call jieba.lcut in a function of 'map'",
    "SentencePieceTokenizer": _PIECES,
    "SentencePieceVocab": _PIECES,
    "build_searched_strategy": _ONE_PROCESS,
    "merge_pipeline_strategys": _ONE_PROCESS,
    "rank_list_for_transform": _ONE_PROCESS,
    "restore_group_info_list": _ONE_PROCESS,
    "thor": _SECOND_ORDER,
    "transform_checkpoint_by_rank": _ONE_PROCESS,
    "transform_checkpoints": _ONE_PROCESS,
}


class Refusal:
    """A name that can be imported only."""

    def __init__(self, name, reason):
        self.__name__ = self.__qualname__ = name
        self.__doc__ = f"Raise NotImplementedError: {reason}."
        self.reason = reason

    def __call__(self, *args, **kwargs):
        """Raise the sentence."""
        raise NotImplementedError(f"For '{self.__name__}', nothing can be done here: {self.reason}.")

    def __repr__(self):
        return f"<{self.__name__}, which minispore refuses>"


globals().update({name: Refusal(name, reason) for name, reason in REFUSALS.items()})
