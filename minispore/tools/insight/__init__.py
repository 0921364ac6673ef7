"""Insight: the effects of mixed precision on a network, and the reasons why a training step is not finite.

Reading order: ``operation_sites``, ``operator_stats``, ``numerics``, ``tensor_checker``, ``in_float64``, ``wraps``,
``non_finite``, ``leader``, ``subjects``, ``counters``, ``reruns``, ``search``, ``causes``, ``sizes``, ``verdict``,
``overflow``, ``forms``, ``low_bits``, ``low_bit_course``, ``watching``, ``float64_reference``, ``exponents``,
``cell_paths``, ``precision_records``, ``precision``, ``form_errors``, ``planner``, ``charts``, ``sections``,
``report``.
"""

import warnings

from minispore.dropin.addresses import open_modules as _open_modules
from minispore.tools.insight.form_errors import FormError
from minispore.tools.insight.low_bit_course import LowBitStep
from minispore.tools.insight.low_bits import LowBitGradient, LowBitOperand, LowBitReport, low_bit_report
from minispore.tools.insight.numerics import Numerics, check_numerics
from minispore.tools.insight.operator_stats import OperatorRecord, OperatorStats, collect_operator_stats
from minispore.tools.insight.overflow import explain_overflow
from minispore.tools.insight.planner import Plan, PlanStep, plan
from minispore.tools.insight.precision import PrecisionReport, precision_report
from minispore.tools.insight.precision_records import PrecisionRecord
from minispore.tools.insight.report import Report
from minispore.tools.insight.sections import Course
from minispore.tools.insight.tensor_checker import TensorChecker, TensorRecord
from minispore.tools.insight.verdict import OverflowVerdict
from minispore.tools.insight.watching import NotFiniteStep, watch

__all__ = [
    "Course",
    "FormError",
    "LowBitGradient",
    "LowBitOperand",
    "LowBitReport",
    "LowBitStep",
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
    "low_bit_report",
    "plan",
    "precision_report",
    "watch",
]


def __getattr__(name):
    if name == "SkippedStep":  # until 0.3
        warnings.warn("insight.SkippedStep is now called NotFiniteStep.", DeprecationWarning, stacklevel=2)
        return NotFiniteStep
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'", name=name)


_open_modules()
