"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['Parameter', 'ParameterTuple']

from minispore.parameter import Parameter as Parameter
from minispore.parameter import ParameterTuple as ParameterTuple
