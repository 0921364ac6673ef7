"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.runtime import device_count as device_count, empty_cache as empty_cache, is_available as is_available, is_initialized as is_initialized, synchronize as synchronize
