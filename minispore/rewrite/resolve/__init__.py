"""Resolving: the values of the names and expressions in a network's source.

Reading order: ``names``, ``local_names``, ``name_mangling``, ``outside``, ``decorated``, ``compiled_code``, ``source``,
``package_functions``, ``cell_contents``, ``opaque_syntax``, ``expression_value``, ``reached_cells``.
"""
