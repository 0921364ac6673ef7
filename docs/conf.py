"""Settings of the documentation site, which ``python docs/make/site.py`` builds from the whole repository.

The source folder is the top of the repository. So a page's links to other pages, and to files of code, are the same on
the site as in a clone. ``docs/extensions`` has what the site does of its own.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "docs" / "extensions"))
sys.path.insert(0, str(TOP))

project = "minispore"
author = "The minispore authors"
release = version = re.search(r"^version = (.+)$", (TOP / "setup.cfg").read_text(encoding="utf-8"), re.MULTILINE)[1]
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "api_pages",
    "code_pages",
]

# Pages
root_doc = "docs/index"
source_suffix = {".md": "myst-nb", ".rst": "restructuredtext"}
include_patterns = ["*.md", "docs/**", "minispore/**/README.md", "benchmarks/README.md", "examples/**/README.md"]
include_patterns += ["tests/cpucuda/README.md"]
exclude_patterns = [".*", "build*", "dist", "**/__pycache__", "*.egg-info", "docs/make", "docs/extensions"]
exclude_patterns += ["benchmarks/*_template.md", "tests/[!c]*"]
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4

# Chapters run in their own folder, and are run again only where they changed
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True

# Reference
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_numpy_docstring = False
napoleon_use_rtype = False

# Appearance
html_theme = "furo"
html_title = "minispore"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # it would be fetched, which a browser refuses where pages are files
pygments_style, pygments_dark_style = "default", "monokai"
copybutton_prompt_text, copybutton_prompt_is_regexp = r">>> |\.\.\. |\$ ", True
