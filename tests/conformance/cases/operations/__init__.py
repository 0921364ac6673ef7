"""Drawn cases of every operation, run under MindSpore and under minispore from the same text."""
