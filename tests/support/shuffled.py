"""Tests in an order that is drawn: ``SHUFFLED=7 pytest -p support.shuffled``, with ``tests`` on the Python path.

Modules are shuffled, and the tests within each: what a module shares is made once. ``SHUFFLED=7:all`` shuffles all
tests as one. The number is the seed; without it nothing is shuffled.
"""

import os
import random


def shuffled(items, seed, key):
    """The items in another order, each group of one ``key`` together; without a key each for itself."""
    draw, groups = random.Random(seed), {}
    for item in sorted(items, key=lambda item: item.nodeid):
        groups.setdefault(key(item) if key else item.nodeid, []).append(item)
    found = list(groups.values())
    draw.shuffle(found)
    for group in found:
        draw.shuffle(group)
    return [item for group in found for item in group]


def pytest_collection_modifyitems(items):
    """Shuffle the tests in place, in every process of xdist alike."""
    seed, _, extent = os.environ.get("SHUFFLED", "").partition(":")
    if seed:
        items[:] = shuffled(items, seed, None if extent == "all" else lambda item: item.path)


def pytest_report_header():
    """Tell the seed, with which the same order comes again."""
    return f"shuffled: {os.environ.get('SHUFFLED') or 'not'}"
