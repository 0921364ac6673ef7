"""MindSpore's log: messages of five levels on standard error, of which ``GLOG_v`` in the environment chooses.

``GLOG_v`` is 0 for debug, 1 for info, 2 for warning (the default), 3 for error and 4 for critical. It is read when the
first message is written.

Examples:
    >>> from minispore import log
    >>> log.get_level() in range(5)
    True
"""

from __future__ import annotations

import functools
import logging
import os
import sys
from typing import Any, ClassVar

__all__ = ["get_level", "get_log_config"]

_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)
_FORMAT = "[%(levelname)s] ME(%(process)d:%(thread)d,%(processName)s):%(asctime)s [%(pathname)s:%(lineno)d] %(message)s"


class _OnStandardError(logging.StreamHandler):
    """Writes to what ``sys.stderr`` is at the time of the message."""

    def __init__(self):
        logging.Handler.__init__(self)

    @property
    def stream(self):
        return sys.stderr


class _ToThePackage(logging.Handler):
    """Hands a message to the handlers that users give the logger "minispore"."""

    def emit(self, record):
        for handler in _package.handlers:
            if record.levelno >= handler.level:
                handler.handle(record)


class _FromTheLevelOn(logging.Filter):
    """Lets a message pass from the level of ``GLOG_v`` on, and from that which users give the logger "minispore"."""

    def filter(self, record):
        return record.levelno >= max(_LEVELS[_lowest()], _package.level)


def _made():
    """The logger of all messages of this module; they go on standard error, and to no handler of the root logger.

    It is made at the import and stays as it is. Where a message goes does not depend on those before it. Other rooms
    write to it by its name, "minispore.log", and do not know this module.
    """
    logger = logging.getLogger("minispore.log")
    handler = _OnStandardError()
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger.addHandler(handler)
    logger.addHandler(_ToThePackage())
    logger.addFilter(_FromTheLevelOn())
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    return logger


_package = logging.getLogger("minispore")
_logger = _made()


@functools.cache
def _lowest():
    """``GLOG_v`` as the first message finds it."""
    return get_level()


def _writer(level):
    def write(msg, *args, **kwargs):
        kwargs["stacklevel"] = kwargs.get("stacklevel", 1) + 1
        _logger.log(_LEVELS[level], msg, *args, **kwargs)

    write.__name__ = write.__qualname__ = logging.getLevelName(_LEVELS[level]).lower()
    write.__doc__ = f"Log a message at level {level}, with ``%`` arguments as in Python's ``logging``."
    return write


debug, info, warning, error, critical = map(_writer, range(5))


def exception(msg, *args, **kwargs):
    """Log a message at level 3 with the traceback of the error that is being handled."""
    error(msg, *args, **{"exc_info": True, "stacklevel": 2, **kwargs})


class _LogActionOnce:
    """Decorate a function: from its second call on, with other functions of one ``key``, its warnings are not written.

    Args:
        logger (object): What the function warns with: this module, or an object with a method ``warning``.
        key (str): What the functions that warn once together share.
        no_warning (bool): Whether not even the first call warns. Default: False.
    """

    is_logged: ClassVar = {}  # the keys of which a function was called

    def __init__(self, logger, key, no_warning=False):
        self.logger, self.key, self.no_warning = logger, key, no_warning

    def __call__(self, func):
        """The function with its warnings written at most once."""

        @functools.wraps(func)
        def called(*args, **kwargs):
            if not self.no_warning and not self.is_logged.get(self.key):
                self.is_logged[self.key] = True
                return func(*args, **kwargs)
            write, self.logger.warning = self.logger.warning, lambda *args, **kwargs: None
            try:
                return func(*args, **kwargs)
            finally:
                self.logger.warning = write

        return called


def get_level() -> Any:
    """The lowest level that is written, 0 to 4: ``GLOG_v``, or 2 where that is unset or no level."""
    given = os.environ.get("GLOG_v", "")  # noqa: SIM112 - the name is MindSpore's
    return int(given) if given in ("0", "1", "2", "3", "4") else 2


def get_log_config() -> Any:
    """The settings of the log: ``{"GLOG_v": "2", "GLOG_logtostderr": "1"}``."""
    return {"GLOG_v": str(get_level()), "GLOG_logtostderr": "1"}
