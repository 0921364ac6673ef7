"""``ms.experimental``, which MindSpore has from 2.1 on: optimizers whose groups can be changed while they train."""

from minispore.dropin.experimental import optim

__all__ = ["optim"]
