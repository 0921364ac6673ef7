"""The laws, by their names: each is called with a target and a case, and raises where it does not hold."""

from minispore.tools.testing.laws import (
    arguments,
    conversion,
    layers,
    learning,
    loss_scale,
    low_bit_formats,
    low_bit_products,
    low_bit_tiles,
    low_bit_training,
    networks,
    operations,
    rewriting,
    training,
    transforms,
)
from minispore.tools.testing.laws.law import LAWS, Broken, Law, law

__all__ = [
    "LAWS",
    "Broken",
    "Law",
    "arguments",
    "conversion",
    "law",
    "layers",
    "learning",
    "loss_scale",
    "low_bit_formats",
    "low_bit_products",
    "low_bit_tiles",
    "low_bit_training",
    "networks",
    "operations",
    "rewriting",
    "training",
    "transforms",
]
