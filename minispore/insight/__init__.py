"""Insight: what mixed precision did to a network, and why a training step was not finite.

Reading order: ``sites``, ``operator_stats``, ``numerics``, ``tensor_checker``, ``wide``, ``wraps``, ``non_finite``,
``speaker``, ``subjects``, ``counters``, ``attempts``, ``search``, ``causes``, ``sizes``, ``verdict``, ``overflow``,
``watching``, ``shadow``, ``exponents``, ``places``, ``forms``, ``precision_records``, ``precision``, ``form_errors``,
``planner``, ``charts``, ``sections``, ``report``.
"""

import warnings

from minispore.insight.form_errors import FormError
from minispore.insight.numerics import Numerics, check_numerics
from minispore.insight.operator_stats import OperatorRecord, OperatorStats, collect_operator_stats
from minispore.insight.overflow import explain_overflow
from minispore.insight.planner import Plan, PlanStep, plan
from minispore.insight.precision import PrecisionReport, precision_report
from minispore.insight.precision_records import PrecisionRecord
from minispore.insight.report import Report
from minispore.insight.sections import Course
from minispore.insight.tensor_checker import TensorChecker, TensorRecord
from minispore.insight.verdict import OverflowVerdict
from minispore.insight.watching import NotFiniteStep, watch

__all__ = [
    "Course",
    "FormError",
    "NotFiniteStep",
    "Numerics",
    "OperatorRecord",
    "OperatorStats",
    "OverflowVerdict",
    "Plan",
    "PlanStep",
    "PrecisionRecord",
    "PrecisionReport",
    "Report",
    "TensorChecker",
    "TensorRecord",
    "check_numerics",
    "collect_operator_stats",
    "explain_overflow",
    "plan",
    "precision_report",
    "watch",
]


def __getattr__(name):
    if name == "SkippedStep":  # until 0.3
        warnings.warn("insight.SkippedStep is now called NotFiniteStep.", DeprecationWarning, stacklevel=2)
        return NotFiniteStep
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name)
