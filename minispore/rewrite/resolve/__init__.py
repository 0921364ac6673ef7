"""Resolving: what the names and expressions in a network's source stand for.

Reading order: ``names``, ``name_mangling``, ``compiled_code``, ``source``, ``cell_contents``, ``self_paths``,
``local_names``, ``opaque_syntax``, ``expression_value``.
"""
