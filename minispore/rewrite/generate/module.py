"""Module: the source of classes as a file that can be imported: what their names mean becomes imports."""

import ast
import builtins
import keyword
import re
import symtable
import sys
from pathlib import Path
from types import ModuleType

from minispore.rewrite.namer import Namer

_NOWHERE = object()
_MISSING = "# To be defined here, for nothing can be imported from where they were defined: {}."
_DEFAULTS = "# A default that is written as '...' is an object of the original's."


def module_text(recipes):
    """The classes of recipes in order, each once, under their imports, after generated classes that they subclass."""
    texts = _texts(recipes)
    imports, missing = {}, {}
    for recipe, name, text in texts:
        for outside in _outside_names(recipe, text):
            value = _meaning(recipe, outside)
            line = value is not _NOWHERE and _import_of(outside, value, recipe.base.__module__)
            if all(outside != other for _, other, _ in texts):
                (imports if line else missing)[line or outside] = True
    comments = [_MISSING.format(", ".join(missing))] if missing else []
    comments += [_DEFAULTS] if any("=..." in text for _, _, text in texts) else []
    head = "\n".join([*sorted(imports, key=lambda line: (line.startswith("from"), line)), *comments])
    return "\n\n\n".join([*([head] if head else []), *(text.rstrip() for _, _, text in texts)]) + "\n"


def _texts(recipes):
    """Each recipe with the name of its class in the file and its text there; alike ones are written once."""
    names, taken, written = {}, Namer(), {}
    for recipe in (each for recipe in recipes for each in _with_bases(recipe)):
        known = written.get((recipe.base, recipe.text))
        names[recipe] = known[1] if known else taken.unique(recipe.name)
        if not known:
            base = names.get(vars(recipe.base).get("recipe"), recipe.base.__name__)
            written[recipe.base, recipe.text] = recipe, names[recipe], _text_alone(recipe, names[recipe], base)
    return list(written.values())


def _with_bases(recipe):
    before = vars(recipe.base).get("recipe")
    return [*(_with_bases(before) if before else []), recipe]


def _text_alone(recipe, name, base):
    """The text of the class as ``name(base)``, with the class that ``super()`` starts from named if it is the base."""
    text = recipe.text.replace(f"class {recipe.name}({recipe.base.__name__}):", f"class {name}({base}):", 1)
    if recipe.function is None or "__class__" not in recipe.function.__code__.co_freevars:
        return text
    return re.sub(r"\bsuper\(\)", f"super({base}, {recipe.function.__code__.co_varnames[0]})", text)


def _outside_names(recipe, text):
    """The names that a text reads and does not bind, in order; builtins that nobody hides are none."""
    found, tables = {}, [symtable.symtable(text, "<text>", "exec")]
    for table in tables:
        tables += table.get_children()
        found.update((s.get_name(), True) for s in table.get_symbols() if s.is_referenced() and s.is_global())
    return [name for name in found if _meaning(recipe, name) is not getattr(builtins, name, 0)]


def _meaning(recipe, name):
    """What a name in the text means; _NOWHERE if nothing."""
    if name == recipe.base.__name__:
        return recipe.base
    captured = recipe.captured()
    if name in captured:
        try:
            return captured[name].cell_contents
        except ValueError:  # not bound yet
            return _NOWHERE
    known = recipe.function.__globals__ if recipe.function is not None else {}
    return known.get(name, getattr(builtins, name, _NOWHERE))


def _import_of(name, value, home):
    """The line that imports ``value`` as ``name``: from where it is defined, or else from ``home``; "" if none does."""
    if isinstance(value, ModuleType):
        return _module_import(name, value)
    defined, attribute = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    packages = defined.split(".") if isinstance(defined, str) else []
    places = [(".".join(packages[: i + 1]), attribute) for i in range(len(packages))]
    for module, attribute in (*places, (home, name)):
        found = _is_found(module, attribute, value) and _importable(module)
        if found:
            return f"from {found} import {attribute}" + (f" as {name}" if attribute != name else "")
    return ""


def _module_import(name, module):
    path = module.__name__
    if sys.modules.get(path) is not module:
        return ""
    package, _, last = path.rpartition(".")
    if path == name:
        return f"import {path}"
    return (
        f"from {package} import {last}" + (f" as {name}" if last != name else "")
        if package
        else f"import {path} as {name}"
    )


def _is_found(module, attribute, value):
    legal = isinstance(attribute, str) and attribute.isidentifier() and not keyword.iskeyword(attribute)
    return legal and vars(sys.modules.get(module, ast)).get(attribute, _NOWHERE) is value


def _importable(module):
    """The name under which a module can be imported; the script that runs has its file's."""
    if module != "__main__":
        return module
    stem = Path(getattr(sys.modules[module], "__file__", None) or "").stem
    return stem if stem.isidentifier() else ""
