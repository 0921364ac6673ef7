"""Check a built site: on each page that teaches, the first use of each term of the glossary is a link to it.

python docs/make/check_glossary.py build/site/html
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "docs" / "extensions"))

from glossary_links import GLOSSARY, TEACHING, pattern_of, term_of, terms_of  # noqa: E402  (the folder is on the path)

CODE = {"a", "code", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "script", "style", "title", "svg", "math"}
EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Article(HTMLParser):
    """The prose of a page's article, and the terms that it links."""

    def __init__(self, text):
        super().__init__()
        self.open, self.prose, self.links = [], [], set()
        self.feed(re.search(r"<article.*?</article>", text, re.DOTALL)[0])

    def handle_starttag(self, tag, attrs):
        """A tag is open; a link to a term is noted."""
        if tag not in EMPTY:
            self.open.append(tag)
        if f"{Path(GLOSSARY).name}.html#term-" in (dict(attrs).get("href") or ""):
            self.links.add(dict(attrs)["href"].partition("#term-")[2].lower())

    def handle_endtag(self, tag):
        """A tag is closed, and those inside it."""
        while tag in self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        """Text counts where it is prose."""
        if not CODE & set(self.open):
            self.prose.append(data)


def missing(page, terms):
    """The terms that a page uses and never links."""
    article = Article(page.read_text(encoding="utf-8"))
    used = {term_of(match, terms) for text in article.prose for match in pattern_of(terms).finditer(text)}
    return sorted(term for term in used if term.lower().replace(" ", "-") not in article.links)


def faults(site):
    """A sentence on each page that uses a term without a link."""
    terms = terms_of((TOP / f"{GLOSSARY}.md").read_text(encoding="utf-8"))
    pages = [page for folder in TEACHING for page in sorted((Path(site) / folder).rglob("*.html"))]
    for page in pages:
        if absent := missing(page, terms):
            yield f"{page}: no link to the glossary from the first use of {', '.join(absent)}"


def main(site):
    """Print what is wrong, and end with 1 if something is."""
    found = list(faults(site))
    print("\n".join(found) or f"{site}: each term's first use on a page leads to the glossary")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
