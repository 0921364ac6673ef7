"""Check the links inside a built site: each relative address is a file of it, each anchor stands on that page.

python docs/make/check_links.py build/site/html
"""

import functools
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The addresses that a page links or shows, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """One tag's addresses and anchors."""
        found = dict(attrs)
        self.links += [found[key] for key in ("href", "src") if found.get(key)]
        self.anchors |= {found[key] for key in ("id", "name") if found.get(key)}


@functools.cache
def page(path):
    """What is on a page, read once."""
    return Page(path.read_text(encoding="utf-8"))


def fault(path, link):
    """A sentence on a link of a page that leads nowhere, or None."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return None
    target = (path.parent / unquote(address.path)).resolve() if address.path else path
    if not target.is_file():
        return f"{path}: {link} is no file"
    anchor = unquote(address.fragment)
    if target.suffix == ".html" and anchor not in page(target).anchors:
        return f"{path}: {link} has no such anchor"
    return None


def faults(site):
    """The sentences on all links of a site that lead nowhere."""
    for path in sorted(site.resolve().rglob("*.html")):
        found = {fault(path, link) for link in page(path).links}
        yield from sorted(filter(None, found))


def main(site):
    """Print what is wrong, and end with 1 if something is."""
    found = list(faults(Path(site)))
    print("\n".join(found) or f"{site}: each link inside leads somewhere")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
