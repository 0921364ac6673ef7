"""MindRecord files: written, read, and the same as MindSpore's.

A file has a header, pages of equal size, and an index beside it, a table of SQLite that says where each row stands.
Reading order: ``status``, ``msgpack``, ``layout`` (bytes of a row), ``schemas``, ``files`` (what all
readers share), ``filewriter``, ``filereader``. The converters are in ``dataset/to_mindrecord.py``, as they read what
datasets do.
"""

from minispore.data.mindrecord.filereader import FileReader
from minispore.data.mindrecord.filewriter import FileWriter
from minispore.data.mindrecord.status import FAILED, SUCCESS
from minispore.dropin import addresses as _addresses

__all__ = ["FAILED", "SUCCESS", "FileReader", "FileWriter", *_addresses.names_added_to(__name__)]
_addresses.open_modules()
