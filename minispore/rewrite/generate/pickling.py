"""Pickling: objects of generated classes are copied and pickled by the recipe of their class."""

import copyreg
import threading
import weakref

from minispore.rewrite.generate.compile_class import make_class
from minispore.rewrite.generate.recipe import Recipe
from minispore.rewrite.resolve.decorated import inner_function

_classes = weakref.WeakValueDictionary()  # recipe -> the class made from it, while it is alive
_making = threading.RLock()  # one class for a recipe, whichever threads ask for it


def class_of(recipe):
    """The class of a Recipe; made once while it is alive."""

    def reduce(self, protocol):
        return _reduced(recipe, self, protocol)

    with _making:
        made = _classes.get(recipe)
        if made is None:
            made = _classes[recipe] = make_class(recipe, {"__reduce_ex__": reduce})
    return made


def _reduced(recipe, self, protocol):
    """The base's result for copying or pickling the object, with the recipe in place of the class."""
    how = recipe.base.__reduce_ex__(self, protocol)
    if how[0] is not copyreg.__newobj__ or how[1][0] is not _classes.get(recipe):
        return how
    return _new, (recipe, *how[1][1:]), *how[2:]


def _new(recipe, *args):
    made = class_of(recipe)
    return made.__new__(made, *args)


def _reduced_recipe(recipe):
    base = vars(recipe.base).get("rewritten_recipe", recipe.base)  # a generated base is represented by its recipe
    has_function = recipe.function is not None
    return _restored, (base, recipe.name, recipe.text, has_function, recipe.decorators, recipe.globals)


def _restored(base, name, text, has_function, decorators, brought):
    base = class_of(base) if isinstance(base, Recipe) else base
    return Recipe(base, name, text, inner_function(base.construct) if has_function else None, decorators, brought)


copyreg.pickle(Recipe, _reduced_recipe)
