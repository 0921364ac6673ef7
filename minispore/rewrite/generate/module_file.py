"""Module file: the source of classes as a module that can be imported; the values of their names become imports."""

import builtins
import os
import re
import symtable
import sys
from collections import ChainMap
from types import ModuleType

from minispore.rewrite.generate.class_text import plain_class_name
from minispore.rewrite.resolve.outside import UNKNOWN, contents
from minispore.rewrite.tree.unique_names import Namer, is_plain_name

_NOWHERE = object()
_MISSING = "# To be defined here, for nothing can be imported from where they were defined: {}."
_SCRIPT = "# The module '{}' is the script that was running."
_DEFAULTS = "# A default that is written as '...' is an object of the original's."


def module_text(recipes):
    """The classes of recipes in order, each once, under their imports, after the generated classes they subclass."""
    texts = _texts(recipes)
    names = {name for _, name, _ in texts}
    imports, missing = {}, {}
    for recipe, _, text in texts:
        for name, value in _outside(recipe, text).items():
            module, imported = _import_of(name, value, recipe.base.__module__)
            if name not in names:
                (imports.setdefault(module, {}) if imported else missing)[imported or name] = True
    head = [line for line in (_import_lines(imports), _comments(imports, missing, texts)) if line]
    return "\n\n\n".join(["\n\n".join(head), *(text.rstrip() for _, _, text in texts)]).lstrip() + "\n"


def _import_lines(imports):
    lines = [f"import {name}" for name in sorted(imports.get("", ()))]
    for module in sorted(filter(None, imports)):
        lines.append(f"from {module} import {', '.join(sorted(imports[module]))}")
    return "\n".join(lines)


def _comments(imports, missing, texts):
    """The comments for readers of the file."""
    comments = [_MISSING.format(", ".join(missing))] if missing else []
    comments += [_SCRIPT.format(_stem())] if _stem() and _stem() in imports else []
    comments += [_DEFAULTS] if any("=..." in text for _, _, text in texts) else []
    return "\n".join(comments)


def _texts(recipes):
    """Each recipe with its class name in the file and its text there; equal ones are written once."""
    names, taken, written = {}, Namer(), {}
    for recipe in (each for last in recipes for each in _with_bases(last)):
        known = written.get((recipe.base, recipe.text))
        names[recipe] = known[1] if known else taken.unique(recipe.name)
        if not known:
            alone = _text_alone(
                recipe, names[recipe], lambda cls: names.get(vars(cls).get("rewritten_recipe"), plain_class_name(cls))
            )
            written[recipe.base, recipe.text] = recipe, names[recipe], alone
    return list(written.values())


def _with_bases(recipe):
    before = vars(recipe.base).get("rewritten_recipe")
    return [*(_with_bases(before) if before else []), recipe]


def _text_alone(recipe, name, name_of):
    """The text of the class under another name, with an explicit class for ``super()`` if that is not this class."""
    head = f"class {name}({name_of(recipe.base)}):"
    text = recipe.text.replace(f"class {recipe.name}({plain_class_name(recipe.base)}):", head, 1)
    if _starts_super(recipe) is None:
        return text
    self_name = recipe.function.__code__.co_varnames[0]
    return re.sub(r"\bsuper\(\)", f"super({name_of(_starts_super(recipe))}, {self_name})", text)


def _starts_super(recipe):
    """The class whose bases ``super()`` searches, if the original's construct says ``super()``; else None."""
    names = recipe.function.__code__.co_freevars if recipe.function is not None else ()
    return recipe.captured()["__class__"].cell_contents if "__class__" in names else None


def _outside(recipe, text):
    """The values of the names that a text reads and does not bind, in order; unshadowed builtins are left out."""
    found, tables = {}, [symtable.symtable(text, "<text>", "exec")]
    for table in tables:
        tables += table.get_children()
        found.update((s.get_name(), True) for s in table.get_symbols() if s.is_referenced() and s.is_global())
    known = _known(recipe)
    meanings = {name: known.get(name, _NOWHERE) for name in found}
    return {name: value for name, value in meanings.items() if value is not vars(builtins).get(name, known)}


def _known(recipe):
    """The values of names in the class of a recipe."""
    captured = {name: contents(variable) for name, variable in recipe.captured().items()}
    bound = {name: value for name, value in captured.items() if value is not UNKNOWN}
    around = recipe.function.__globals__ if recipe.function is not None else {}
    named = {plain_class_name(cls): cls for cls in (_starts_super(recipe), recipe.base) if cls is not None}
    return ChainMap(named, bound, around, vars(builtins))


def _import_of(name, value, home):
    """The ``(module, import)`` that binds ``name`` to ``value``; the import is "" if there is none.

    The module is the outermost package that has it, or else ``home``, whose class uses it.
    """
    if isinstance(value, ModuleType):
        return _module_import(name, value)
    defined, attribute = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    packages = defined.split(".") if isinstance(defined, str) else []
    places = [(".".join(packages[: i + 1]), attribute) for i in range(len(packages))]
    for module, attribute in (*places, (home, name)):
        found = _is_found(module, attribute, value) and (_stem() if module == "__main__" else module)
        if found:
            return found, _renamed(attribute, name)
    return "", ""


def _module_import(name, module):
    path = module.__name__
    package, _, last = path.rpartition(".")
    if sys.modules.get(path) is not module or not all(map(is_plain_name, path.split("."))):
        return "", ""
    return ("", path) if path == name else (package, _renamed(last, name))


def _renamed(attribute, name):
    return attribute if attribute == name else f"{attribute} as {name}"


def _is_found(module, attribute, value):
    legal = isinstance(attribute, str) and is_plain_name(attribute) and all(map(is_plain_name, module.split(".")))
    return legal and getattr(sys.modules.get(module), attribute, _NOWHERE) is value


def _stem():
    """The name under which the running script can be imported; "" if it has no file."""
    stem = os.path.splitext(os.path.basename(getattr(sys.modules["__main__"], "__file__", None) or ""))[0]
    return stem if stem.isidentifier() and stem != "__main__" else ""
