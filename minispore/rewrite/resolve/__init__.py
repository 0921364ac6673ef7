"""Resolving: what the names and expressions in a network's source stand for.

Reading order: ``names``, ``name_mangling``, ``outside``, ``compiled_code``, ``source``, ``cell_contents``,
``local_names``, ``opaque_syntax``, ``package_functions``, ``expression_value``, ``reached_cells``.
"""
