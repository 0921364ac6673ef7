"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['CosineDecayLR', 'ExponentialDecayLR', 'InverseDecayLR', 'NaturalExpDecayLR', 'PolynomialDecayLR', 'WarmUpLR']

from minispore.nn import CosineDecayLR as CosineDecayLR
from minispore.nn import ExponentialDecayLR as ExponentialDecayLR
from minispore.nn import InverseDecayLR as InverseDecayLR
from minispore.nn import NaturalExpDecayLR as NaturalExpDecayLR
from minispore.nn import PolynomialDecayLR as PolynomialDecayLR
from minispore.nn import WarmUpLR as WarmUpLR
