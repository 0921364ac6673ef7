"""Pickling: objects of generated classes are copied and pickled by what their class is made of."""

import copyreg
import inspect
import weakref

from minispore.rewrite.generate.compile_class import make_class
from minispore.rewrite.generate.recipe import Recipe

_classes = weakref.WeakValueDictionary()  # the class that was made from a recipe, as long as it lives


def class_of(recipe):
    """The class of a Recipe, made once as long as it lives."""
    made = _classes.get(recipe)
    if made is None:

        def reduce(self, protocol):
            return _reduced(recipe, self, protocol)

        made = _classes[recipe] = make_class(recipe, {"__reduce_ex__": reduce})
    return made


def _reduced(recipe, self, protocol):
    """How the base would have the object copied or pickled, with the recipe in the place of the class."""
    how = recipe.base.__reduce_ex__(self, protocol)
    if how[0] is not copyreg.__newobj__ or how[1][0] is not _classes.get(recipe):
        return how
    return _new, (recipe, *how[1][1:]), *how[2:]


def _new(recipe, *args):
    made = class_of(recipe)
    return made.__new__(made, *args)


def _reduced_recipe(recipe):
    base = vars(recipe.base).get("rewritten_recipe", recipe.base)  # that of a generated class, where the base is one
    has_function = recipe.function is not None
    return _restored, (base, recipe.name, recipe.text, has_function, recipe.decorators, recipe.globals)


def _restored(base, name, text, has_function, decorators, brought):
    base = class_of(base) if isinstance(base, Recipe) else base
    return Recipe(base, name, text, inspect.unwrap(base.construct) if has_function else None, decorators, brought)


copyreg.pickle(Recipe, _reduced_recipe)
