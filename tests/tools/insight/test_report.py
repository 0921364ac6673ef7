"""The report: what stands in the page, that texts stay texts, and how a browser shows it."""

import html
import re
import shutil
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import minispore as ms
from minispore import amp, nn, ops
from minispore.tools import insight

HOSTILE = "<script>document['title'] = 'taken'</script>"


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc, self.norm = nn.Dense(4, 4, weight_init="ones"), nn.BatchNorm1d(4)
        self.insert_child_to_cell(HOSTILE, nn.ReLU())

    def construct(self, x):
        return ops.softmax(self.norm(self.fc(x)))


def course(steps=40):
    skipped = ((1, "Step 1: <b>too high</b>"), (2, ""), (3, ""))
    losses = tuple(1 / n for n in range(1, steps + 1))
    return insight.Course("A training", losses, (1024.0,) * steps, skipped)


def page_of(*parts, **options):
    return insight.Report(*parts, **options).html()


class Elements(HTMLParser):
    """The tags of a page, and the texts inside of each tag."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.open = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("level", ["O1", "O2", "O3", "auto"])
def test_a_network_is_shown_with_its_cells_call_sites_and_their_dtypes(level):
    network = amp.auto_mixed_precision(Net(), level)
    page = page_of(network)
    assert f"Network at {level}" in page
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page))
    assert "fc Dense float16" in text
    norm = "float16" if level == "O3" else "float32"
    assert f"BatchNorm1d {norm}" in text
    for entry in network.amp_report.entries:
        assert entry.reason.replace("'", "&#39;") in page
    assert ("The source before and after" in page) == (level == "O1")


def test_the_changes_of_the_source_stand_side_by_side():
    receipt = amp.auto_mixed_precision(Net(), "O1").amp_report
    rows = re.findall(
        r'<tr><td class="at">(\d*)</td><td(.*?)>(.*?)</td><td class="at">(\d*)</td><td(.*?)>(.*?)</td></tr>',
        page_of(receipt),
    )
    assert [html.unescape(row[2]) for row in rows if row[0]] == receipt.before.splitlines()
    assert [html.unescape(row[5]) for row in rows if row[3]] == receipt.after.splitlines()
    for first, gone, left, second, come, right in rows:
        differ = left != right or not (first and second)
        assert ("gone" in gone, "come" in come) == (bool(first) and differ, bool(second) and differ)
    assert any("come" in row[4] and "outcast_fc" in row[5] for row in rows)


def test_a_training_is_shown_with_losses_scales_and_skipped_steps():
    page = page_of(course())
    assert page.count("<svg") == 2 and "Loss: 1 at first, 0.025 at last" in page
    assert "Step 1: &lt;b&gt;too high&lt;/b&gt;" in page and "Also: 2, 3." in page
    assert page.count('<td class="number">') == 3 * 40


def test_what_watch_saw_is_a_training(restored):
    ms.set_context(cpu_loss_scale=True)
    net = nn.Dense(2, 1)
    step = ms.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), level="O2")
    x, y = ops.ones((4, 2)), ops.zeros((4, 1))
    with insight.watch(step) as seen:
        results = [step(x, y) for _ in range(12)]
    assert seen.losses == [float(loss) for loss, _, _ in results]
    assert seen.scales == [float(scale) for *_, scale in results] and seen.scales[0] == 2.0**24
    page = page_of(seen)
    assert "Training, 12 steps" in page and re.search(r"Steps 1 to \d+ were skipped", page)


def test_a_precision_report_and_a_plan_are_tables_of_their_own_numbers():
    batch = ops.ones((4, 4)), ops.zeros((4, 4))
    precision = insight.precision_report(Net(), nn.MSELoss(), batch, "O2")
    plan = insight.plan(Net(), nn.MSELoss(), batch)
    page = page_of(precision, plan)
    text = html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page)))
    assert page.count('<svg class="small"') == sum(bool(record.histogram) for record in precision)
    assert all(f"{record.place} {record.kind} {record.dtype}" in text for record in precision)
    assert all(f"{form.name} {form.error:.3g} {form.loss:.3g}" in text for form in plan.forms)
    assert all(str(step) in text for step in plan.steps)
    assert str(precision).split("\n")[-1] in text and str(plan).split("\n")[-1] in text


def test_texts_stay_texts_and_nothing_is_asked_of_the_outside(tmp_path):
    network = amp.auto_mixed_precision(Net(), "O2")
    page = page_of(network, course(), title=HOSTILE)
    found = Elements(page)
    assert not found.open and "script" not in found.tags
    assert "&lt;script&gt;" in page
    addresses = [value for name, value in found.attributes if name in ("href", "src", "action", "srcset")]
    assert all(address.startswith("#") for address in addresses)
    assert "http://" not in page and "https://" not in page and "url(" not in page and "@import" not in page


def test_a_long_training_makes_a_page_of_bounded_size():
    assert len(page_of(course(100_000))) < 60_000 + 8 * 2


def test_a_page_is_whole_or_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    insight.Report(course()).save(path)
    before = path.read_text(encoding="utf-8")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"the page needs Jinja2: pip install .*the extra report"):
        insight.Report().save(path)
    assert path.read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: insight.Report(3), TypeError),
        (lambda: insight.Report(nn.Dense(2, 2)), TypeError),
        (lambda: insight.Report(title=3), TypeError),
        (lambda: insight.Report().save(3), TypeError),
        (lambda: insight.Course(3, ()), TypeError),
        (lambda: insight.Course("a", 3), TypeError),
        (lambda: insight.Course("a", None), TypeError),
        (lambda: insight.Course("a", ("b",)), TypeError),
        (lambda: insight.Course("a", (1.0, None)), TypeError),
        (lambda: insight.Course("a", (1.0,), (1.0, 2.0)), ValueError),
        (lambda: insight.Course("a", (1.0,), (), (1,)), TypeError),
    ],
)
def test_wrong_parts_are_refused(make, kind):
    with pytest.raises(kind, match=r"For '(Report|Course)"):
        make()


# In a browser


@pytest.fixture(scope="module")
def browser():
    """A headless Chromium."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="the extra browser is not installed")
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        pytest.skip("there is no chromium, or no chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for option in ("headless", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"):
        options.add_argument(f"--{option}")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(programs[1]))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    insight.Report(amp.auto_mixed_precision(Net(), "O1"), course(), title=HOSTILE).save(path)
    return path.as_uri()


def test_a_browser_shows_the_page_without_errors_and_runs_nothing(browser, address):
    browser.get(address)
    assert browser.title == HOSTILE
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    loaded = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert loaded == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_light_and_dark(browser, address, scheme):
    """WCAG's contrast of at least 4.5 to 1, for every text."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    browser.get(address)
    pairs = browser.execute_script(
        """
        const style = e => getComputedStyle(e);
        const ground = e => !e ? 'rgb(255, 255, 255)'
          : style(e).backgroundColor.endsWith(', 0)') ? ground(e.parentElement) : style(e).backgroundColor;
        return [...document.querySelectorAll('body *:not(title, desc)')]
          .filter(e => e.childElementCount == 0 && e.textContent.trim())
          .map(e => [e.closest('svg') ? style(e).fill : style(e).color, ground(e), e.textContent]);
        """
    )
    assert len(pairs) > 50
    for ink, ground, text in pairs:
        assert contrast(ink, ground) >= 4.5, (text, ink, ground)


def contrast(*colors):
    low, high = sorted(map(luminance, colors))
    return (high + 0.05) / (low + 0.05)


def luminance(color):
    """The relative luminance of ``rgb(r, g, b)``, as WCAG defines it."""
    channels = np.array([int(n) for n in re.findall(r"\d+", color)[:3]]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_the_keyboard_reaches_the_links_the_tree_and_the_tables(browser, address):
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    browser.get(address)
    body, reached = browser.find_element("tag name", "body"), []
    for _ in range(12):
        (body if not reached else browser.switch_to.active_element).send_keys(keys.TAB)
        reached.append(browser.switch_to.active_element.tag_name)
    assert reached[0] == "a" and {"a", "summary", "div"} <= set(reached)
    names = browser.execute_script(
        "const named = document.querySelectorAll('svg[role=img], [role=region]');"
        "return [...named].map(e => e.getAttribute('aria-labelledby'))"
    )
    assert names and all(browser.find_element("id", part) for name in names for part in name.split())


def test_on_paper_closed_parts_are_open_and_the_menu_is_gone(browser, address):
    browser.get(address)
    shown = "return document.querySelector('details:not([open]) table').checkVisibility()"
    assert not browser.execute_script(shown)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.execute_script(shown)
    assert browser.execute_script("return getComputedStyle(document.querySelector('nav')).display") == "none"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_narrow_window_needs_no_scrolling_sideways(browser, address):
    browser.set_window_size(420, 900)
    browser.get(address)
    widths = browser.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    browser.set_window_size(1200, 900)
    assert widths[0] <= widths[1]


class Masked(nn.Cell):
    """A loss of -inf whose gradients are finite."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(2, 1)

    def construct(self, x, y):
        return ops.log(ops.relu(self.fc(x) - 100)).mean()


def test_steps_that_are_not_finite_have_one_paragraph_and_a_training_without_finite_losses_says_so():
    net = Masked()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))
    with insight.watch(step) as seen:
        for _ in range(6):
            step(ops.ones((4, 2)), ops.zeros((4, 1)))
    page = page_of(seen)
    assert "No loss is finite." in page and "Steps that are not finite" in page and "Skipped steps" not in page
    assert page.count("Steps 1 to 6 have a loss that is not finite: Log ") == 1
