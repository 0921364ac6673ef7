"""The course that grades itself: exercises with hints, checked by the laws of the conformance kit.

``minispore course list | start N | check N | hint N`` is its command. Each folder of ``exercises`` is one exercise: its
text, the file that the reader mends, and how it is graded. Reading order: ``exercise``, ``verdict``, ``reading``,
``checks``, ``by_check``, ``by_law``, ``by_mutants``, ``grader``, ``judging``, ``progress``, ``desk``.
"""

from minispore.tools.course.by_mutants import mutant
from minispore.tools.course.reading import load

__all__ = ["load", "mutant"]
