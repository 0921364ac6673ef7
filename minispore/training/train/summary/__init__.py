"""Summaries: what happens in a training, in event files that TensorBoard shows.

Reading order: ``event_file``, ``summary_record``.
"""

from minispore.training.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryRecord"]
