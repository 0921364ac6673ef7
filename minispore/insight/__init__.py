"""Insight: what mixed precision did to a network, and why a training step overflowed.

Reading order: ``sites``, ``operator_stats``, ``numerics``, ``tensor_checker``, ``wide``, ``non_finite``, ``attempts``,
``overflow``, ``watching``, ``shadow``, ``exponents``, ``places``, ``forms``, ``precision``, ``charts``, ``report``.
"""

from minispore.insight.numerics import Numerics, check_numerics
from minispore.insight.operator_stats import OperatorRecord, OperatorStats, collect_operator_stats
from minispore.insight.overflow import OverflowVerdict, explain_overflow
from minispore.insight.precision import PrecisionRecord, PrecisionReport, precision_report
from minispore.insight.report import Course, Report
from minispore.insight.tensor_checker import TensorChecker, TensorRecord
from minispore.insight.watching import SkippedStep, watch

__all__ = [
    "Course",
    "Numerics",
    "OperatorRecord",
    "OperatorStats",
    "OverflowVerdict",
    "PrecisionRecord",
    "PrecisionReport",
    "Report",
    "SkippedStep",
    "TensorChecker",
    "TensorRecord",
    "check_numerics",
    "collect_operator_stats",
    "explain_overflow",
    "precision_report",
    "watch",
]
