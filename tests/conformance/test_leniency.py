"""What MindSpore 2.0.0 and 2.7.0 take in place of usual arguments is taken here, with the same value."""

import gzip
import json
import re
from pathlib import Path

from conformance.cases import leniency

import minispore as ms

FILE = Path(__file__).parent / "vectors" / "leniency.json.gz"
RECORDED = json.loads(gzip.decompress(FILE.read_bytes()))
VERSIONS = ("2.0.0", "2.7.0")
REFUSED = {}
DIFFERENT = {}


def matches(table, call):
    return [reason for reason, pattern in table.items() if re.search(pattern, call)]


def taken_by_both(row):
    return all(row[version].startswith("takes") for version in VERSIONS)


def test_what_both_take_is_taken():
    refused = [call for call, row in RECORDED.items() if taken_by_both(row) and not matches(REFUSED, call)]
    assert [call for call in refused if not leniency.outcome(ms, call).startswith("takes")] == []
