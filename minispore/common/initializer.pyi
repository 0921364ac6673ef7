"""Written by docs/make_stubs.py from the package's public names: change those, and run it."""

__all__ = ['Constant', 'Dirac', 'HeNormal', 'HeUniform', 'Identity', 'Initializer', 'Normal', 'One', 'Orthogonal', 'Sparse', 'TruncatedNormal', 'Uniform', 'VarianceScaling', 'XavierNormal', 'XavierUniform', 'Zero', 'initializer']

from minispore.initializer import Constant as Constant
from minispore.initializer import Dirac as Dirac
from minispore.initializer import HeNormal as HeNormal
from minispore.initializer import HeUniform as HeUniform
from minispore.initializer import Identity as Identity
from minispore.initializer import Initializer as Initializer
from minispore.initializer import Normal as Normal
from minispore.initializer import One as One
from minispore.initializer import Orthogonal as Orthogonal
from minispore.initializer import Sparse as Sparse
from minispore.initializer import TruncatedNormal as TruncatedNormal
from minispore.initializer import Uniform as Uniform
from minispore.initializer import VarianceScaling as VarianceScaling
from minispore.initializer import XavierNormal as XavierNormal
from minispore.initializer import XavierUniform as XavierUniform
from minispore.initializer import Zero as Zero
from minispore.initializer import initializer as initializer
