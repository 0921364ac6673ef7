"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.insight.operator_stats import collect_operator_stats as collect_operator_stats
from minispore.insight.numerics import check_numerics as check_numerics
