"""The reading orders that docstrings of packages give are orders of imports, and leave no file out."""

import ast
import re

import pytest
from test_rooms import MODULES, inner_imports, is_in

PACKAGES = sorted(name for name, path in MODULES.items() if path.stem == "__init__")


def order_of(package):
    """The modules and rooms that the paragraph "Reading order: ..." of a package's docstring names, in its order."""
    text = ast.get_docstring(ast.parse(MODULES[package].read_text())) or ""
    found = re.search(r"Reading order: ([^.]*(?:\.\w[^.]*)*)\.(?:\s|$)", text)
    return [f"{package}.{name}" for name in re.findall(r"``([\w.]+)``", found[1])] if found else []


ORDERS = {package: order_of(package) for package in PACKAGES if order_of(package)}


def test_the_rooms_that_are_to_be_read_have_an_order():
    rooms = {f"minispore.rewrite.{room}" for room in ("resolve", "tree", "parse", "edit", "generate", "api")}
    others = {
        "minispore.amp",
        "minispore.rewrite",
        "minispore.graph",
        "minispore.tools.cli",
        "minispore.ops.kernels.random_streams",
    }
    assert rooms | others | {"minispore.amp.policy", "minispore.amp.loss_scale"} <= ORDERS.keys()


@pytest.mark.parametrize("package", ORDERS)
def test_a_reading_order_names_every_file_once(package):
    names = ORDERS[package]
    assert len(set(names)) == len(names)
    assert [name for name in names if name not in MODULES] == []
    files = {m for m, path in MODULES.items() if is_in(m, package) and path.stem != "__init__"}
    assert {m for m in files if not any(is_in(m, name) for name in names)} == set()


@pytest.mark.parametrize("package", ORDERS)
def test_no_file_imports_a_later_one_of_the_reading_order(package):
    names = ORDERS[package]
    place = {m: i for i, name in enumerate(names) for m in MODULES if is_in(m, name)}
    later = [(m, name) for m in place for name in inner_imports(m) if place.get(name, -1) > place[m]]
    assert later == []
