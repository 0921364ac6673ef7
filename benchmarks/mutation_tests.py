"""A plugin of pytest for ``mutation.py``: notes the lines that each test runs, or runs a list of tests in its order.

``--reached FILE`` writes what the tests reach, ``--only FILE`` reads the names of the tests that are to run.
"""

import json
import time
from pathlib import Path

import pytest


def pytest_addoption(parser):
    parser.addoption("--reached", help="where to write the lines that each test runs")
    parser.addoption("--sources", nargs="*", default=[], help="the files whose lines are noted")
    parser.addoption("--only", help="a list of tests: these run, in this order")


def pytest_configure(config):
    if config.getoption("reached"):
        config.pluginmanager.register(Reached(config), "reached")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if not config.getoption("only"):
        return
    order = {name: i for i, name in enumerate(json.loads(Path(config.getoption("only")).read_text()))}
    left_out = [item for item in items if item.nodeid not in order]
    items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])
    config.hook.pytest_deselected(items=left_out)


class Reached:
    """For each test that passes, its processor seconds, and the lines of the sources that it runs."""

    def __init__(self, config):
        import coverage  # the lists of tests need none of it

        self.root, self.out = Path(config.rootpath), Path(config.getoption("reached"))
        self.coverage = coverage.Coverage(data_file=None, include=config.getoption("sources"), config_file=False)
        self.seconds, self.passed = {}, set()
        self.coverage.start()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        began = time.process_time()
        self.coverage.switch_context(item.nodeid)
        yield
        self.coverage.switch_context("")
        self.seconds[item.nodeid] = time.process_time() - began

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)

    def pytest_sessionfinish(self):
        self.coverage.stop()
        found = {name: {"seconds": self.seconds[name], "lines": {}} for name in sorted(self.passed)}
        data = self.coverage.get_data()
        for path in data.measured_files():
            name = Path(path).relative_to(self.root).as_posix()
            for line, tests in data.contexts_by_lineno(path).items():
                for test in tests:
                    if test in found:
                        found[test]["lines"].setdefault(name, []).append(line)
        self.out.write_text(json.dumps(found))
