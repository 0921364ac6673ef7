"""What MindSpore 2.0.0 and 2.7.0 take in place of usual arguments is taken here, with the same value.

The recorded calls are those that both take. A refusal has a row here and in ``docs/reference/quirks.md``.
"""

import gzip
import json
import re
from pathlib import Path

import pytest
from conformance.cases import leniency

import minispore as ms

FILE = Path(__file__).parent / "vectors" / "leniency.json.gz"
RECORDED = json.loads(gzip.decompress(FILE.read_bytes()))
LEDGER = Path(__file__).parents[2] / "docs" / "reference" / "quirks.md"
REFUSED = {  # the words of the ledger's row -> a pattern of calls
    "a bool for a number": r"\bbool\(|\bTrue\b",
    "a float for an int": r"\bfloat\(",
    "a Tensor or an array for a constant of an operation": r"ms\.Tensor\(|np\.(array|bool_|float32|int32|int64)\(",
    "another kind for `drop_overflow_update`": r"^ms\.FixedLossScaleManager\(2\.0, ",
    "an iterator for the sizes of windows and borders": r"^nn\.LPPool2d\(.*(iter\(|map\(| for x in )",
}
DIFFERENT = {  # why a value differs -> a pattern of calls
    "weights and noise are drawn": r"^(nn\.(Conv|Dense|Embedding|GRU|LSTM|RNN|MultiheadAttention)|Net\(\)\.to_float)",
    "a mode is a bool, and a scale a number, whatever was given": r"^Net\(\)\.set_|^(ms|nn)\.(Fixed|Dynamic)LossScale",
    "rounded differently": r"^nn\.(LayerNorm|Cosine)|^(ops|f\(2, 3\))\.(det|inverse|log_matrix|logdet|logit|pinv)",
    "MindSpore's CPU ignores use_nesterov of Momentum": r"nn\.Momentum\(.*use_nesterov=True",
    "bins that neither rise nor fall": r"^mnp\.digitize\(f\(\), i\(3\)",
    "MindSpore writes into freed memory of a Tensor that no name holds": r"^ops\.scatter_",
    "a tuple of its arguments": r"^ops\.make_tuple",
    "a factor that is not triangular": r"^ops\.cholesky_inverse\(f\(3, 3\)\)$",
}


def reasons(table, call):
    return [reason for reason, pattern in table.items() if re.search(pattern, call)]


_FOUND = {}


@pytest.fixture
def found(restored):
    """The outcome of each call, by the call. They run once, and what they set is taken back."""
    if not _FOUND:
        _FOUND.update({call: leniency.outcome(ms, call) for call in RECORDED})
    return _FOUND


def test_what_both_take_is_taken_or_has_a_row(found):
    refused = [call for call, outcome in found.items() if outcome.startswith("refuses")]
    assert [call for call in refused if not reasons(REFUSED, call)] == []
    assert len(refused) <= 303


def test_each_row_is_needed_and_in_the_ledger(found):
    refused = [call for call, outcome in found.items() if outcome.startswith("refuses")]
    ledger = LEDGER.read_text(encoding="utf-8")
    for reason in REFUSED:
        assert reason in ledger and any(reasons(REFUSED, call)[:1] == [reason] for call in refused)


def test_what_is_taken_has_the_same_value(found):
    taken = {call: outcome for call, outcome in found.items() if outcome.startswith("takes")}
    differing = [call for call, outcome in taken.items() if outcome not in RECORDED[call].values()]
    assert [call for call in differing if not reasons(DIFFERENT, call)] == []
