"""The package's description, README with links that lead somewhere without the repository, and the pages it names.

If ``setup.cfg`` names the repository (``project_urls``, ``Source``), links are addresses in it, at the release's tag.
If it names none, the pages are installed with the package, and each link becomes the path of its page.
"""

import configparser
import re
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PLACE = "share/doc/minispore"
TOLD = (
    f"The pages that this text names stand in `{PLACE}` of the Python that minispore is installed for.\n"
    "Those in `minispore/` stand in the package itself.\n\n"
)


def source():
    """The address of the repository and the release's tag in it, or None."""
    config = configparser.ConfigParser()
    config.read(TOP / "setup.cfg", encoding="utf-8")
    found = re.search(r"^Source *= *(\S+)", config["metadata"].get("project_urls", ""), re.MULTILINE)
    return f"{found[1].rstrip('/')}/blob/v{config['metadata']['version']}" if found else None


def described(text, base):
    """README with the links to files of the repository replaced: by addresses below a base, or by paths."""

    def replaced(link):
        name, target = link[1], link[2]
        if "://" in target or target.startswith("#"):
            return link[0]
        if base:
            return f"[{name}]({base}/{target})"
        return f"`{target}`" if name.strip("`") == target else f"{name} (`{target}`)"

    text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", replaced, text)
    return text if base else text.replace("\n\n", f"\n\n{TOLD}", 1)


def description():
    """The long description for the package's metadata."""
    return described((TOP / "README.md").read_text(encoding="utf-8"), source())


def data_files():
    """The pages and pictures to install, by folder; none if the description has addresses."""
    if source():
        return []
    files = [path for path in sorted((TOP / "docs").rglob("*")) if path.suffix in (".md", ".png", ".svg", ".html")]
    files = [path for path in files if "api" not in path.parts] + [TOP / "CONTRIBUTING.md", TOP / "SECURITY.md"]
    by_folder = {}
    for path in files:
        relative = path.relative_to(TOP)
        by_folder.setdefault((Path(PLACE) / relative.parent).as_posix(), []).append(relative.as_posix())
    return sorted(by_folder.items())
