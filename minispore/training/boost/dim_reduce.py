"""Dimension reduction: quasi-Newton steps in the space of a few principal components of saved weights.

The weights of a training run stay close to a space of few dimensions, in which second-order steps are affordable.
Source: Li, Tan, Huang, Tao, Liu and Huang, Low dimensional trajectory hypothesis is true: DNNs can be trained in tiny
subspaces, 2021; which steps are tried, and the residual's momentum, are MindSpore 2.0.0's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minispore.core.checks import check_int, check_positive_int
from minispore.core.dtype import float32
from minispore.core.errors import shown, type_error, value_error
from minispore.core.journal import noted
from minispore.core.parameter import Parameter
from minispore.core.tensor import Tensor
from minispore.nn.cell import Cell
from minispore.nn.parameter_tuple import ParameterTuple
from minispore.nn.wrap import check_cell
from minispore.ops import functional as F  # noqa: N812 - the conventional name
from minispore.ops.number_checks import check_real
from minispore.parallel.collective import AllReduce
from minispore.parallel.settings import get_auto_parallel_context

__all__ = ["DimReduce", "rows_of"]

_CURVED = 1e-20  # the least product of a step and its change of the gradient from which the curvature is learned


def rows_of(n_components, rank, rank_size):
    """The slice of the components that process ``rank`` of ``rank_size`` projects on."""
    part = -(-n_components // rank_size)
    return slice(min(rank * part, n_components), min((rank + 1) * part, n_components))


class DimReduce(Cell):
    """Train in the space of principal components: ``weight += rho P.T d - alpha m``.

    Let g be the gradient, and P the components (orthonormal rows). The projected gradient is ``gk = P g``. The
    direction is ``d = -B gk``, with BFGS's estimate B of the inverse Hessian. The momentum outside the space is
    ``m = gamma m + g - P.T gk``. The step length is 1 or ``rho``: the first for which the loss on the same batch is
    below ``loss + sigma rho gk.d``. It is 0 if neither is. A step that is only tried leaves no trace.

    Args:
        network (Cell): The network, whose output is the loss.
        optimizer (Optimizer): What takes a step, given as a gradient; for the formula above SGD with the rate 1.
        weight (Union[tuple, list]): The Parameters.
        pca_mat_local (array): This process's rows of the components: all in one process. A row is as long as the
            Parameters together.
        n_components (int): How many components there are in all processes.
        rho (float): The smaller of the two steps that are tried, in relation to the direction, above 0.
        gamma (float): The momentum of the residual.
        alpha (float): The rate of the residual.
        sigma (float): The share of the expected decrease that a step must reach.
        rank (int): The number of the process.
        rank_size (int): How many processes share the components. They sum projections and losses over the world group.

    Inputs:
        - **loss** (Tensor) - The loss.
        - **old_grad** (tuple[Tensor]) - Its gradients times the scale.
        - **loss_scale** (Union[Tensor, number]) - The scale.
        - **weight** (tuple[Parameter]) - The Parameters.
        - **weight_clone** (tuple[Parameter]) - Set to the new values too; () for none.
        - **inputs** (Tensor) - The network's inputs, one after the other.

    Outputs:
        The loss.

    Raises:
        TypeError: If an argument is of a wrong kind.
        ValueError: If a number is out of range, or the components do not fit the Parameters.

    Examples:
        >>> import minispore as ms
        >>> from minispore import nn
        >>> net = nn.WithLossCell(nn.Dense(2, 1, "ones", has_bias=False), nn.MSELoss())
        >>> x, y, weights = ms.ops.ones((1, 2)), ms.ops.zeros((1, 1)), net.trainable_params()
        >>> components = ms.Tensor([[0.5**0.5, 0.5**0.5]]).asnumpy()
        >>> reduce = ms.boost.DimReduce(net, nn.SGD(weights, 1.0), weights, components, 1, 0.25, 0.9, 0.0, 0.4, 0, 1)
        >>> loss, grads = ms.value_and_grad(net, None, weights)(x, y)
        >>> _ = reduce(loss, grads, 1.0, weights, (), x, y)
        >>> print(float(net(x, y)) < 1e-9)
        True
    """

    recordable = False  # the host decides how long a step is

    def __init__(
        self,
        network: Cell,
        optimizer,
        weight: tuple[Any, ...] | list[Any],
        pca_mat_local,
        n_components: int,
        rho: float,
        gamma: float,
        alpha: float,
        sigma: float,
        rank: int,
        rank_size: int,
    ) -> None:
        super().__init__(auto_prefix=False)
        name = "DimReduce"
        self.network, self.optimizer = check_cell(name, "network", network), check_cell(name, "optimizer", optimizer)
        if not isinstance(weight, (tuple, list)) or not all(isinstance(p, Parameter) for p in weight):
            raise type_error(name, "the 'weight' must be a tuple of Parameters", shown(weight))
        self.n_components = check_positive_int(name, "n_components", n_components)
        self.rank_size = check_positive_int(name, "rank_size", rank_size)
        self.rank = check_int(name, "rank", rank, 0, rank_size)
        self.rho = check_real(name, "rho", rho, 0, above=True)
        self.gamma, self.alpha = check_real(name, "gamma", gamma, 0), check_real(name, "alpha", alpha, 0)
        self.sigma = check_real(name, "sigma", sigma, 0)
        self._shapes = [p.shape for p in weight]
        self._rows = rows_of(self.n_components, self.rank, self.rank_size)
        self.pca_list_local = self._split(np.asarray(pca_mat_local, np.float32))
        self._sum = AllReduce() if self.rank_size > 1 else F.identity
        self._of_losses = 1 / self.rank_size if get_auto_parallel_context("gradients_mean") else 1.0
        self._remember(weight)

    def _split(self, matrix):
        """The columns of each Parameter, as Tensors; ValueError unless the matrix has a column for each number."""
        sizes = [int(np.prod(shape, dtype=int)) for shape in self._shapes]
        shape = (self._rows.stop - self._rows.start, sum(sizes))
        if matrix.shape != shape:
            raise value_error("DimReduce", f"the 'pca_mat_local' must have the shape {shape}", f"{matrix.shape}")
        return tuple(Tensor(np.ascontiguousarray(part)) for part in np.split(matrix, np.cumsum(sizes)[:-1], axis=1))

    def _remember(self, weight):
        """The Parameters that last from step to step, under MindSpore's names."""
        n = self.n_components
        self.gk_last = Parameter(np.zeros((n, 1), np.float32), name="gk_last", requires_grad=False)
        self.gk_last_init = Parameter(np.asarray(False), name="gk_last_init", requires_grad=False)
        self.bk = Parameter(np.eye(n, dtype=np.float32), name="bk", requires_grad=False)
        self.sk = Parameter(np.zeros((n, 1), np.float32), name="sk", requires_grad=False)
        self.grad_res_momentum = ParameterTuple(weight).clone("grad_res_momentum", "zeros")

    def construct(
        self, loss: Tensor, old_grad: tuple[Tensor, ...], loss_scale: Tensor | float, weight, weight_clone, *inputs
    ) -> Any:
        """Project, find a direction and a step, take it."""
        grads = [g.astype(float32) / loss_scale for g in old_grad]
        gk = self._projected(grads)
        for momentum, g, inside in zip(self.grad_res_momentum, grads, self._projected_back(gk), strict=True):
            F.assign(momentum, (self.gamma * momentum + g - inside).astype(momentum.dtype))
        bk = self._curvature(gk)
        dk = -F.matmul(bk, gk)
        dn = self._projected_back(dk)
        rho = self._step_length(float(self._of_all(loss)), float((gk * dk).sum()), dn, inputs)
        if rho:
            self._learn(gk, bk, rho * dk)
        self.optimizer(tuple(self.alpha * m - rho * d for m, d in zip(self.grad_res_momentum, dn, strict=True)))
        F.assign(self.gk_last_init, True)
        for clone, new in zip(weight_clone, weight if weight_clone else (), strict=True):
            F.assign(clone, new)
        return loss

    def _projected(self, grads):
        """``P g``: shape (n_components, 1)."""
        columns = zip(self.pca_list_local, grads, strict=True)
        mine = sum(F.matmul(part, g.reshape(-1, 1)) for part, g in columns)
        before, after = self._rows.start, self.n_components - self._rows.stop
        return self._sum(F.pad(mine, (0, 0, before, after)) if before or after else mine)

    def _projected_back(self, coordinates):
        """``P.T c``, as one Tensor for each Parameter."""
        mine = coordinates[self._rows]
        shapes = zip(self.pca_list_local, self._shapes, strict=True)
        return [self._sum(F.matmul(part.T, mine).reshape(shape)) for part, shape in shapes]

    def _curvature(self, gk):
        """The estimate of the inverse Hessian after the last step that was taken: BFGS's, if the loss curves upwards.

        ``B = (I - s y.T / y.s) B (I - y s.T / y.s) + s s.T / y.s`` for the step s and its change y of the gradient.
        """
        yk = gk - self.gk_last
        product = (yk * self.sk).sum()
        if not float(product) > _CURVED:
            return self.bk.value()
        vk = F.eye(self.n_components, self.n_components, float32) - F.matmul(yk, self.sk.T) / product
        return F.matmul(F.matmul(vk.T, self.bk), vk) + F.matmul(self.sk, self.sk.T) / product

    def _learn(self, gk, bk, sk):
        for parameter, value in ((self.gk_last, gk), (self.bk, bk), (self.sk, sk)):
            F.assign(parameter, value)

    def _step_length(self, loss, slope, dn, inputs):
        """The first of 1 and ``rho`` that lowers the loss enough, or 0."""
        for rho in (1.0, self.rho):
            found, written = noted(self._loss_after, dn, rho, inputs)
            written.undo()
            if found < loss + self.sigma * rho * slope:
                return rho
        return 0.0

    def _loss_after(self, dn, rho, inputs):
        """The loss on the same batch after a step along ``dn``."""
        self.optimizer(tuple(-rho * d for d in dn))
        return float(self._of_all(self.network(*inputs)))

    def _of_all(self, loss):
        """The loss of all processes' batches."""
        if not isinstance(loss, Tensor) or loss.size != 1:
            raise type_error("DimReduce", "the 'network' must have one output, the loss", shown(loss))
        return self._sum(loss.reshape(()).astype(float32)) * self._of_losses
