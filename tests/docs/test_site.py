"""The parts of the site that are our own: links to code, pages of names, terms of the glossary, the two checks."""

import importlib.util
import sys

import pytest
from support.executed_page import CLONE

sphinx = pytest.importorskip("sphinx")
nodes = pytest.importorskip("docutils.nodes")
EXTENSIONS, MAKE = CLONE / "docs" / "extensions", CLONE / "docs" / "make"


def load(folder, name, monkeypatch):
    """A module of the site; what it puts on the path goes with the test."""
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    spec = importlib.util.spec_from_file_location(f"site_{name}", folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_link_to_code_leads_to_the_line_of_the_definition(monkeypatch, tmp_path):
    code = tmp_path / "code.py"
    code.write_text("A = 1\n\n\nclass B:\n    def c(self):\n        pass\n")
    line_of = load(EXTENSIONS, "code_pages", monkeypatch).line_of
    assert [line_of(code, name) for name in ("A", "B", "B.c", "B.d", "code.py")] == [1, 4, 5, None, None]


def test_every_public_class_and_function_has_one_page(monkeypatch):
    made = load(EXTENSIONS, "api_pages", monkeypatch)
    pages = dict(made.pages())
    assert {"ops/relu.rst", "nn/Dense.rst", "Tensor/sum.rst", "primitives/MatMul.rst", "amp.rst"} <= pages.keys()
    assert len({name.lower() for name in pages}) == len(pages) > 2000
    homes = [line for text in pages.values() for line in text.splitlines() if line.startswith(".. autoclass::")]
    assert len(homes) == len(set(homes))


def test_a_star_in_a_shape_is_no_emphasis(monkeypatch):
    lines = ["of shape (N, *), ``(N, *)`` or *all*"]
    load(EXTENSIONS, "api_pages", monkeypatch).escape_stars(None, "", "", None, None, lines)
    assert lines == ["of shape (N, \\*), ``(N, *)`` or *all*"]


def terms_found(text, monkeypatch):
    """The terms that a sentence links, in their order."""
    made = load(EXTENSIONS, "glossary_links", monkeypatch)
    terms = ["O1", "loss scale", "dynamic loss scale", "receipt"]
    new = made.linked(text, made.pattern_of(terms), terms, set())
    return [node["reftarget"] for node in new if not isinstance(node, nodes.Text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A dynamic loss scale is a loss scale.", ["dynamic loss scale", "loss scale"]),
        ("Loss\nscales, and a loss scale", ["loss scale"]),
        ("O1 prints receipts; O1's receipt", ["O1", "receipt"]),
        ("O10, amp_receipt, receipts.md", []),
    ],
)
def test_the_first_use_of_a_term_is_linked(text, found, monkeypatch):
    assert terms_found(text, monkeypatch) == found


def test_terms_in_code_headings_and_links_are_left_alone(monkeypatch):
    prose = load(EXTENSIONS, "glossary_links", monkeypatch).prose_of
    section = nodes.section(
        "", nodes.title("", "O1"), nodes.paragraph("", "", nodes.literal("", "O1"), nodes.Text(" is"))
    )
    assert [text.astext() for text in prose(section)] == [" is"]


def test_a_term_on_two_lines_is_found(monkeypatch):
    made = load(EXTENSIONS, "glossary_links", monkeypatch)
    texts = [nodes.Text(text) for text in ("a loss", "\n", "scale ")]
    section = nodes.section("", nodes.paragraph("", "", *texts, nodes.strong("", "here")))
    made.join_texts(section)
    assert [text.astext() for text in made.prose_of(section)] == ["a loss\nscale ", "here"]


def test_every_term_has_its_lines_and_they_are_in_order(monkeypatch):
    text = (CLONE / "docs" / "reference" / "glossary.md").read_text()
    terms = load(EXTENSIONS, "glossary_links", monkeypatch).terms_of(text)
    assert len(terms) >= 25 and terms == sorted(terms, key=str.lower)


def article(tmp_path, body):
    folder = tmp_path / "docs" / "learn"
    folder.mkdir(parents=True)
    (folder / "page.html").write_text(f"<article>{body}</article>")
    return tmp_path


def test_a_page_that_never_links_a_term_is_told(monkeypatch, tmp_path):
    made = load(MAKE, "check_glossary", monkeypatch)
    body = (
        '<p>A <a href="../reference/glossary.html#term-receipt">receipt</a> of <code>O2</code>, the receipt of O1.</p>'
    )
    (fault,) = made.faults(article(tmp_path, body))
    assert fault.endswith("from the first use of O1")


def test_a_link_inside_that_leads_nowhere_is_told(monkeypatch, tmp_path):
    made = load(MAKE, "check_links", monkeypatch)
    (tmp_path / "other.html").write_text('<p id="here">')
    links = ("other.html#here", "other.html#gone", "gone.html", "https://example.org/x", "#top")
    (tmp_path / "page.html").write_text('<p id="top">' + "".join(f'<a href="{link}">' for link in links))
    faults = [fault.partition(": ")[2] for fault in made.faults(tmp_path)]
    assert faults == ["gone.html is no file", "other.html#gone has no such anchor"]
