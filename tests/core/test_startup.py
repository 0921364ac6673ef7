"""What importing minispore does to a process: quick, without optional packages, and leaving the environment alone."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

SWITCHES = ("OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "OMP_NUM_THREADS", "GOTO_NUM_THREADS", "MINISPORE_STARTUP")
SWITCHES += ("MALLOC_MMAP_THRESHOLD_", "NUMPY_MADVISE_HUGEPAGE")


def run(program, **environment):
    """What a fresh interpreter prints last, as JSON; no switch is set but those given."""
    clean = {name: value for name, value in os.environ.items() if name not in SWITCHES}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], env={**clean, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_importing_minispore_imports_no_optional_package():
    loaded = run("import minispore, sys, json; print(json.dumps(sorted(sys.modules)))")
    assert "numpy" in loaded
    assert not {"cupy", "matplotlib", "torch", "mindspore", "mpi4py"} & set(loaded)


REPORT = "import os, json; before = dict(os.environ); import minispore; import numpy; "
REPORT += "import minispore.core._startup as s; "
REPORT += "print(json.dumps([s.REPORT, before == dict(os.environ)]))"


def test_the_environment_is_as_it_was():
    report, same = run(REPORT)
    assert same
    assert "OPENBLAS_NUM_THREADS=1" in report["blas"]


def test_the_users_own_number_of_threads_comes_back():
    report, same = run(REPORT, OPENBLAS_NUM_THREADS="2")
    assert same
    assert "OPENBLAS_NUM_THREADS=1" in report["blas"]


def test_the_users_own_choice_of_kernels_stands():
    report, same = run(REPORT, OPENBLAS_CORETYPE="Haswell")
    assert (report["blas"], same) == ("OPENBLAS_NUM_THREADS=1", True)


def test_the_whole_set_up_can_be_switched_off():
    report, same = run(REPORT, MINISPORE_STARTUP="0")
    assert same
    assert list(report) == ["startup"]
    assert "off" in report["startup"]


HEAP = "import json, re; flags = re.findall(r'\\[heap\\].*?VmFlags:([^\\n]*)', open('/proc/self/smaps').read(), re.S); "
HEAP += "held = int(re.search(r'VmRSS:\\s+(\\d+)', open('/proc/self/status').read())[1]); "
HEAP += "print(json.dumps([s.REPORT['allocator'], any('hg' in each.split() for each in flags), held]))"
STARTED = "import numpy; import minispore.core._startup as s; "
HUGE = Path("/sys/kernel/mm/transparent_hugepage/enabled")
has_huge_pages = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or not HUGE.exists() or "[never]" in HUGE.read_text(),
    reason="the system has no huge pages for a process that asks",
)


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


def test_a_users_own_setting_of_the_allocator_stands():
    report, _ = run(REPORT, MALLOC_MMAP_THRESHOLD_="65536")
    assert report["allocator"] == "as the C library has it"


GARBAGE = "import gc, json; gc.collect(); count = lambda old: len(gc.get_objects(generation=2 if old else 0)); "
COUNTED = "found = [count(True), count(False)]; print(json.dumps([found, gc.isenabled(), gc.get_freeze_count()]))"


def test_what_was_imported_is_not_looked_over_for_garbage():
    (before, _), *_ = run(GARBAGE + COUNTED)
    (old, young), collects, frozen = run(GARBAGE + "import minispore; " + COUNTED)
    assert collects and not frozen
    assert old > before + 50_000 > 0 and young < 2_000


def test_what_a_user_has_frozen_stays_so():
    _, collects, frozen = run(GARBAGE + "mine = [[] for _ in range(100)]; gc.freeze(); import minispore; " + COUNTED)
    assert collects and frozen >= 100


def test_a_collection_that_was_off_stays_off():
    assert run(GARBAGE + "gc.disable(); import minispore; " + COUNTED)[1] is False


def test_numpy_may_be_imported_before():
    report, same = run("import numpy; " + REPORT)
    assert same
    assert report["blas"] == "NumPy, imported before, chose its kernels; one thread"


def test_numpys_error_state_and_print_options_are_left_alone():
    program = "import numpy as np, json; a = np.geterr(), repr(np.get_printoptions()); import minispore as ms; "
    program += "ms.grad(lambda x: x * x)(ms.Tensor(3.0)); b = np.geterr(), repr(np.get_printoptions()); "
    assert run(program + "print(json.dumps(a == b))") is True


CALLS = """
import sys, json
import numpy, ml_dtypes
calls = 0
def count(frame, event, argument):
    global calls
    calls += event in ("call", "c_call")
sys.setprofile(count)
import minispore
sys.setprofile(None)
print(json.dumps([calls, sum(name.startswith("minispore.") for name in sys.modules)]))
"""


def test_the_import_loads_no_more_modules_and_calls_few_functions_for_each():
    """Calls, of Python's functions and of C's, are the same on a fast machine and on a busy one.

    NumPy's own are no bound: its import calls 113,000 in 1.26, 145,000 in 2.4 and 103,000 in 2.5. To find and load a
    module takes Python itself some 200 calls, and 0.2 ms. So each module counts; a budget of them may shrink.
    """
    calls, modules = run(CALLS)
    assert modules <= 609
    assert calls <= 310 * modules
