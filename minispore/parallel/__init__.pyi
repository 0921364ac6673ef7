"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['get_algo_parameters', 'reset_algo_parameters', 'set_algo_parameters']

from minispore.context import get_algo_parameters as get_algo_parameters
from minispore.context import reset_algo_parameters as reset_algo_parameters
from minispore.context import set_algo_parameters as set_algo_parameters
