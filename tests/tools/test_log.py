"""MindSpore's log: what is written, and from which level on."""

import logging

import pytest

import minispore as ms
from minispore.tools import log


@pytest.fixture
def at_level(monkeypatch):
    """A function that sets GLOG_v and has the log read it."""

    def begin(level):
        log._lowest.cache_clear()
        monkeypatch.setenv("GLOG_v", level)

    yield begin
    log._lowest.cache_clear()


@pytest.mark.parametrize(("level", "written"), [("0", 5), ("2", 3), ("4", 1), ("", 3), ("x", 3)])
def test_messages_from_the_level_on_are_written(at_level, capsys, level, written):
    at_level(level)
    for write in (log.debug, log.info, log.warning, log.error, log.critical):
        write("step %d", 3)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == written and all("step 3" in line and "test_log.py" in line for line in lines)
    assert lines[-1].startswith("[CRITICAL] ME(")


def test_a_message_leaves_the_packages_own_logger_as_it_was(at_level, capsys):
    """Warnings of the package reach a user's handlers before the first message of this module and after it."""
    logger = logging.getLogger("minispore")
    before = logger.propagate, logger.level, list(logger.handlers)
    at_level("2")
    log.warning("a message")
    assert (logger.propagate, logger.level, logger.handlers) == before and logger.propagate
    assert "a message" in capsys.readouterr().err


def test_handlers_and_the_level_of_the_packages_logger_count_for_these_messages_too(at_level, capsys):
    at_level("1")
    logger, heard = logging.getLogger("minispore"), []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: heard.append(record.getMessage())
    logger.addHandler(handler)
    try:
        log.info("below the handler's level")
        log.warning("heard")
        logger.setLevel(logging.ERROR)
        log.warning("below the logger's level")
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)
    assert heard == ["heard"]
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_an_exception_is_written_with_its_traceback(at_level, capsys):
    at_level("2")
    try:
        raise KeyError("lost")
    except KeyError:
        log.exception("while reading")
    written = capsys.readouterr().err
    assert "while reading" in written and "KeyError: 'lost'" in written and "test_log.py" in written


def test_the_level_is_told(monkeypatch):
    monkeypatch.setenv("GLOG_v", "3")
    assert ms.get_level() == log.get_level() == 3
    assert ms.get_log_config() == {"GLOG_v": "3", "GLOG_logtostderr": "1"}


class Written(list):
    """A log that keeps its warnings."""

    def warning(self, message):
        self.append(message)


def test_functions_of_one_key_warn_in_the_first_call_only():
    written, key = Written(), object()
    warn = [log._LogActionOnce(written, key)(lambda name: written.warning(name) or name) for _ in range(2)]
    assert [warn[0]("a"), warn[0]("b"), warn[1]("c")] == ["a", "b", "c"] and written == ["a"]
    log._LogActionOnce(written, object(), no_warning=True)(lambda: written.warning("d"))()
    written.warning("e")
    assert written == ["a", "e"]


def test_a_failed_call_gives_the_log_its_warnings_back():
    written, key = Written(), object()

    def failing():
        written.warning("a")
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError):
            log._LogActionOnce(written, key)(failing)()
    written.warning("b")
    assert written == ["a", "b"]
