"""A few drawn numbers for a law that each line of a long table must obey.

A number from which NumPy draws the rest cannot be shrunk, and hypothesis would take longer than the law.
"""

import functools
import inspect
import random

from hypothesis import settings

__all__ = ["few"]


def few(**below):
    """Decorate a test to run with a tenth as many numbers as a test has examples, at least 4: ``@few(seed=2**32)``.

    They are the same ones in each run where the profile says so, as in CI.
    """
    ((name, end),) = below.items()

    def decorate(law):
        @functools.wraps(law)
        def tried(**given):
            profile = settings.default
            rng = random.Random(law.__name__ if profile.derandomize else None)
            for _ in range(max(4, profile.max_examples // 10)):
                number = rng.randrange(end)
                try:
                    law(**given, **{name: number})
                except Exception as error:
                    raise AssertionError(f"with the {name} {number}") from error

        signature = inspect.signature(law)
        kept = [parameter for parameter in signature.parameters.values() if parameter.name != name]
        tried.__signature__ = signature.replace(parameters=kept)
        return tried

    return decorate
