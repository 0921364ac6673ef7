"""The names by which initializers are asked for: ``initializer("he_uniform", shape)``."""

from minispore.nn.initial_values.constants import One, Zero
from minispore.nn.initial_values.distributions import Normal, TruncatedNormal, Uniform
from minispore.nn.initial_values.he import HeNormal, HeUniform
from minispore.nn.initial_values.matrices import Dirac, Identity, Orthogonal
from minispore.nn.initial_values.variance_scaling import VarianceScaling, XavierNormal, XavierUniform

__all__ = []

_INITIALIZER_ALIAS = {
    "zeros": Zero,
    "zero": Zero,
    "ones": One,
    "one": One,
    "normal": Normal,
    "uniform": Uniform,
    "truncated_normal": TruncatedNormal,
    "truncatednormal": TruncatedNormal,
    "xavier_uniform": XavierUniform,
    "xavieruniform": XavierUniform,
    "xavier_normal": XavierNormal,
    "xaviernormal": XavierNormal,
    "he_uniform": HeUniform,
    "heuniform": HeUniform,
    "he_normal": HeNormal,
    "henormal": HeNormal,
    "orthogonal": Orthogonal,
    "identity": Identity,
    "dirac": Dirac,
    "variancescaling": VarianceScaling,
}
