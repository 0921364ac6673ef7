"""``ms.scipy``: minimization of functions of Tensors, and the linear algebra that ``ops`` has under SciPy's names.

Reading order: ``linalg``, ``line_search``, ``optimize``.
"""

from minispore.dropin.scipy import linalg, optimize

__all__ = ["linalg", "optimize"]
