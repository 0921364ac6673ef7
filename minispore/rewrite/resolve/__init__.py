"""Resolving: the values of the names and expressions in a network's source.

Reading order: ``names``, ``name_mangling``, ``outside``, ``decorated``, ``compiled_code``, ``source``,
``package_functions``, ``cell_contents``, ``local_names``, ``opaque_syntax``, ``expression_value``, ``reached_cells``.
"""
