"""Initializers: distributions for a new Parameter's values. Each is a value with one method, ``draw(stream, shape)``.

The seed and the number of the draw name the stream, so that a given seed gives the same network on every machine.
Reading order: ``base``, ``constants``, ``distributions``, ``fans``, ``he``, ``xavier``, ``variance_scaling``,
``matrices``.
"""

__all__ = []
