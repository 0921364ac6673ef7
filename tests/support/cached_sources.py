"""Have hypothesis read the source of a test function once, not twice for each of its parameters.

The digest of a test, which says what is drawn for it, is made of that text; parsing it anew takes as long as several
examples of a small primitive. A hypothesis that keeps its texts elsewhere is left as it is.
"""

import functools
import inspect
import types

from hypothesis.internal import reflection

if hasattr(reflection, "_clean_source") and getattr(reflection, "inspect", None) is inspect:
    reflection._clean_source = functools.cache(reflection._clean_source)
    reflection.inspect = types.SimpleNamespace(**{**vars(inspect), "getsource": functools.cache(inspect.getsource)})
