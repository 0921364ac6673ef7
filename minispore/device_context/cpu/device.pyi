"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.device_context.cpu import device_count as device_count, is_available as is_available
