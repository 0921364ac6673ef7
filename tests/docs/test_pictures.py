"""The pictures of the course: whole, small, in both themes, and as their scripts make them."""

import importlib
import json
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


@pytest.fixture
def slider(monkeypatch):
    """The page with the slider, and the script that puts its numbers into it."""
    monkeypatch.syspath_prepend(MAKE)
    made = importlib.import_module("gradient_histogram")
    return (CLONE / "docs" / "static" / made.PAGE).read_text(encoding="utf-8"), made


def test_the_page_with_the_slider_needs_no_network(slider):
    page, _ = slider
    assert "http" not in page and "src=" not in page and "$" not in page.replace("${", "")
    assert 'type="range"' in page and len(page) < 10_000


def test_the_page_with_the_slider_has_the_picture_s_limits_and_colours(slider):
    page, made = slider
    limits = json.loads(re.search(r"^const limit = (.*);$", page, re.MULTILINE)[1])
    assert list(limits.values()) == [made.LOW, made.HIGH, made.ZERO, made.SUBNORMAL, made.TOO_LARGE]
    themes = importlib.import_module("canvas").THEMES
    names = {"ink": "ink", "soft": "soft", "ground": "on", "bar": "float32", "bad": "bad", "few": "float16"}
    found = {name: colours for name, *colours in re.findall(r"--(\w+): light-dark\((\S+), (\S+)\)", page)}
    assert found == {name: [themes[theme][colour] for theme in themes] for name, colour in names.items()}


def test_a_run_changes_the_slider_s_numbers_alone(slider):
    page, made = slider
    counts = json.loads(re.search(r"^const counts = (.*);$", page, re.MULTILINE)[1])
    assert made.page(page, counts) == page
    assert made.page(page, {1: 2}).count('const counts = {"1": 2};') == 1


def test_the_slider_follows_the_theme_that_the_reader_has_chosen(slider):
    page, _ = slider
    script = (CLONE / "docs" / "static" / "site.js").read_text(encoding="utf-8")
    assert "postMessage({ theme: document.body.dataset.theme }" in script and "dataset.theme = event.data.theme" in page
    assert all(f":root[data-theme={theme}] {{ color-scheme: {theme} }}" in page for theme in ("light", "dark"))


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
