"""Streams of random numbers as they are handed out: the next one, or the one that seeds name."""

import numpy as np

from minispore.core import seeds
from minispore.ops.kernels.random_streams.distributions import Stream, chance_bound
from minispore.ops.kernels.random_streams.word_stream import DROPPING, SEEDED, SHUFFLING

__all__ = ["Stream", "chance_bound", "dropping_stream", "next_stream", "seeded_stream", "shuffling_stream"]


def next_stream(xp=np):
    """The next stream of the current seed."""
    return Stream(seeds.next_stream(), xp=xp)


def seeded_stream(seed, seed2, xp=np):
    """The stream named by an operation's two seeds, the same at every call; the next one if both are 0."""
    return Stream((seed, seed2), domain=SEEDED, xp=xp) if seed or seed2 else next_stream(xp)


def dropping_stream(seed, seed2, xp=np):
    """Like :func:`seeded_stream`, but a new one at every call: a constant mask would train a smaller network."""
    _, number = name = seeds.next_stream()
    return Stream((seed, seed2), number, DROPPING, xp) if seed or seed2 else Stream(name, xp=xp)


def shuffling_stream(seed, depth, epoch):
    """The stream that orders the rows of one epoch, for the dataset with ``depth`` datasets under it."""
    return Stream((seed, epoch), depth, SHUFFLING)
