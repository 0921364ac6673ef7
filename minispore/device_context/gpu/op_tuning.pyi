"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.device_context.gpu import conv_dgrad_algo as conv_dgrad_algo, conv_fprop_algo as conv_fprop_algo, conv_wgrad_algo as conv_wgrad_algo
