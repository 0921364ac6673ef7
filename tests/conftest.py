"""What all tests share: hypothesis profiles, the device as a parameter, and a seal against settings that leak."""

import logging
import os
import re
import signal
import sys
import zlib

import pytest
from cpucuda import device as cpucuda
from hypothesis import HealthCheck, settings
from support import cached_sources, one_blas_thread  # noqa: F401 - the latter before anything else loads NumPy
from support.rooms import is_there
from support.strict_cupy import strict_cupy
from support.type_record import Record

from minispore.amp.policy.levels import LEVELS
from minispore.core import backend, context, layers, seeds
from minispore.core.running import running

# A device or a seal that holds for all examples of a test is what is meant, so hypothesis need not warn about it.
_SHARED = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=30, **_SHARED)
settings.register_profile("ci", max_examples=50, derandomize=True, **_SHARED)
settings.register_profile("deep", max_examples=2000, **_SHARED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

if cpucuda.is_built():
    cpucuda.activate()  # before anything imports CuPy


def _has_gpu():
    try:
        import cupy

        return cupy.cuda.runtime.getDeviceCount() > 0
    except Exception:  # no CuPy, no driver or no device: each is told by an error of its own
        return False


def _cupy_devices():
    """The device on which CuPy itself computes, if any: the CPU's CUDA where it is built, otherwise a GPU."""
    if not is_there("devices"):
        return []
    name = "cpucuda" if cpucuda.is_built() else "gpu" if _has_gpu() else None
    return [pytest.param(name, marks=getattr(pytest.mark, name))] if name else []


def pytest_addoption(parser):
    parser.addoption(
        "--cpucuda-share", type=int, default=1, metavar="N", help="run one in N of the tests marked cpucuda"
    )
    parser.addoption("--share", type=int, default=1, metavar="N", help="run one in N of all tests")


def pytest_configure(config):
    """Tests press Ctrl-C, which a job that a shell has put in the background would ignore, and all its children."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# How a test asks for a device other than NumPy
_ON_A_DEVICE = re.compile(r"\b(other_)?device\b|\bon_cupy\b|cpucuda")


def pytest_ignore_collect(collection_path, config):
    """Where only tests marked cpucuda run, leave out the files that have none: most, and long to import."""
    alone = config.getoption("markexpr") == "cpucuda" and collection_path.match("test_*.py")
    return True if alone and not _ON_A_DEVICE.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_modifyitems(config, items):
    """Leave out, by their names, all but a share of the tests, or of those marked cpucuda: the same ones each time.

    Tests of what the CPU's CUDA lacks are skipped, and say so. Those that need a room that is taken away are left out.
    """
    for item in items:
        for name, reason in cpucuda.LACKS.items():
            if item.get_closest_marker("cpucuda") and name in item.name:
                item.add_marker(pytest.mark.skip(reason=reason))
    left_out = [item for item in items if _is_of_another_share(item) or _needs_what_is_not_there(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def _is_of_another_share(item):
    share = item.config.getoption("share")
    if item.get_closest_marker("cpucuda"):
        share = max(share, item.config.getoption("cpucuda_share"))
    return zlib.crc32(item.nodeid.encode()) % share != 0


def _needs_what_is_not_there(item):
    return not all(is_there(room) for mark in item.iter_markers("needs") for room in mark.args)


# Without their room the stand-in is none either
DEVICES = ["cpu", *(["strict"] if is_there("devices") else []), *_cupy_devices()]
_NO_CUPY = pytest.param("none", marks=pytest.mark.skip(reason="CuPy does not run here: see tests/cpucuda"))


def _computing_on(name):
    before, by_cupy = backend.xp, name in ("cpucuda", "gpu")
    if name == "strict":
        backend.use(strict_cupy)
    elif by_cupy:
        context.set_context(device_target="GPU")
    yield backend.xp
    if by_cupy:
        context.set_context(device_target="CPU")
    backend.use(before)


@pytest.fixture(params=DEVICES)
def device(request):
    """Compute on NumPy, on the strict stand-in for CuPy, and on CuPy where it can run; gives the array module."""
    yield from _computing_on(request.param)


@pytest.fixture(params=DEVICES[1:])
def other_device(request):
    """Every ``device`` but NumPy, for tests that compare it with NumPy."""
    yield from _computing_on(request.param)


@pytest.fixture
def type_record():
    """What primitives compute, and in which types, from where the test asks for it on."""
    with Record() as record:
        yield record


@pytest.fixture(params=_cupy_devices() or [_NO_CUPY])
def on_cupy(request):
    """Compute on CuPy itself, where it can run; gives the array module."""
    yield from _computing_on(request.param)


def _snapshot():
    """Everything that outlives a test unless somebody restores it. How many random streams were taken is not of it."""
    return {
        "settings": [dict(table) for table in _settings()],
        "seed": seeds.seed.value,
        "running": {**vars(running), "followed": dict(running.followed)},
        "layers": layers.everywhere,
        "device": (backend.xp, backend.register),
        "loggers": _loggers(),
    }


def _settings():
    """The tables of settings of the rooms that are there."""
    parallel = sys.modules.get("minispore.parallel.settings")
    return [context.settings, *([parallel.parallel_settings] if parallel else [])]


def _loggers():
    """The package's loggers, in a form that compares; the handlers of pytest come and go with each test."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "minispore"]
    return {logger: _state(logger) for logger in map(logging.getLogger, names) if _state(logger) != _UNTOUCHED}


def _state(logger):
    handlers = [handler for handler in logger.handlers if type(handler).__module__ != "_pytest.logging"]
    return logger.level, logger.propagate, logger.disabled, handlers, list(logger.filters)


_UNTOUCHED = (logging.NOTSET, True, False, [], [])


def _restore(state):
    for table, values in zip(_settings(), state["settings"], strict=True):
        table.update(values)
    seeds.seed.value = state["seed"]
    vars(running).update(state["running"])
    layers.everywhere = state["layers"]
    for logger in _loggers() | state["loggers"]:
        if _state(logger) != (before := state["loggers"].get(logger, _UNTOUCHED)):
            logger.setLevel(before[0])
            logger.propagate, logger.disabled, logger.handlers, logger.filters = before[1:]
    xp, backend.register = state["device"]
    backend.use(xp)


@pytest.fixture(autouse=True)
def seal():
    """Fail a test that leaves settings, the seed, a tape, a mark, a module or a logger behind, and restore them."""
    before, draws = _snapshot(), seeds.seed.draws
    yield
    after = _snapshot()
    _restore(before)
    seeds.seed.draws = draws
    leaked = [f"{name}: {before[name]!r} became {after[name]!r}" for name in before if before[name] != after[name]]
    assert not leaked, f"The test leaked (the fixture 'restored' takes things back): {'; '.join(leaked)}"


_own_settings = {}  # test function -> the settings that it was written with


def pytest_runtest_setup(item):
    """Give a test function its own settings back before each of its parameters.

    Hypothesis's plugin wraps them once more for each, and a chain of a thousand is deeper than Python's stack.
    """
    test, name = getattr(item, "obj", None), "_hypothesis_internal_use_settings"
    if hasattr(test, name):
        setattr(test, name, _own_settings.setdefault(test, getattr(test, name)))


@pytest.fixture
def caplog(caplog):
    """Catch what ``minispore.log`` writes too: its logger keeps its messages from pytest's, unless pytest is new."""
    logger = logging.getLogger("minispore.log")
    logger.addHandler(caplog.handler)  # no second time where it is there already
    yield caplog
    logger.removeHandler(caplog.handler)


@pytest.fixture
def restored(seal):
    """Take back what the test sets: for tests of ``set_context``, ``set_seed`` and their like."""
    before, draws = _snapshot(), seeds.seed.draws
    yield
    _restore(before)
    seeds.seed.draws = draws


@pytest.fixture
def added():
    """``added(level)`` adds a level until the end of the test; the same name again replaces it."""
    before = dict(LEVELS)

    def add(level):
        LEVELS[level.name] = level
        return level

    yield add
    LEVELS.clear()
    LEVELS.update(before)
