"""What is read of a running import statement."""

import sys

from minispore.dropin import probes

FRAME = sys._getframe


def test_the_statement_at_a_line_is_found_with_what_is_around_it():
    try:
        statement = probes.statement_at(FRAME())
    except ImportError:
        raise
    assert [type(node).__name__ for node in statement.around[1:3]] == ["FunctionDef", "Try"]
    assert (statement.node, statement.module()) == (None, "")


def test_a_guard_is_one_that_names_the_error():
    try:
        assert probes.is_guarded(FRAME(), KeyError) and not probes.is_guarded(FRAME(), ValueError)
    except KeyError:
        raise
    try:
        assert probes.is_guarded(FRAME(), ValueError)  # a probe may wait for AttributeError in place of another
    except AttributeError:
        raise
    assert not probes.is_guarded(FRAME(), KeyError)


def test_text_that_cannot_be_read_counts_as_guarded():
    names = {"probes": probes, "FRAME": FRAME}
    exec("found = probes.is_guarded(FRAME(), KeyError), probes.statement_at(FRAME())", names)
    assert names["found"] == (True, None)


def test_importing_frames_leave_out_those_of_the_import_itself():
    assert probes.importing_frame(FRAME()) is FRAME() and list(probes.outer_imports(FRAME())) == []
