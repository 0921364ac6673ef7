"""Editing: changes of a tree, each checked before anything moves.

Reading order: ``new_nodes``, ``preconditions``, ``edit``, ``node_attributes``.
"""
