"""Summaries: the course of a training, in event files for TensorBoard.

Reading order: ``event_file``, ``summary_record``.
"""

from minispore.training.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryRecord"]
