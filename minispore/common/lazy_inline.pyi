"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.later import lazy_inline as lazy_inline
