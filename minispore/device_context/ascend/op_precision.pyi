"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

from minispore.device_context.ascend import conv_allow_hf32 as conv_allow_hf32, matmul_allow_hf32 as matmul_allow_hf32, op_precision_mode as op_precision_mode, precision_mode as precision_mode
