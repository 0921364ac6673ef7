"""The installed CuPy on a machine without a GPU: a CUDA driver whose device is the CPU."""
