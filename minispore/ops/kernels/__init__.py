"""The heavy array algorithms, arrays in and arrays out: convolution, pooling, normalization and casts.

Every function takes the array module ``xp`` first (NumPy, or one that looks like it) and knows nothing of Tensors.
"""
