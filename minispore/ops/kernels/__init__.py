"""The heavy array algorithms, arrays in and arrays out: convolution, pooling, normalization and casts.

Every function takes the array module ``xp`` first (NumPy, or one with its interface) and knows nothing of Tensors.

A function with an algorithm of its own for NumPy begins with it. Its first statement is ``if xp is np:``, or
``if xp is np and`` the conditions under which it pays (size, dtype, layout). This branch returns or raises. Below it
stands the portable algorithm, for every ``xp``. Nothing else compares ``xp``, here or in the primitives.
"""
