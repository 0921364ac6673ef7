"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['array_equal', 'array_equiv', 'equal', 'greater', 'greater_equal', 'in1d', 'isclose', 'isfinite', 'isin', 'isinf', 'isnan', 'isneginf', 'isposinf', 'isscalar', 'less', 'less_equal', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'not_equal', 'signbit', 'sometrue']

from minispore.numpy import array_equal as array_equal
from minispore.numpy import array_equiv as array_equiv
from minispore.numpy import equal as equal
from minispore.numpy import greater as greater
from minispore.numpy import greater_equal as greater_equal
from minispore.numpy import in1d as in1d
from minispore.numpy import isclose as isclose
from minispore.numpy import isfinite as isfinite
from minispore.numpy import isin as isin
from minispore.numpy import isinf as isinf
from minispore.numpy import isnan as isnan
from minispore.numpy import isneginf as isneginf
from minispore.numpy import isposinf as isposinf
from minispore.numpy import isscalar as isscalar
from minispore.numpy import less as less
from minispore.numpy import less_equal as less_equal
from minispore.numpy import logical_and as logical_and
from minispore.numpy import logical_not as logical_not
from minispore.numpy import logical_or as logical_or
from minispore.numpy import logical_xor as logical_xor
from minispore.numpy import not_equal as not_equal
from minispore.numpy import signbit as signbit
from minispore.numpy import sometrue as sometrue
