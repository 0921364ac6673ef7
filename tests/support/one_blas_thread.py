"""Load NumPy with one thread of BLAS in this process, as the processes of pytest have all cores already.

OpenBLAS's helper threads spin while they wait, which takes a core from the process beside this one. The environment is
left as it was: processes that a test starts choose for themselves.
"""

import os

_SWITCH = "OPENBLAS_NUM_THREADS"

if _SWITCH not in os.environ:
    os.environ[_SWITCH] = "1"
    try:
        import numpy  # noqa: F401 - OpenBLAS reads the variable as it loads
    finally:
        del os.environ[_SWITCH]
