"""Random numbers: one counter-based generator, named by what it is for, the same on every machine and device.

``philox`` makes integers of a name and a place, ``quantile`` normal numbers of uniform ones, ``stream`` hands them out.
"""

from minispore.random_streams.stream import Stream, dropping_stream, next_stream, seeded_stream, shuffling_stream

__all__ = ["Stream", "dropping_stream", "next_stream", "seeded_stream", "shuffling_stream"]
