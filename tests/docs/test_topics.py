"""The pages of docs/ on one topic each: what they show is what happens, and every link leads somewhere."""

import contextlib
import io
import re
import traceback
from pathlib import Path

import pytest
from support.executed_page import CLONE, sentences_of

import minispore as ms

PAGES = [
    *(CLONE / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((CLONE / "docs").rglob("*.md")),
]
HOW_TO = ["installation", "from_mindspore", "processes", "gpu", "main_job"]
TOPICS = [f"how-to/{name}" for name in HOW_TO]
TOPICS += [f"explain/{name}" for name in ("mixed_precision", "errors", "graph_mode", "checks")]


def first_block(page, kind, after=""):
    """The first block of a kind in a page of docs/, after a heading."""
    text = (CLONE / "docs" / page).read_text()
    return re.search(rf"```{kind}\n(.*?)```", text[text.index(after) :], re.DOTALL).group(1)


@pytest.mark.usefixtures("restored")
def test_the_replay_reads_as_shown():
    names, shown = {"ms": ms}, io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(first_block("explain/graph_mode.md", "python"), names)
    assert shown.getvalue().strip() == first_block("explain/graph_mode.md", "text").strip()


@pytest.mark.usefixtures("restored")
def test_the_verdict_of_an_overflow_reads_as_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms.set_context(cpu_loss_scale=True)
    page, heading = "explain/mixed_precision.md", "## Why a step overflowed"
    code = f"import minispore as ms\nfrom minispore import amp, nn\n{first_block(page, 'python', heading)}"
    Path("train.py").write_text(code)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(code, "train.py", "exec"), {})
    assert shown.getvalue().strip() == first_block(page, "text", heading).strip()


@pytest.mark.usefixtures("restored")
def test_the_network_of_the_page_on_errors_trains():
    names = {}
    exec(first_block("explain/errors.md", "python"), names)
    assert 0 < float(names["loss"]) < 10 and float(names["scale"]) == 2.0**24


@pytest.mark.usefixtures("restored")
def test_an_error_tells_where_as_shown(tmp_path):
    path = tmp_path / "net.py"
    path.write_text(first_block("explain/errors.md", "python").replace("8 * 14 * 14", "8 * 14"))
    with pytest.raises(ValueError) as raised:
        exec(compile(path.read_text(), str(path), "exec"), {"__name__": "__main__"})
    entries = traceback.extract_tb(raised.value.__traceback__)[1:]  # without this test
    lines = [f'  File "{e.filename}", line {e.lineno}, in {e.name}\n    {e.line}' for e in entries]
    lines += [f"ValueError: {raised.value}", *raised.value.__notes__]
    found = "\n".join(["Traceback (most recent call last):", *lines]).replace(str(path), "net.py")
    assert found == first_block("explain/errors.md", "text").strip()


SHORT = [f"docs/{name}.md" for name in (*TOPICS, "how-to/insight", "explain/captured_steps", "how-to/testing")]
SHORT += [*(f"minispore/{room}/README.md" for room in ("ops", "rewrite", "amp")), "benchmarks/README.md", "SECURITY.md"]


@pytest.mark.parametrize("page", SHORT)
def test_its_sentences_are_short(page):
    assert [s for s in sentences_of((CLONE / page).read_text()) if len(s.split()) > 25] == []


@pytest.mark.parametrize("topic", TOPICS)
def test_readme_leads_to_it(topic):
    assert f"](docs/{topic}.md)" in (CLONE / "README.md").read_text()


def anchors(page):
    """The anchors that the headings of a page get."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]


def leads_somewhere(page, link):
    path, _, heading = link.partition("#")
    file = page.parent / path if path else page
    return file.exists() and (not heading or heading in anchors(file))


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(CLONE).as_posix() for page in PAGES])
def test_what_a_page_links_is_there(page):
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    assert [link for link in links if not leads_somewhere(page, link)] == []
