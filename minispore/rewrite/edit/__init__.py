"""Editing: changes of a tree, each checked before anything moves."""
