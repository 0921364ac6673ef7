"""The one rule of links to files that are no pages: each such file is a page of the site, its code in colours.

A link whose text names a function or class of that file leads to the line where it is defined.
"""

import ast
from pathlib import Path

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes

FOLDER = "code"


def page_of(path):
    """The name of the page of a file, a path from the top of the repository."""
    return f"{FOLDER}/{path}"


def file_of(app, docname, target):
    """The path from the top of the repository of a file that a page links, or None."""
    top = Path(app.srcdir).resolve()
    path = (Path(app.env.doc2path(docname)).parent / target).resolve()
    return path.relative_to(top).as_posix() if path.is_file() and path.is_relative_to(top) else None


def line_of(path, name):
    """The line where a file of Python defines a name, dots in it too, or None."""
    if path.suffix != ".py":
        return None
    found = ast.parse(path.read_text(encoding="utf-8"))
    for part in name.split("."):
        inner = [n for n in getattr(found, "body", ()) if part in defined_by(n)]
        if not inner:
            return None
        found = inner[0]
    return found.lineno


def defined_by(node):
    """The names that a statement defines."""
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return [getattr(node, "name", None)]


def replace_links(app, doctree):
    """Each link to a file of code leads to that file's page."""
    docname = app.env.docname
    for node in list(doctree.findall(addnodes.download_reference)):
        path = file_of(app, docname, node["reftarget"])
        if path is None:
            continue
        app.env.code_files.setdefault(docname, set()).add(path)
        line = line_of(Path(app.srcdir) / path, node.astext())
        where = app.builder.get_relative_uri(docname, page_of(path)) + (f"#line-{line}" if line else "")
        node.replace_self(nodes.reference("", "", *node.children, refuri=where, internal=True))


def coloured(path):
    """The code of a file as HTML, its lines numbered."""
    text = path.read_text(encoding="utf-8")
    try:
        lexer = get_lexer_for_filename(path.name)
    except ClassNotFound:
        lexer = TextLexer()
    return highlight(text, lexer, HtmlFormatter(linenos="inline", lineanchors="line", anchorlinenos=True))


def pages(app):
    """The pages of the files that are linked, for the builder."""
    for path in sorted(set().union(*app.env.code_files.values())):
        body = f'<h1><code class="literal">{path}</code></h1>{coloured(Path(app.srcdir) / path)}'
        yield page_of(path), {"title": path, "body": body}, "page.html"


def begin(app):
    """The environment knows which page links which files."""
    if not hasattr(app.env, "code_files"):
        app.env.code_files = {}


def merge(app, env, docnames, other):
    """What another process has read."""
    env.code_files.update({name: other.code_files[name] for name in docnames if name in other.code_files})


def purge(app, env, docname):
    """A page that is read anew begins without files."""
    env.code_files.pop(docname, None)


def setup(app):
    """Register the rule."""
    app.connect("builder-inited", begin)
    app.connect("doctree-read", replace_links)
    app.connect("env-merge-info", merge)
    app.connect("env-purge-doc", purge)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "version": "1"}
