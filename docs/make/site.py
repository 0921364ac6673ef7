"""Build the documentation site into build/site/html; check every link inside it, and the links to the glossary.

python docs/make/site.py [--no-run] [--fresh]

Needs the extra ``docs``, and no network. Chapters run first; what they gave stays in build/site/cache, and one that has
not changed is not run again. ``--no-run`` shows them without what they print. Pages that have not changed are not
written again, but with ``--fresh``. A warning is an error.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path

from check_glossary import main as check_glossary
from check_links import main as check_links
from sphinx.cmd.build import build_main

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / "build" / "site"
REDIRECT = """<!DOCTYPE html>
<meta charset="utf-8">
<title>minispore</title>
<meta http-equiv="refresh" content="0; url=docs/index.html">
"""


def quiet_kernels():
    """Let the kernels that run chapters say nothing but errors, and keep their files in the build's folder."""
    profile = BUILD / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40\n", encoding="utf-8")
    os.environ["IPYTHONDIR"] = str(profile.parent)


def built(run):
    """Build the pages; the exit status of Sphinx."""
    settings = [f"-Dnb_execution_cache_path={BUILD / 'cache'}"]
    if not run:
        settings += ["-Dnb_execution_mode=off", "-Dsuppress_warnings=myst-nb.lexer"]
    where = ["-c", str(TOP / "docs"), "-d", str(BUILD / "doctrees"), str(TOP), str(BUILD / "html")]
    return build_main(["-q", "-W", "--keep-going", "-j", "auto", *settings, *where])


def main(arguments):
    """Build and check; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--no-run", action="store_true", help="show chapters without what they print")
    parser.add_argument("--fresh", action="store_true", help="write every page again")
    chosen = parser.parse_args(arguments)
    for folder in ("html", "doctrees") if chosen.fresh else ():
        shutil.rmtree(BUILD / folder, ignore_errors=True)
    quiet_kernels()
    if status := built(not chosen.no_run):
        return status
    (BUILD / "html" / "index.html").write_text(REDIRECT, encoding="utf-8")
    return check_links(BUILD / "html") or check_glossary(BUILD / "html")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
