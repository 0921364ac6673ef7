"""Messages show what a terminal would obey: control characters and marks of direction come out as in source."""

import unicodedata
from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import Tensor, amp, nn, ops
from minispore.core import errors
from minispore.core.errors import escaped, shown

HOSTILE = "".join(map(chr, [*range(32), 127, *range(128, 160), 0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F)]))
HOSTILE += "".join(map(chr, [*range(0x2066, 0x206A), 0xD800, 0xDFFF]))
TEXTS = st.text(st.one_of(st.sampled_from(HOSTILE), st.characters()), max_size=30)


def is_harmless(text):
    """Whether a terminal shows all of a text; bidirectional letters, which are writing, are."""
    turning = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    return all(
        unicodedata.category(c) not in ("Cc", "Cs") and unicodedata.bidirectional(c) not in turning
        for c in text.replace("\n", "").replace("\t", "")
    ) and not {"\u061c", "\u200e", "\u200f"} & set(text)


@given(text=TEXTS)
def test_a_text_is_escaped_as_in_source_and_else_unchanged(text):
    assert is_harmless(escaped(text))
    plain = "".join(c for c in text if c not in HOSTILE or c in "\n\t")
    assert escaped(plain) == plain
    assert escaped(escaped(text)) == escaped(text)
    escaped(text).encode()  # no half of a character is left, which a file or terminal would refuse


class Named:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


@given(text=TEXTS)
def test_every_form_of_message_is_harmless(text):
    assert is_harmless(shown(Named(text))) and is_harmless(shown(text, str))
    for make in (errors.type_error, errors.value_error, errors.runtime_error):
        assert is_harmless(str(make("Op", f"the '{text}' must be", text)))
        assert is_harmless(str(make(text, "it must be", Named(text))))
    assert is_harmless(str(errors.memory_error("Op", text)))
    assert is_harmless(str(errors.Sentence(lambda: text)))


@given(text=TEXTS.filter(bool))
def test_networks_parameters_and_receipts_are_harmless(text):
    inner, net = nn.SequentialCell(nn.Dense(2, 2)), nn.CellList([nn.Dense(2, 2)])
    inner._cells[text] = nn.Dense(2, 2)
    net._cells[text] = inner
    assert is_harmless(repr(net))
    assert is_harmless(repr(ms.Parameter(Tensor([1.0]), name=text)))
    for level in ("O1", "O2"):
        assert is_harmless(str(amp.explain(inner, level)))


def test_a_note_of_where_an_error_arose_is_harmless():
    net = nn.SequentialCell(OrderedDict({"\x1b[2J": nn.SequentialCell(nn.Dense(3, 3))}))
    with pytest.raises(ValueError) as found:
        net(ops.ones((2, 2)))
    notes = found.value.__notes__
    assert notes and all(map(is_harmless, notes))
    assert "\\x1b[2J" in notes[0]
