"""The policy: which parts of a network compute in which type, and the passes that implement it.

Reading order: ``lists``, ``cast_cells``, ``black_pass``, ``self_casting``, ``functional_forms``, ``white_pass``,
``receipt``, ``site_types``, ``autocasting``, ``levels``, ``convert``, ``policy_of``.
"""
