"""The policy: the compute type of each part of a network, and the passes that implement it.

Reading order: ``lists``, ``cast_cells``, ``black_pass``, ``self_casting``, ``functional_forms``, ``white_pass``,
``receipt``, ``site_types``, ``autocasting``, ``levels``, ``converted``, ``convert``.
"""
