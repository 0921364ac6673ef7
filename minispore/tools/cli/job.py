"""Job: the settings of ``minispore train`` as one record, and the training step of each of its levels."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from minispore import amp, nn
from minispore.amp.policy import levels
from minispore.core.context import set_seed
from minispore.core.errors import value_error
from minispore.tools.cli.data import SIZE
from minispore.tools.cli.network_file import maker_in
from minispore.tools.cli.networks import NETWORKS

__all__ = ["RATES", "Job"]

RATES = {"lenet5": 0.02, "mlp": 0.02, "resnet20": 0.02, "lstm": 0.1}  # the best learning rate of each network
_MOMENTUM, _DECAY = 0.9, 0.8


@dataclass(frozen=True)
class Job:
    """One run of the command.

    Attributes:
        net (str): A name of ``NETWORKS``, or ``FILE:NAME`` for a class or function in a file.
        levels (tuple[str]): The levels, in the order in which they are trained.
        epochs (int): The number of epochs of each level.
        batch_size (int): Images in a step.
        lr (float): Learning rate of the first epoch; each later epoch has 0.8 times the previous rate.
        device (str): "cpu" or "gpu".
        seed (int): The seed of parameters and shuffling, the same for each level.
        loss_scale (Union[None, str, float]): "none", "dynamic", or a fixed scale; None for each level's own.
        data_dir (Union[Path, None]): A folder of idx files or of images; None for the embedded images.
        out (Path): The output folder.
        resume (bool): Whether to continue from the checkpoints in ``out``.
        overwrite (bool): Whether checkpoints of another run in ``out`` may be replaced.
        report (bool): Whether the report is written as a page too.
        distributed (bool): Whether the processes that ``mpiexec`` has started share each batch.
        recipe (Union[None, str]): The text of a recipe of low bits for the products of listed cells, at each level.
        image_size (Union[None, tuple[int]]): Height and width that a folder's images get; None for 28x28.
        color (bool): Whether a folder's images keep red, green and blue.
    """

    net: str = "lenet5"
    levels: tuple = field(default_factory=levels.names)
    epochs: int = 5
    batch_size: int = 32
    lr: float = RATES["lenet5"]
    device: str = "cpu"
    seed: int = 1
    loss_scale: str | float | None = None
    data_dir: Path | None = None
    out: Path = Path("minispore-out")
    resume: bool = False
    overwrite: bool = False
    report: bool = False
    distributed: bool = False
    recipe: str | None = None
    image_size: tuple | None = None
    color: bool = False

    @property
    def image_shape(self):
        """Channels, height and width of an image."""
        return (3 if self.color else 1, *(self.image_size or SIZE))

    def rate(self, epoch):
        """The learning rate of an epoch, independent of the number of epochs, so that a run can be extended."""
        return self.lr * _DECAY**epoch

    def new_step(self, level):
        """A new network from the seed, at a level of mixed precision, as a training step."""
        set_seed(self.seed)
        network = self._maker()()
        if not isinstance(network, nn.Cell):
            expected = f"the '--net' {self.net} must name a Cell's class, or a function that makes a Cell"
            raise value_error("train", expected, type(network).__name__)
        optimizer = nn.Momentum(network.trainable_params(), self.rate(0), _MOMENTUM)
        loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
        if level == levels.BY_OPERATION.name:  # which a training step calls the level of its device
            network, level = amp.auto_mixed_precision(network, level, recipe=self.recipe), levels.AS_IT_IS.name
            keywords = {"loss_scale_manager": amp.DynamicLossScaleManager(), **self._manager()}
        else:
            keywords = {**self._manager(), "recipe": self.recipe}
        return amp.build_train_network(network, optimizer, loss, level=level, **keywords)

    def _maker(self):
        if self.net in NETWORKS:
            return partial(NETWORKS[self.net], shape=self.image_shape)
        return maker_in(self.net)

    def _manager(self):
        """The ``loss_scale_manager`` keyword for ``build_train_network``, if a loss scale is set."""
        if self.loss_scale is None:
            return {}
        if self.loss_scale == "none":
            return {"loss_scale_manager": None}
        if self.loss_scale == "dynamic":
            return {"loss_scale_manager": amp.DynamicLossScaleManager()}
        return {"loss_scale_manager": amp.FixedLossScaleManager(self.loss_scale)}

    def checkpoint(self, level):
        """The file of a level's state."""
        return self.out / f"{level}.ckpt"

    @property
    def results(self):
        """The file of the numbers."""
        return self.out / "results.json"

    @property
    def page(self):
        """The file of the report as HTML."""
        return self.out / "report.html"

    @property
    def picture(self):
        """The file of the curves."""
        return self.out / "curves.png"
