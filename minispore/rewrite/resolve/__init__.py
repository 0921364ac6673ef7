"""Resolving: what the names and expressions in a network's source stand for."""
