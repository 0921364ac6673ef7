"""The policy: what of a network computes in which type, and the passes that bring it about.

Reading order: ``lists``, ``cast_cells``, ``black_pass``, ``self_casting``, ``functional_forms``, ``white_pass``,
``receipt``, ``levels``, ``convert``.
"""
