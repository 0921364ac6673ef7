"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.device_context.cpu import threads_num as threads_num
