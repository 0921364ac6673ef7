"""Editing: changes of a tree, each checked before anything moves.

Reading order: ``new_nodes``, ``preconditions``, ``argument_checks``, ``edit``, ``arguments``, ``replacing``,
``node_attributes``.
"""
