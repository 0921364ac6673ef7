"""The conformance kit: drawn cases, exact answers and judged laws, aimed at any implementation by its name.

``python -m minispore.testing --target minispore`` runs it; docs/how-to/testing.md is its page. It needs the extra
``testing``, which is Hypothesis. In the order of reading: ``judge`` (tolerances), ``oracles`` (exact answers),
``strategies`` (drawn cases), ``targets`` (implementations), ``laws``, ``runner``.
"""

from minispore.tools.testing.judge import Verdict, judge
from minispore.tools.testing.ran_in import ran_in

__all__ = ["Verdict", "judge", "ran_in"]
