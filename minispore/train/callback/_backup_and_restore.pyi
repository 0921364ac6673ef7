"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.train.callback import BackupAndRestore as BackupAndRestore
