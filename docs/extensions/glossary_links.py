"""The first use of each term of the glossary, on each page that teaches, leads to the glossary.

Headings, code and what is a link already are left alone. Of two terms at one place the longer one counts.
"""

import itertools
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

GLOSSARY = "docs/reference/glossary"
TEACHING = ("docs/learn/", "docs/how-to/", "docs/explain/", "minispore/amp/")
LEFT_ALONE = (nodes.title, nodes.reference, nodes.literal, nodes.literal_block, nodes.raw, nodes.math, nodes.comment)
LEFT_ALONE += (addnodes.pending_xref, addnodes.download_reference, addnodes.toctree, nodes.FixedTextElement)


def terms_of(text):
    """The terms of the page of the glossary: its lines that begin at the margin of the list."""
    block = re.search(r"```\{glossary\}\n(.*?)```", text, re.DOTALL)[1]
    return re.findall(r"^(\S.*)$", block, re.MULTILINE)


def pattern_of(terms):
    """What finds any of the terms, the longest first; also a plural, and small words at a sentence's beginning."""
    written = [re.escape(term).replace(r"\ ", r"\s+") for term in sorted(terms, key=len, reverse=True)]
    either = [f"[{w[0].upper()}{w[0]}]{w[1:]}" if w[0].islower() else w for w in written]
    return re.compile(rf"(?<![\w.`/-])({'|'.join(either)})(?:s|es)?(?![\w`/(-]|\.\w)")


def term_of(found, terms):
    """The term that a match is of."""
    words = " ".join(found[1].split())
    return next(term for term in terms if term in (words, words[0].lower() + words[1:]))


def join_texts(doctree):
    """Texts beside one another become one: the end of a line parts them, and terms may stand on two lines."""
    for parent in list(doctree.findall(nodes.TextElement)):
        groups = itertools.groupby(parent.children, lambda node: isinstance(node, nodes.Text))
        joined = [[nodes.Text("".join(group))] if text else list(group) for text, group in groups]
        if len(children := [*itertools.chain(*joined)]) < len(parent.children):
            parent[:] = children


def prose_of(doctree):
    """The texts in which terms are looked for, in their order."""
    for text in list(doctree.findall(nodes.Text)):
        parents, node = [], text
        while node.parent is not None:
            node = node.parent
            parents.append(node)
        if not any(isinstance(parent, LEFT_ALONE) for parent in parents):
            yield text


def linked(text, pattern, terms, used):
    """The nodes that take a text's place: the first use of each term not yet used is a link."""
    at, found = 0, []
    for match in pattern.finditer(text):
        term = term_of(match, terms)
        if term in used:
            continue
        used.add(term)
        link = addnodes.pending_xref("", refdomain="std", reftype="term", reftarget=term, refexplicit=True)
        link += nodes.inline(match[0], match[0], classes=["glossary-term"])
        found += [nodes.Text(text[at : match.start()]), link]
        at = match.end()
    return [*found, nodes.Text(text[at:])] if found else []


def link_terms(app, doctree):
    """The first use of each term on a page that teaches becomes a link."""
    docname = app.env.docname
    if not docname.startswith(TEACHING):
        return
    page = Path(app.srcdir) / f"{GLOSSARY}.md"
    app.env.note_dependency(str(page))
    terms, used = terms_of(page.read_text(encoding="utf-8")), set()
    pattern = pattern_of(terms)
    join_texts(doctree)
    for text in prose_of(doctree):
        if new := linked(text.astext(), pattern, terms, used):
            for node in new:
                if isinstance(node, addnodes.pending_xref):
                    node["refdoc"] = docname
            text.parent.replace(text, new)


def setup(app):
    """Register it; chapters have their outputs by then."""
    app.connect("doctree-read", link_terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1"}
