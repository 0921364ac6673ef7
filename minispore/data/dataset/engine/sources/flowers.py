"""Flowers102Dataset: the flowers of Oxford's 102 categories, with their outlines where wanted."""

import numpy as np

from minispore.core.checks import check_choice
from minispore.core.errors import value_error
from minispore.data.dataset.engine.sources.arguments import arguments
from minispore.data.dataset.engine.sources.binary_images import arrays_of
from minispore.data.dataset.engine.sources.image_files import ImageFiles

__all__ = ["Flowers102Dataset"]

_PARTS = {"train": ["trnid"], "valid": ["valid"], "test": ["tstid"], "all": ["trnid", "tstid", "valid"]}


@arguments(
    "dataset_dir",
    task="Classification",
    usage="all",
    num_samples=None,
    num_parallel_workers=1,
    shuffle=None,
    decode=False,
    sampler=None,
    num_shards=None,
    shard_id=None,
)
class Flowers102Dataset(ImageFiles):
    """Flowers: columns ``image``, uint8, for ``"Segmentation"`` ``segmentation``, uint8, and ``label``, uint32 ().

    The folder holds ``imagelabels.mat``, ``setid.mat``, ``jpg/image_00001.jpg`` and ``segmim/segmim_00001.jpg`` and the
    like. Further arguments and errors as in :class:`ImageFolderDataset`.

    Args:
        dataset_dir: The folder.
        task: ``"Classification"`` or ``"Segmentation"``.
        usage: ``"train"``, ``"valid"``, ``"test"`` or ``"all"``.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> from minispore.dataset import vision
        >>> def element(kind, data):  # Matlab's files: a kind, a length, and the data, filled up to eight bytes
        ...     return np.array([kind, len(data)], "<u4").tobytes() + data + bytes(-len(data) % 8)
        >>> def matlab(name, array):  # an array of uint8: its class, its lengths, its name and its numbers
        ...     lengths = np.array(array.shape, "<i4").tobytes()
        ...     parts = (6, bytes([9, 0, 0, 0, 0, 0, 0, 0])), (5, lengths), (1, name), (2, array.tobytes("F"))
        ...     return element(14, b"".join(element(*part) for part in parts))
        >>> head = bytes(124) + bytes([0, 1]) + b"IM"
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "imagelabels.mat").write_bytes(head + matlab(b"labels", np.array([[5]], np.uint8)))
        >>> _ = (folder / "setid.mat").write_bytes(head + matlab(b"tstid", np.array([[1]], np.uint8)))
        >>> (folder / "jpg").mkdir()
        >>> vision.write_jpeg(str(folder / "jpg" / "image_00001.jpg"), np.full((4, 6, 3), 128, np.uint8))
        >>> data = dataset.Flowers102Dataset(folder, usage="test", decode=True)
        >>> print([(image.shape, int(image[0, 0, 0]), int(label)) for image, label in data])
        [((4, 6, 3), 128, 4)]
    """

    def _listed(self, folder, task, usage):
        name = type(self).__name__
        check_choice(name, "task", task, ("Classification", "Segmentation"))
        check_choice(name, "usage", usage, tuple(_PARTS))
        labels = arrays_of(name, folder / "imagelabels.mat", "labels")["labels"].ravel()
        parts = arrays_of(name, folder / "setid.mat", *_PARTS[usage])
        numbers = [int(n) for part in _PARTS[usage] for n in parts[part].ravel()]
        if not all(1 <= n <= len(labels) for n in numbers) or labels.min(initial=1) < 1:
            raise value_error(name, f"the numbers of 'setid.mat' must be of 1 to {len(labels)}, as are the labels")
        kinds = {"image": "jpg/image", "segmentation": "segmim/segmim"}
        chosen = list(kinds)[: 1 if task == "Classification" else 2]
        self.names = [*chosen, "label"]
        return [
            (*(folder / f"{kinds[kind]}_{n:05}.jpg" for kind in chosen), np.array(int(labels[n - 1]) - 1, np.uint32))
            for n in numbers
        ]
