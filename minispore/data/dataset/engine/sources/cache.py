"""DatasetCache: MindSpore's client of a cache server; here there is no such server."""

from minispore.core.errors import runtime_error
from minispore.ops.object_text import of_arguments

__all__ = ["DatasetCache"]


class DatasetCache:
    """Refused: there is no cache server. Data that fits is kept in memory by ``NumpySlicesDataset``.

    Raises:
        RuntimeError: Always.
    """

    __repr__ = of_arguments

    def __init__(
        self, session_id, size=0, spilling=False, hostname=None, port=None, num_connections=None, prefetch_size=None
    ):
        expected = "there must be a cache server, which this package has not: leave out 'cache'"
        raise runtime_error("DatasetCache", expected)
