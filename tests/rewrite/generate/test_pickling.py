"""The class of a recipe, when several threads ask for it."""

import threading
import weakref

from minispore import nn
from minispore.rewrite import SymbolTree
from minispore.rewrite.generate import pickling


def test_two_threads_that_ask_for_the_class_of_a_recipe_get_the_same_one(monkeypatch):
    recipe = type(SymbolTree.create(nn.SequentialCell(nn.ReLU(), nn.Tanh())).get_network()).rewritten_recipe
    monkeypatch.setattr(pickling, "_classes", weakref.WeakValueDictionary())
    make, found = pickling.make_class, []
    other = threading.Thread(target=lambda: found.append(pickling.class_of(recipe)))

    def slowly(*arguments):
        if not other.is_alive() and not found:
            other.start()
            other.join(0.05)  # it comes to the same place, or waits
        return make(*arguments)

    monkeypatch.setattr(pickling, "make_class", slowly)
    made = pickling.class_of(recipe)
    other.join(300)
    assert found == [made]
