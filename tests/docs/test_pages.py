"""The pages of docs/reference/ that are written from the code say what the code has."""

import importlib.util
import pathlib
import re

from conformance import write_page as conformance_page

DOCS = pathlib.Path(__file__).parents[2] / "docs"


def make_operations():
    spec = importlib.util.spec_from_file_location("make_operations", DOCS / "make" / "operations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_operations_has_the_families_of_the_code():
    families = re.findall(r"^\| `(\w+)` \|", (DOCS / "reference" / "families.md").read_text(), re.MULTILINE)
    assert families == list(make_operations().FAMILIES)


def test_every_primitive_and_function_stands_on_the_page_of_operations():
    """Git has no such page: whoever wants it runs the script."""
    made = make_operations()
    told = set(re.findall(r"`(\w+)`", made.page()))
    assert (made.primitives().keys() | made.faces().keys()) - told == set()


def test_the_page_of_conformance_has_the_names_and_verdicts_of_the_record():
    text, told = (DOCS / "reference" / "conformance.md").read_text(), conformance_page.without_digits
    assert told(text) == told(conformance_page.page(measure=False)), "run python tests/conformance/write_page.py"
