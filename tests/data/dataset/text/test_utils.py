"""MindSpore's address ``dataset.text.utils``."""

from minispore.dataset import text


def test_the_kinds_of_sentence_piece_have_mindspores_numbers():
    kinds = [[kind.name for kind in group] for group in (text.SPieceTokenizerOutType, text.SentencePieceModel)]
    assert kinds == [["STRING", "INT"], ["UNIGRAM", "BPE", "CHAR", "WORD"]]
    assert text.SentencePieceModel.WORD == 3
