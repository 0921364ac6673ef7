"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.device_context.ascend import op_compile as op_compile
