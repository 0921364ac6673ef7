"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.later import no_init_parameters as no_init_parameters
