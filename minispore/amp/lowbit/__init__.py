"""Low bits: products of eight-, six- and four-bit numbers, emulated exactly.

Reading order: ``formats``, ``stochastic``, ``scales``, ``tiles``, ``quantized``, ``hadamard``, ``products``,
``delayed``, ``recipe``, ``convert``.
"""
