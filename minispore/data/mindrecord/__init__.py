"""MindRecord files: written, read, and the same as MindSpore's.

A file has a header and pages of equal size. Beside it is an index, a table of SQLite with the place of each row.
Reading order: ``status``, ``msgpack``, ``layout`` (bytes of a row), ``row_schema``, ``files`` (what all readers share),
``filewriter``, ``filereader``. The converters are in ``dataset/to_mindrecord.py``, as they read what datasets do.
"""

from minispore.data.mindrecord.filereader import FileReader
from minispore.data.mindrecord.filewriter import FileWriter
from minispore.data.mindrecord.status import FAILED, SUCCESS
from minispore.dropin import addresses as _addresses

__all__ = ["FAILED", "SUCCESS", "FileReader", "FileWriter", *_addresses.names_added_to(__name__)]
_addresses.open_modules()
