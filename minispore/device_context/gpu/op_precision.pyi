"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.device_context.gpu import conv_allow_tf32 as conv_allow_tf32, matmul_allow_tf32 as matmul_allow_tf32
