"""The pages of docs/ that are written from the code say what the code has."""

import importlib.util
import pathlib
import re

from conformance import write_page as conformance_page

DOCS = pathlib.Path(__file__).parents[2] / "docs"


def make_operations():
    spec = importlib.util.spec_from_file_location("make_operations", DOCS / "make_operations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_operations_is_what_the_code_gives():
    assert make_operations().page() == (DOCS / "operations.md").read_text(), "run python docs/make_operations.py"


def test_every_primitive_and_function_stands_on_the_page_of_operations():
    made, text = make_operations(), (DOCS / "operations.md").read_text()
    told = set(re.findall(r"`(\w+)`", text))
    assert (made.primitives().keys() | made.faces().keys()) - told == set()


def test_the_page_of_conformance_has_the_names_and_verdicts_of_the_record():
    text, told = (DOCS / "conformance.md").read_text(), conformance_page.without_digits
    assert told(text) == told(conformance_page.page(measure=False)), "run python tests/conformance/write_page.py"
