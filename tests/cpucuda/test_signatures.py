"""What the strict stand-in offers, the installed CuPy has: names, and keywords by its signatures. Needs no device."""

import inspect

import numpy as np
import pytest
from support.strict_cupy import strict_cupy

pytestmark = pytest.mark.cpucuda


@pytest.fixture(scope="module")
def real():
    return pytest.importorskip("cupy")


def spaces(real):
    """(prefix, NumPy's, the stand-in's, CuPy's) of the module and its namespaces."""
    yield "", np, strict_cupy, real
    for name in ("linalg", "random"):
        yield f"{name}.", getattr(np, name), getattr(strict_cupy, name), getattr(real, name)


def functions(real):
    """(name, NumPy's, the stand-in's, CuPy's) of each function that the stand-in offers."""
    for prefix, numpys, offered, theirs in spaces(real):
        for name in dir(numpys):
            if not name.startswith("_") and hasattr(offered, name) and callable(getattr(numpys, name)):
                yield prefix + name, getattr(numpys, name), getattr(offered, name), getattr(theirs, name, None)


def keywords(function):
    """The names of a function's optional parameters, and whether it takes any; None where it does not tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return {p.name for p in parameters if p.default is not p.empty}, {p.name for p in parameters}


def is_refused(function, keyword):
    try:
        function(**{keyword: None})
    except TypeError as error:
        return "unexpected keyword" in str(error)
    return False


def test_every_name_that_the_stand_in_offers_is_in_cupy(real):
    assert [name for name, _, _, theirs in functions(real) if theirs is None] == []


def test_every_constant_and_method_that_it_offers_is_in_cupy(real):
    assert [name for name in sorted(strict_cupy.names()) if not hasattr(real, name)] == []
    methods = [n for n in dir(strict_cupy.ndarray) if not n.startswith("_") and hasattr(np.ndarray, n)]
    assert [name for name in methods if not hasattr(real.ndarray, name)] == []


def test_every_keyword_that_it_takes_is_one_of_cupys(real):
    lenient = []
    for name, numpys, offered, theirs in functions(real):
        if isinstance(numpys, np.ufunc | type) or keywords(numpys) is None or keywords(theirs) is None:
            continue
        lacking = keywords(numpys)[0] - keywords(theirs)[1]
        lenient += [f"{name}({k})" for k in sorted(lacking) if not is_refused(offered, k)]
    assert lenient == []


def test_ufuncs_take_only_the_keywords_of_cupys(real):
    numpys = {"out", "where", "axes", "axis", "keepdims", "casting", "order", "dtype", "subok", "signature"}
    lacking = numpys - {"out", "where", "dtype", "casting"}
    ufuncs = {name: f for name, n, f, c in functions(real) if isinstance(n, np.ufunc) and isinstance(c, real.ufunc)}
    assert ufuncs
    assert [f"{name}({k})" for name, f in ufuncs.items() for k in sorted(lacking) if not is_refused(f, k)] == []
