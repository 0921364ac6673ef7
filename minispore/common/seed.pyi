"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.context import get_seed as get_seed, set_seed as set_seed
from minispore.random_streams.stream import _get_graph_seed as _get_graph_seed
