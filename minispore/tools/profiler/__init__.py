"""Measuring: how long cells and operations take.

Reading order: ``profiler``.
"""

from minispore.tools.profiler.profiler import Profiler

__all__ = ["Profiler"]
