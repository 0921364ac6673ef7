"""Public data sets of images: the places of their files, and the columns of an image."""

import json
from pathlib import Path
from types import MappingProxyType

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_int
from minispore.core.errors import shown, type_error, value_error
from minispore.data.dataset.engine.sources.arguments import IMAGES, arguments
from minispore.data.dataset.engine.sources.image_files import ImageFiles, files_in, folders_in, lines_of, subfolder
from minispore.data.dataset.engine.sources.mnist import check_usage
from minispore.ops.list_checks import check_names
from minispore.ops.object_checks import check_path

__all__ = [
    "Caltech256Dataset",
    "CelebADataset",
    "CityscapesDataset",
    "DIV2KDataset",
    "FlickrDataset",
    "Food101Dataset",
    "LSUNDataset",
    "ManifestDataset",
    "OmniglotDataset",
    "RenderedSST2Dataset",
    "SBUDataset",
]


@arguments(
    "dataset_dir",
    num_parallel_workers=None,
    shuffle=None,
    usage="all",
    sampler=None,
    decode=False,
    extensions=None,
    num_samples=None,
    num_shards=None,
    shard_id=None,
    cache=None,
    decrypt=None,
)
class CelebADataset(ImageFiles):
    """Faces of CelebA: columns ``image``, uint8, and ``attr``, uint32 (40): 1 for each attribute of the face.

    The folder holds the images, ``list_attr_celeba.txt`` and, unless ``usage`` is ``"all"``,
    ``list_eval_partition.txt``. ``decrypt``, the options not listed here, and the errors are the same as in
    :class:`ImageFolderDataset`.

    Args:
        dataset_dir: The folder.
        usage: ``"all"``, ``"train"``, ``"valid"`` or ``"test"``.
        extensions: The file extensions to read, such as ``[".jpg"]``; None means all files.

    Raises:
        FileNotFoundError: If a file of the data set is missing.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "list_attr_celeba.txt").write_text(chr(10).join(["1", "Smiling Young", "1.jpg 1 -1"]))
        >>> dataset.vision.write_jpeg(str(folder / "1.jpg"), np.full((2, 2, 3), 9, np.uint8))
        >>> data = dataset.CelebADataset(str(folder), usage="all", shuffle=False, decode=True)
        >>> print([(image.shape, label.asnumpy().tolist()) for image, label in data])
        [((2, 2, 3), [1, 0])]
    """

    names = ("image", "attr")

    def _listed(self, folder, usage, extensions):
        name = type(self).__name__
        check_usage(name, usage if usage is not None else "None", ("all", "train", "valid", "test"))
        kept = None if extensions is None else tuple(check_names(name, "extensions", extensions))
        chosen = _celeba_part(name, folder, usage)
        return [
            (folder / file, marks)
            for file, marks in _celeba_marks(name, folder / "list_attr_celeba.txt")
            if (kept is None or file.endswith(kept)) and (chosen is None or file in chosen)
        ]


def _celeba_part(name, folder, usage):
    """The files of a part; None for all."""
    if usage == "all":
        return None
    path = folder / "list_eval_partition.txt"
    number = {"train": "0", "valid": "1", "test": "2"}[usage]
    fields = [line.split() for line in lines_of(name, path)]
    for line in fields:
        if len(line) != 2:
            raise value_error(name, f"each line of '{path}' must have a file and a number", shown(" ".join(line)))
    return {file for file, part in fields if part == number}


def _celeba_marks(name, path):
    """The files with their attributes: the first line has their number, the second the attributes' names."""
    lines = lines_of(name, path)
    if len(lines) < 2:
        raise value_error(
            name, f"the file '{path}' must begin with a number and the attributes' names", f"{len(lines)} lines"
        )
    count = len(lines[1].split())
    for line in lines[2:]:
        file, *marks = line.split()
        if len(marks) != count or set(marks) - {"1", "-1"}:
            expected = f"each line of '{path}' must have a file and {count} numbers, 1 or -1"
            raise value_error(name, expected, shown(line))
        yield file, np.array([mark == "1" for mark in marks], np.uint32)


_CITY_TASKS = MappingProxyType(
    {"instance": "instanceIds.png", "semantic": "labelIds.png", "polygon": "polygons.json", "color": "color.png"}
)
_CITY_PARTS = MappingProxyType({"fine": ("train", "test", "val"), "coarse": ("train", "train_extra", "val")})


@arguments("dataset_dir", usage="train", quality_mode="fine", task="instance", **IMAGES | {"decode": None})
class CityscapesDataset(ImageFiles):
    """Streets of Cityscapes: columns ``image``, uint8, and ``task``: an image, uint8, or for ``"polygon"`` a string.

    The folder holds ``leftImg8bit/PART/CITY/NAME_leftImg8bit.png`` and ``gtFine/PART/CITY/NAME_gtFine_labelIds.png``
    and the like, or ``gtCoarse``. Further arguments and errors as in :class:`ImageFolderDataset`.

    Args:
        dataset_dir: The folder.
        usage: ``"train"``, ``"test"``, ``"val"`` or ``"all"``; for ``"coarse"`` ``"train_extra"`` in place of
            ``"test"``.
        quality_mode: ``"fine"`` or ``"coarse"``.
        task: ``"instance"``, ``"semantic"``, ``"polygon"`` (the polygons as json) or ``"color"``.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> for part in ("leftImg8bit", "gtFine"):
        ...     (folder / part / "val/ulm").mkdir(parents=True)
        >>> image = folder / "leftImg8bit/val/ulm/a_leftImg8bit.png"
        >>> dataset.vision.write_png(str(image), np.full((2, 4, 3), 9, np.uint8))
        >>> _ = (folder / "gtFine/val/ulm/a_gtFine_polygons.json").write_text('{"objects": []}')
        >>> data = dataset.CityscapesDataset(str(folder), "val", task="polygon", shuffle=False, decode=True)
        >>> print([(image.shape, str(task)) for image, task in data])
        [((2, 4, 3), '{"objects":[]}')]
    """

    names = ("image", "task")

    def _listed(self, folder, usage, quality_mode, task):
        name = type(self).__name__
        check_choice(name, "task", task, tuple(_CITY_TASKS))
        parts = _CITY_PARTS[check_choice(name, "quality_mode", quality_mode, tuple(_CITY_PARTS))]
        check_choice(name, "usage", usage, (*parts, "all"))
        truth = f"gt{quality_mode.capitalize()}"
        images, truths = (subfolder(name, folder, kind) for kind in ("leftImg8bit", truth))
        self.task_is_text = task == "polygon"
        ending = f"{truth}_{_CITY_TASKS[task]}"
        return [
            (path, truths / part / city.name / path.name.replace("leftImg8bit.png", ending))
            for part in (parts if usage == "all" else [usage])
            for city in folders_in(subfolder(name, images, part))
            for path in files_in(city)
        ]

    def _row(self, item):
        if not self.task_is_text:
            return super()._row(item)
        image, path = self.rows[item]
        try:
            polygons = json.loads("\n".join(lines_of("CityscapesDataset", path)))
        except ValueError as error:
            raise value_error("CityscapesDataset", f"the file '{path}' must hold json", shown(error, str)) from error
        return self._image(image), np.array(json.dumps(polygons, separators=(",", ":"), ensure_ascii=False))


@arguments("dataset_dir", **IMAGES)
class SBUDataset(ImageFiles):
    """Captioned photos of SBU: columns ``image``, uint8, and ``caption``, a string.

    The folder holds ``SBU_captioned_photo_dataset_urls.txt``, ``SBU_captioned_photo_dataset_captions.txt`` and the
    images as ``sbu_images/m_DIRECTORY_FILE`` of their addresses; those that are not there are left out. Arguments and
    errors as in :class:`ImageFolderDataset`.

    Raises:
        FileNotFoundError: If a file of the data set is missing.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "sbu_images/m_x_a.jpg").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_jpeg(str(folder / "sbu_images/m_x_a.jpg"), np.full((2, 2, 3), 9, np.uint8))
        >>> _ = (folder / "SBU_captioned_photo_dataset_urls.txt").write_text("http://x/a.jpg")
        >>> _ = (folder / "SBU_captioned_photo_dataset_captions.txt").write_text("A cat.")
        >>> data = dataset.SBUDataset(str(folder), shuffle=False, decode=True)
        >>> print([(image.shape, str(caption)) for image, caption in data])
        [((2, 2, 3), 'A cat.')]
    """

    names = ("image", "caption")

    def _listed(self, folder):
        name = type(self).__name__
        urls, captions = (
            lines_of(name, folder / f"SBU_captioned_photo_dataset_{kind}.txt") for kind in ("urls", "captions")
        )
        if len(urls) != len(captions):
            raise value_error(name, f"there must be a caption for each of the {len(urls)} addresses", len(captions))
        paths = [folder / "sbu_images" / f"m_{'_'.join(url.split('/')[-2:])}" for url in urls]
        return [(path, np.array(text.rstrip())) for path, text in zip(paths, captions, strict=True) if path.is_file()]


@arguments("dataset_dir", "annotation_file", **IMAGES | {"decode": None})
class FlickrDataset(ImageFiles):
    """Captioned photos of Flickr8k and Flickr30k: columns ``image``, uint8, and ``annotation``, a vector of strings.

    Further arguments and errors as in :class:`ImageFolderDataset`.

    Args:
        dataset_dir: The folder with the images.
        annotation_file: A file with lines of an image's name, ``#``, a number, a tab and a caption.

    Raises:
        FileNotFoundError: If a file of the data set is missing.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> _ = (folder / "captions.token").write_text(chr(9).join(["1.jpg#0", "A cat ."]))
        >>> (folder / "images/1.jpg").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_jpeg(str(folder / "images/1.jpg"), np.full((2, 2, 3), 9, np.uint8))
        >>> data = dataset.FlickrDataset(
        ...     str(folder / "images"), str(folder / "captions.token"), shuffle=False, decode=True
        ... )
        >>> print([(image.shape, text.tolist()) for image, text in data])
        [((2, 2, 3), ['A cat .'])]
    """

    names = ("image", "annotation")

    def _listed(self, folder, annotation_file):
        name, found = type(self).__name__, {}
        path = Path(check_path(name, "annotation_file", annotation_file))
        for line in lines_of(name, path):
            image, mark, rest = line.partition("#")
            _, tab, caption = rest.partition("\t")
            if not (mark and tab):
                expected = f"each line of '{path}' must be an image's name, #, a number, a tab and a caption"
                raise value_error(name, expected, shown(line))
            found.setdefault(image, []).append(caption)
        return [(folder / image, np.array(found[image])) for image in sorted(found)]


@arguments("dataset_dir", usage=None, **IMAGES)
class RenderedSST2Dataset(ImageFiles):
    """The sentences of SST-2 as images: columns ``image``, uint8, and ``label``, uint32: 1 for ``positive``.

    The folder holds ``train``, ``test`` and ``val``, each with the folders ``negative`` and ``positive``. Arguments and
    errors as in :class:`ImageFolderDataset`, and ``usage``: ``"train"``, ``"test"``, ``"val"`` or ``"all"``; all means
    the first two, as in MindSpore; None means the same.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "train/negative/0.png").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_png(str(folder / "train/negative/0.png"), np.full((2, 2, 3), 9, np.uint8))
        >>> (folder / "train/positive/1.png").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_png(str(folder / "train/positive/1.png"), np.full((2, 2, 3), 9, np.uint8))
        >>> data = dataset.RenderedSST2Dataset(str(folder), "train", shuffle=False, decode=True)
        >>> print([(image.shape, label.asnumpy().tolist()) for image, label in data])
        [((2, 2, 3), 0), ((2, 2, 3), 1)]
    """

    def _listed(self, folder, usage):
        name = type(self).__name__
        parts = {"train": ["train"], "test": ["test"], "val": ["val"], "all": ["test", "train"]}
        check_usage(name, usage, {**parts, None: ()})
        return [
            (path, np.array(label, np.uint32))
            for part in parts[usage or "all"]
            for label, kind in enumerate(("negative", "positive"))
            for path in files_in(subfolder(name, folder, f"{part}/{kind}"))
        ]


@arguments("dataset_dir", **IMAGES)
class Caltech256Dataset(ImageFiles):
    """Images of Caltech-256, a folder for each class: columns ``image``, uint8, and ``label``, int32.

    Classes and images are in the order of their names; arguments and errors as in :class:`ImageFolderDataset`.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "001.ak47/0.jpg").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_jpeg(str(folder / "001.ak47/0.jpg"), np.full((2, 2, 3), 9, np.uint8))
        >>> (folder / "002.flag/0.jpg").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_jpeg(str(folder / "002.flag/0.jpg"), np.full((2, 2, 3), 9, np.uint8))
        >>> data = dataset.Caltech256Dataset(str(folder), shuffle=False, decode=True)
        >>> print([(image.shape, label.asnumpy().tolist()) for image, label in data])
        [((2, 2, 3), 0), ((2, 2, 3), 1)]
    """

    def _listed(self, folder):
        return [
            (path, np.array(label, np.int32))
            for label, kind in enumerate(folders_in(folder))
            for path in files_in(kind)
        ]


@arguments("dataset_dir", usage=None, **IMAGES)
class Food101Dataset(ImageFiles):
    """Dishes of Food-101: columns ``image``, uint8, and ``label``, a string.

    The folder holds ``images/DISH/NUMBER.jpg`` and, in ``meta``, ``train.txt`` and ``test.txt`` with lines
    ``DISH/NUMBER``. Arguments and errors as in :class:`ImageFolderDataset`, and ``usage``: ``"train"``, ``"test"`` or
    ``"all"``; None means all.

    Raises:
        FileNotFoundError: If a file of the data set is missing.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "meta").mkdir()
        >>> _ = (folder / "meta" / "train.txt").write_text("soup/1")
        >>> (folder / "images/soup/1.jpg").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_jpeg(str(folder / "images/soup/1.jpg"), np.full((2, 2, 3), 9, np.uint8))
        >>> data = dataset.Food101Dataset(str(folder), "train", shuffle=False, decode=True)
        >>> print([(image.shape, str(label)) for image, label in data])
        [((2, 2, 3), 'soup')]
    """

    def _listed(self, folder, usage):
        name = type(self).__name__
        parts = {"train": ["train"], "test": ["test"], "all": ["train", "test"]}
        check_usage(name, usage, {**parts, None: ()})
        listed = [line for part in parts[usage or "all"] for line in lines_of(name, folder / "meta" / f"{part}.txt")]
        return [(folder / "images" / f"{line}.jpg", np.array(line.partition("/")[0])) for line in listed]


@arguments("dataset_dir", usage=None, classes=None, **IMAGES)
class LSUNDataset(ImageFiles):
    """Scenes of LSUN, a folder for each class and part: columns ``image``, uint8, and ``label``, uint32.

    The folder holds ``bedroom_train``, ``bedroom_val`` and the like. Further arguments and errors as in
    :class:`ImageFolderDataset`.

    Args:
        dataset_dir: The folder.
        usage: ``"train"``, ``"valid"`` or ``"all"``, for which each folder is a class; None means all.
        classes: The classes to read, such as ``["bedroom"]``; None means all. They are numbered in the order of
            their names.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "bedroom_train/0.jpg").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_jpeg(str(folder / "bedroom_train/0.jpg"), np.full((2, 2, 3), 9, np.uint8))
        >>> (folder / "kitchen_train/0.jpg").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_jpeg(str(folder / "kitchen_train/0.jpg"), np.full((2, 2, 3), 9, np.uint8))
        >>> data = dataset.LSUNDataset(str(folder), "train", shuffle=False, decode=True)
        >>> print([(image.shape, label.asnumpy().tolist()) for image, label in data])
        [((2, 2, 3), 0), ((2, 2, 3), 1)]
    """

    def _listed(self, folder, usage, classes):
        name = type(self).__name__
        endings = {"train": ("_train",), "valid": ("_val",), "all": ("_train", "_val")}
        check_usage(name, usage, {**endings, None: ()})
        ending = endings[usage or "all"]
        if classes is None:
            kinds = [path.name for path in folders_in(folder) if path.name.endswith(ending)]
        else:
            kinds = sorted(kind + end for kind in check_names(name, "classes", classes) for end in ending)
        return [
            (path, np.array(label, np.uint32))
            for label, kind in enumerate(kinds)
            for path in files_in(subfolder(name, folder, kind))
        ]


@arguments("dataset_dir", background=None, **IMAGES)
class OmniglotDataset(ImageFiles):
    """Characters of Omniglot: columns ``image``, uint8, and ``label``, int32, a number for each character.

    The folder holds ``images_background/ALPHABET/CHARACTER`` and ``images_evaluation`` likewise. Arguments and errors
    as in :class:`ImageFolderDataset`, and ``background``: False reads the evaluation; None means True.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "images_background/Latin/character01/0.png").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_png(
        ...     str(folder / "images_background/Latin/character01/0.png"), np.full((2, 2, 3), 9, np.uint8)
        ... )
        >>> (folder / "images_background/Latin/character02/0.png").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_png(
        ...     str(folder / "images_background/Latin/character02/0.png"), np.full((2, 2, 3), 9, np.uint8)
        ... )
        >>> data = dataset.OmniglotDataset(str(folder), shuffle=False, decode=True)
        >>> print([(image.shape, label.asnumpy().tolist()) for image, label in data])
        [((2, 2, 3), 0), ((2, 2, 3), 1)]
    """

    def _listed(self, folder, background):
        name = type(self).__name__
        first = True if background is None else check_bool(name, "background", background)
        folder = subfolder(name, folder, f"images_{'background' if first else 'evaluation'}")
        characters = [character for alphabet in folders_in(folder) for character in folders_in(alphabet)]
        return [(path, np.array(label, np.int32)) for label, kind in enumerate(characters) for path in files_in(kind)]


@arguments("dataset_dir", usage="train", downgrade="bicubic", scale=2, **IMAGES | {"decode": None})
class DIV2KDataset(ImageFiles):
    """Images of DIV2K and their small copies: columns ``hr_image`` and ``lr_image``, uint8.

    The folder holds ``DIV2K_train_HR/0001.png``, ``DIV2K_train_LR_bicubic/X2/0001x2.png`` and the like. Further
    arguments and errors as in :class:`ImageFolderDataset`.

    Args:
        dataset_dir: The folder.
        usage: ``"train"``, ``"valid"`` or ``"all"``.
        downgrade: ``"bicubic"``, ``"unknown"``, ``"mild"``, ``"difficult"`` or ``"wild"``.
        scale: 2, 3, 4 or 8: 8 for ``"bicubic"`` alone, 4 for the last three.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / "DIV2K_train_HR/0001.png").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_png(str(folder / "DIV2K_train_HR/0001.png"), np.full((2, 2, 3), 9, np.uint8))
        >>> (folder / "DIV2K_train_LR_bicubic/X2/0001x2.png").parent.mkdir(parents=True, exist_ok=True)
        >>> dataset.vision.write_png(
        ...     str(folder / "DIV2K_train_LR_bicubic/X2/0001x2.png"), np.full((2, 2, 3), 9, np.uint8)
        ... )
        >>> data = dataset.DIV2KDataset(str(folder), shuffle=False, decode=True)
        >>> print([(high.shape, low.shape) for high, low in data])
        [((2, 2, 3), (2, 2, 3))]
    """

    names = ("hr_image", "lr_image")

    def _listed(self, folder, usage, downgrade, scale):
        name = type(self).__name__
        parts = {"train": ["train"], "valid": ["valid"], "all": ["train", "valid"]}
        check_choice(name, "usage", usage, tuple(parts))
        place, ending = _small_copies(name, downgrade, scale)
        return [
            (path, subfolder(name, folder, f"DIV2K_{part}_{place}") / f"{path.stem}{ending}.png")
            for part in parts[usage]
            for path in files_in(subfolder(name, folder, f"DIV2K_{part}_HR"))
        ]


def _small_copies(name, downgrade, scale):
    """The folder of the small copies, and what stands behind the number of one."""
    check_choice(name, "downgrade", downgrade, ("bicubic", "unknown", "mild", "difficult", "wild"))
    check_choice(name, "scale", scale, (2, 3, 4, 8))
    if downgrade in ("mild", "difficult", "wild"):
        if scale != 4:
            raise value_error(name, f"the 'scale' of '{downgrade}' must be 4", scale)
        return f"LR_{downgrade}", f"x4{downgrade[0]}"
    if scale == 8:
        if downgrade != "bicubic":
            raise value_error(name, "the 'scale' 8 must be of 'bicubic'", shown(downgrade))
        return "LR_x8", "x8"
    return f"LR_{downgrade}/X{scale}", f"x{scale}"


@arguments(
    "dataset_file",
    usage="train",
    num_samples=None,
    num_parallel_workers=None,
    shuffle=None,
    sampler=None,
    class_indexing=None,
    decode=False,
    num_shards=None,
    shard_id=None,
    cache=None,
)
class ManifestDataset(ImageFiles):
    """Images listed in a manifest: columns ``image``, uint8, and ``label``, int32, a vector for several labels.

    Further arguments and errors as in :class:`ImageFolderDataset`.

    Args:
        dataset_file: A file with a json object in each line: ``source``, the image's path, ``usage``, and
            ``annotation``, a list of objects with the ``name`` of a class.
        usage: Which lines, as ``"train"``, ``"eval"`` or ``"inference"``.
        class_indexing: The number of each class by its name; other classes are not read. None means 0, 1, ….

    Raises:
        FileNotFoundError: If a file that the list names is missing.

    Examples:
        >>> import json, tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> dataset.vision.write_png(str(folder / "cat.png"), np.full((2, 2, 3), 9, np.uint8))
        >>> line = {"source": str(folder / "cat.png"), "usage": "train", "annotation": [{"name": "cat"}]}
        >>> _ = (folder / "all.manifest").write_text(json.dumps(line))
        >>> data = dataset.ManifestDataset(str(folder / "all.manifest"), shuffle=False, decode=True)
        >>> print([(image.shape, label.asnumpy().tolist()) for image, label in data])
        [((2, 2, 3), 0)]
    """

    def _set_up(self, options, dataset_file, decode, usage, class_indexing):
        self._take(self._listed(dataset_file, usage, class_indexing), decode, None, options)

    def _listed(self, dataset_file, usage, class_indexing):
        name = type(self).__name__
        check_choice(name, "usage", usage, ("train", "eval", "inference"))
        entries = _manifest(name, Path(check_path(name, "dataset_file", dataset_file)))
        listed = [(path, kinds) for path, part, kinds in entries if part == usage]
        self.classes = class_numbers(name, class_indexing, [kind for _, kinds in listed for kind in kinds])
        numbered = [(path, [self.classes[k] for k in kinds if k in self.classes]) for path, kinds in listed]
        return [
            (path, np.array(labels[0] if len(labels) == 1 else labels, np.int32)) for path, labels in numbered if labels
        ]

    def num_classes(self):
        """The number of classes."""
        return len(self.classes)

    def get_class_indexing(self):
        """The number of each class by its name."""
        return dict(self.classes)


def _manifest(name, path):
    """The image, the usage and the classes of each line."""
    for number, line in enumerate(lines_of(name, path), 1):
        try:
            entry = json.loads(line)
            kinds = [str(part["name"]) for part in entry["annotation"]]
            yield Path(check_path(name, "source", entry["source"])), str(entry["usage"]).lower(), kinds
        except (ValueError, KeyError, TypeError) as error:
            expected = f"line {number} of '{path}' must be a json object with 'source', 'usage' and 'annotation'"
            raise value_error(name, expected, f"{type(error).__name__}: {shown(error, str)}") from error


def class_numbers(name, class_indexing, found):
    """The classes' numbers by their names: from the argument, or the sorted places of the found names."""
    if class_indexing is None:
        return {kind: number for number, kind in enumerate(sorted(set(found)))}
    if not isinstance(class_indexing, dict):
        raise type_error(name, "the 'class_indexing' must be a dict", shown(class_indexing))
    for kind, number in class_indexing.items():
        check_names(name, "class_indexing", kind)
        check_int(name, "class_indexing", number, 0, 2**31)
    return dict(class_indexing)
