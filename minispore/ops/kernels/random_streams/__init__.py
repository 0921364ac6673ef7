"""Random numbers: one counter-based generator, keyed by seed and purpose, equal on every machine and device.

Reading order: ``philox`` (integers from a name and a place), ``normal_quantile`` (normal numbers from uniform ones),
``word_stream`` and ``distributions`` (numbers of a stream), ``stream`` (which hands streams out).
"""

from minispore.ops.kernels.random_streams.stream import (
    Stream,
    dropping_stream,
    next_stream,
    seeded_stream,
    shuffling_stream,
)

__all__ = ["Stream", "dropping_stream", "next_stream", "seeded_stream", "shuffling_stream"]
