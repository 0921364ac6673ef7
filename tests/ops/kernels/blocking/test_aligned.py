"""Memory at cache lines and in huge pages."""

import platform
from pathlib import Path

import numpy as np
import pytest
from core.test_startup import run

from minispore.ops.kernels.blocking import aligned

HEAP = "import json, re; flags = re.findall(r'\\[heap\\].*?VmFlags:([^\\n]*)', open('/proc/self/smaps').read(), re.S); "
HEAP += "held = int(re.search(r'VmRSS:\\s+(\\d+)', open('/proc/self/status').read())[1]); "
HEAP += "print(json.dumps([s.REPORT['allocator'], any('hg' in each.split() for each in flags), held]))"
STARTED = "import minispore, minispore.core._startup as s; "
FLAGS = Path("/proc/self/smaps")
HAS = platform.libc_ver()[0] == "glibc" and aligned._has_huge_pages() and "VmFlags" in FLAGS.read_text()
has_huge_pages = pytest.mark.skipif(not HAS, reason="the system has no huge pages for a process that asks")


@has_huge_pages
def test_the_heap_is_in_huge_pages_and_holds_no_more_memory():
    text, flagged, held = run(STARTED + HEAP)
    assert (text, flagged) == ("freed blocks are kept, in huge pages", True)
    text, flagged, before = run(STARTED + HEAP, NUMPY_MADVISE_HUGEPAGE="0")
    assert (text, flagged) == ("freed blocks are kept", False)
    assert held < before + 4096, "kilobytes: two pages of 2 MiB at most"


@has_huge_pages
def test_no_addresses_are_taken_where_they_are_limited():
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)); "
    assert run(limit + STARTED + HEAP)[:2] == ["freed blocks are kept", False]


@pytest.mark.parametrize("text", [None, "always madvise [never]\n"])
def test_a_system_without_huge_pages_is_not_asked(text, tmp_path, monkeypatch):
    monkeypatch.setattr(aligned, "_ENABLED", tmp_path / "enabled")
    if text is not None:
        aligned._ENABLED.write_text(text)
    monkeypatch.setattr(aligned.ctypes, "CDLL", None)
    assert not aligned._has_huge_pages() and not aligned._ask_for_huge_pages()


@pytest.mark.parametrize("make", [aligned.empty, aligned.zeros])
@pytest.mark.parametrize("shape", [(), (3,), (1 << 18, 2), (1000, 1001), (0, 5)])
@pytest.mark.parametrize("kind", [np.float32, np.float16, np.bool_])
def test_large_arrays_begin_at_a_cache_line(make, shape, kind):
    x = make(np, shape, np.dtype(kind))
    assert (x.shape, x.dtype) == (shape, kind) and x.flags.c_contiguous and x.flags.writeable
    if x.nbytes >= 1 << 20:
        assert x.__array_interface__["data"][0] % 64 == 0
    if make is aligned.zeros:
        assert not x.any()
