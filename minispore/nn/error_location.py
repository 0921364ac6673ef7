"""Error location: an error inside a network carries a note with the path of its cell and the user's line.

An error passes the running cells on its way out, the innermost first. The innermost cell makes the note. Each further
one prepends the name under which it holds the previous cell. So a run without errors costs nothing. Tracebacks of
Python 3.10 print no notes, but ``__notes__`` holds it there, too.
"""

import inspect
import linecache
from itertools import chain, repeat

from minispore.core.errors import escaped, is_own_sentence, type_error
from minispore.core.tensor import Tensor
from minispore.core.tracebacks import entries, fold, is_hidden
from minispore.nn.nest_paths import keys_to

__all__ = []

_OWN = ("_cells", "_params", "cell_list")  # internal attributes


class _Note(str):
    """The note of an error, with the state that outer cells need to complete it. A pickled one is plain text."""

    def __new__(cls, outermost, innermost, path, line):
        where = f"In the cell {outermost.cls_name}{path}"
        kind = f" ({innermost})" if path else ""
        note = super().__new__(cls, escaped(f"{where}{kind}{f', at {line}' if line else ''}"))
        note.outermost, note.innermost, note.path, note.line = outermost, innermost, path, line
        return note

    def __reduce__(self):
        return str, (str(self),)


def tell_where(error, cell, args, kwargs):
    """Add to ``error`` a note of its place as it leaves ``cell``, and fold its traceback.

    Args:
        error (Exception): The error.
        cell (Cell): The cell that it leaves.
        args (tuple): The cell's inputs.
        kwargs (dict): Its inputs by keyword.

    Raises:
        TypeError: In the name of the layer, if it is the innermost cell and its inputs are of a wrong kind.
        ValueError: In the name of the layer, if it is the innermost cell and its inputs do not fit.
    """
    if isinstance(error, RecursionError):
        return  # the stack has no room for a search, and the path would be endless
    if _note_of(error) is None:
        own = _misfit(cell, args, kwargs) or _not_a_tensor(error, cell, args, kwargs)
        if own is not None:
            _add_note(own, cell)
            raise own.with_traceback(None) from None
    _add_note(error, cell)
    fold(error)


def _misfit(cell, args, kwargs):
    """An error in the name of the layer ``cell`` if its inputs do not fit; otherwise, and for a user's cell, None."""
    code = code_of(cell)
    if code is None or not is_hidden(code):
        return None
    try:
        cell._check_fit(*args, **kwargs)
    except (TypeError, ValueError) as own:
        return own if is_own_sentence(own) else None  # for a wrong number of inputs Python's error is the better one
    return None


def _not_a_tensor(error, cell, args, kwargs):
    """The error in the name of ``cell`` if the package used an attribute of an input that only a Tensor has; else None.

    Layers do not check their inputs first: checks would slow every call, and the AttributeError shows the same.
    """
    if not isinstance(error, AttributeError) or (error.name is error.obj is None) or not is_hidden(_last_code(error)):
        return None
    code = code_of(cell)
    names = chain(code.co_varnames[1 : code.co_argcount] if code else (), repeat("inputs"))
    for name, x in (*zip(names, args, strict=False), *kwargs.items()):
        if x is error.obj and not isinstance(x, Tensor):
            return type_error(cell.cls_name, f"the '{name}' must be a Tensor", type(x).__name__)
    return None


def _last_code(error):
    """The code that raised ``error``."""
    return [entry.tb_frame.f_code for entry in entries(error.__traceback__)][-1]


def _notes_of(error):
    notes = getattr(error, "__notes__", None)
    return notes if isinstance(notes, list) else []


def _note_of(error):
    return next((note for note in _notes_of(error) if type(note) is _Note), None)


def _add_note(error, cell):
    """Make the note of ``error``, or complete its present one."""
    note = _note_of(error)
    if note is None:
        new = _Note(cell, cell.cls_name, "", _line_of(error, cell))
        BaseException.__setattr__(error, "__notes__", [*_notes_of(error), new])  # even if its class forbids assignment
        return
    held = "" if note.outermost is cell else name_in(cell, note.outermost)
    new = _Note(cell, note.innermost, held + note.path, note.line or _line_of(error, cell))
    _notes_of(error)[:] = [new if old is note else old for old in _notes_of(error)]


def name_in(holder, cell):
    """The path from ``holder`` to ``cell``: ``.layers.0``, ``.branches['left']``; ``->Dense`` if it is not found."""
    parts = [(f".{path}" if path else "", part) for path, part in holder.cells_and_names()]
    for path, part in parts:
        if part is cell:
            return path
    for path, part in parts:
        for name, value in vars(part).items():
            found = None if name in _OWN else keys_to(cell, value)
            if found is not None:
                return f"{path}.{name}{''.join(f'[{key!r}]' for key in found)}"
    return f"->{cell.cls_name}"


def code_of(cell):
    """The code of a cell's ``construct``, or None."""
    return getattr(inspect.unwrap(cell.construct), "__code__", None)


def _line_of(error, cell):
    """The line of the user's ``construct`` of ``cell`` in the traceback, as ``file:line: text``, or None."""
    code = code_of(cell)
    if code is None or is_hidden(code):
        return None
    for entry in entries(error.__traceback__):
        if entry.tb_frame.f_code is code:
            return _shown(*_original(cell, code.co_filename, entry.tb_lineno))
    return None


def place_of(frame, cells):
    """``(file, number)`` of the user's line in ``frame``; ``cells`` are the running cells, the outermost first."""
    code, number = frame.f_code, frame.f_lineno
    cell = next((cell for cell in reversed(cells) if code_of(cell) is code), None)
    return (code.co_filename, number) if cell is None else _original(cell, code.co_filename, number)


def _shown(filename, number):
    text = linecache.getline(filename, number).strip()
    return f"{filename}:{number}" + (f": {text}" if text else "")


def _original(cell, filename, number):
    """The user's line for a line of a generated class: the line with the same call, otherwise the line of ``def``.

    Other classes, and generated ones without a source, keep their own lines.
    """
    recipe = getattr(type(cell), "rewritten_recipe", None)
    if recipe is None or recipe.function is None:
        return filename, number
    code = inspect.unwrap(recipe.function).__code__
    call = linecache.getline(filename, number).rpartition(" = ")[2].partition("(")[0].strip() + "("
    # The generated text has other line numbers. But `x = self.conv(x)` keeps its call, so a unique call finds its line.
    lines = sorted({line for _, _, line in code.co_lines() if line is not None})
    same = [line for line in lines if call in linecache.getline(code.co_filename, line)]
    return code.co_filename, same[0] if len(same) == 1 else code.co_firstlineno
