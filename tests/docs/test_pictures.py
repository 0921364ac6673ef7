"""The pictures of the course: whole, small, in both themes, and as their scripts make them."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

CLONE = Path(__file__).parents[2]
MAKE, IMAGES = CLONE / "docs" / "make" / "pictures", CLONE / "docs" / "images"
SCRIPTS = sorted(path.stem for path in MAKE.glob("*.py") if path.stem not in ("__main__", "canvas"))
FILES = [f"{name}_{theme}.svg" for name in SCRIPTS for theme in ("light", "dark")]
LEARN = sorted((CLONE / "docs" / "learn").glob("[0-9]*.md"))
AGAIN = ("number_lines", "dtype_flow", "symbol_tree", "replay")  # no number in them depends on the processor


@pytest.mark.parametrize("name", FILES)
def test_a_picture_is_whole_small_and_has_a_title(name):
    text = (IMAGES / name).read_text(encoding="utf-8")
    root = ET.fromstring(text)
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert len(text) < 20_000 and len(title.text.split()) >= 8
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}


@pytest.mark.parametrize("name", FILES)
def test_its_texts_stay_inside(name):
    """A character is at most 0.62 of the size wide: monospace is 0.6, a bold letter on average less."""
    root = ET.parse(IMAGES / name).getroot()
    width, height = int(root.get("width")), int(root.get("height"))
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        wide = len(text.text) * float(text.get("font-size")) * 0.62
        left = float(text.get("x")) - {"start": 0, "middle": wide / 2, "end": wide}[text.get("text-anchor")]
        assert left >= -12 and left + wide <= width + 60 and 0 < float(text.get("y")) < height, text.text


def test_the_page_with_the_slider_needs_no_network():
    page = (CLONE / "docs" / "static" / "gradient_histogram.html").read_text(encoding="utf-8")
    assert "http" not in page and "src=" not in page and "$" not in page.replace("${", "")
    assert 'type="range"' in page and "prefers-color-scheme: dark" in page and len(page) < 10_000


def test_chapters_show_the_pictures_in_both_themes():
    pages = "".join(path.read_text(encoding="utf-8") for path in LEARN)
    shown = re.findall(r"```\{image\} \.\./images/(\w+\.svg)\n:class: only-(\w+)\n:alt: \w", pages)
    assert {name for name, _ in shown} >= set(FILES)
    assert all(name.endswith(f"_{theme}.svg") for name, theme in shown)


def test_pictures_are_what_their_scripts_make(tmp_path):
    code = "import importlib, pathlib, sys; sys.path.insert(0, sys.argv[1])\n"
    code += "for name in sys.argv[3:]: importlib.import_module(name).main(pathlib.Path(sys.argv[2]))"
    subprocess.run([sys.executable, "-c", code, str(MAKE), str(tmp_path), *AGAIN], check=True, cwd=CLONE)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert made == {name: (IMAGES / name).read_text() for name in FILES if name.rpartition("_")[0] in AGAIN}
