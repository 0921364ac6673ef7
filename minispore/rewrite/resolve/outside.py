"""Outside: the value of a name that a function does not bind: a captured variable, a global, a builtin."""

import builtins
import sys

UNKNOWN = object()  # a value known only at run time


def captured_variables(function):
    """The variables that a function captures, as a dict of closure cells by name."""
    return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))


def contents(variable):
    """The value of a captured variable; UNKNOWN if it is not bound yet."""
    try:
        return variable.cell_contents
    except ValueError:  # not bound yet
        return UNKNOWN


def outside_value(function, name):
    """The value of ``name`` outside the function: captured, global or built in; UNKNOWN if there is none."""
    captured = captured_variables(function)
    if name in captured:
        return contents(captured[name])
    return function.__globals__.get(name, vars(builtins).get(name, UNKNOWN))


def names_otherwise(function, package):
    """True if a function uses the name of a package for another thing of its module."""
    if function is None or package not in function.__code__.co_names:
        return False
    return function.__globals__.get(package, sys.modules[package]) is not sys.modules[package]
