"""VOCDataset: the images of Pascal VOC with the classes of their pixels, or with the boxes of their objects."""

import numpy as np

from minispore.core.checks import check_bool, check_choice, check_text
from minispore.core.errors import shown, value_error
from minispore.data.dataset.engine.sources.arguments import IMAGES, arguments
from minispore.data.dataset.engine.sources.image_files import ImageFiles, lines_of
from minispore.data.dataset.engine.sources.image_sets import class_numbers

__all__ = ["VOCDataset"]

_NAME = "VOCDataset"
_KINDS = (np.float32, np.uint32, np.uint32, np.uint32)


@arguments(
    "dataset_dir",
    task="Segmentation",
    usage="train",
    class_indexing=None,
    **IMAGES,
    extra_metadata=False,
    decrypt=None,
)
class VOCDataset(ImageFiles):
    """Images of Pascal VOC: ``image``, uint8, and ``target``, an image too, or columns on the objects in the image.

    For ``"Detection"`` ``bbox``, float32 (n, 4), follows ``image``: left, top, width and height of each object. Then
    come ``label``, ``difficult`` and ``truncate``, uint32 (n, 1). The folder holds ``ImageSets/Main`` (or
    ``Segmentation``) with the names of a part's images, ``JPEGImages``, and ``Annotations`` (or ``SegmentationClass``).
    Further arguments and errors as in :class:`ImageFolderDataset`.

    Args:
        dataset_dir: The folder.
        task: ``"Segmentation"`` or ``"Detection"``.
        usage: The name of the part, as ``"train"``.
        class_indexing: For ``"Detection"``, the number of each class by its name; other things are left out, and images
            without things. None means 0, 1, … in the order of the names.
        extra_metadata: Whether there is a last column ``_meta-filename``, the image's name, which iterators leave out
            unless it is renamed.

    Raises:
        FileNotFoundError: If a file of the data set is missing.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> for name in ("JPEGImages", "Annotations", "ImageSets/Main"):
        ...     (folder / name).mkdir(parents=True)
        >>> dataset.vision.write_jpeg(str(folder / "JPEGImages/1.jpg"), np.full((4, 4, 3), 9, np.uint8))
        >>> _ = (folder / "ImageSets/Main/train.txt").write_text("1")
        >>> box = "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>3</xmax><ymax>4</ymax></bndbox>"
        >>> cat = "<object><name>cat</name><difficult>0</difficult><truncated>0</truncated>" + box + "</object>"
        >>> _ = (folder / "Annotations/1.xml").write_text("<annotation>" + cat + "</annotation>")
        >>> data = dataset.VOCDataset(str(folder), "Detection", "train", shuffle=False, decode=True)
        >>> print([(row[0].shape, row[1].asnumpy().tolist()) for row in data])
        [((4, 4, 3), [[1.0, 1.0, 2.0, 3.0]])]
    """

    def _listed(self, folder, task, usage, class_indexing, extra_metadata):
        check_choice(_NAME, "task", task, ("Segmentation", "Detection"))
        check_bool(_NAME, "extra_metadata", extra_metadata)
        self.things = task == "Detection"
        if class_indexing is not None and not self.things:
            raise value_error(_NAME, "the 'class_indexing' must be None for 'Segmentation'", shown(class_indexing))
        part = folder / "ImageSets" / ("Main" if self.things else task) / f"{check_text(_NAME, 'usage', usage)}.txt"
        files = [line.split()[0] for line in lines_of(_NAME, part)]
        if self.things:
            self.names = ["image", "bbox", "label", "difficult", "truncate"]
            targets = self._things(folder, files, class_indexing)
        else:
            self.names = ["image", "target"]
            targets = {file: (folder / "SegmentationClass" / f"{file}.png",) for file in files}
        rows = [(folder / "JPEGImages" / f"{file}.jpg", *targets[file]) for file in files if file in targets]
        return self._with_metadata(rows) if extra_metadata else rows

    def _things(self, folder, files, class_indexing):
        """The boxes, labels and marks of each file that has things of the classes."""
        found = {file: _things_of(folder / "Annotations" / f"{file}.xml") for file in files}
        self.classes = class_numbers(_NAME, class_indexing, [kind for things in found.values() for kind, *_ in things])
        targets = {}
        for file, things in found.items():
            rows = [(box, [self.classes[k]], *marks) for k, box, *marks in things if k in self.classes]
            if rows:
                targets[file] = tuple(
                    np.array(c, kind) for c, kind in zip(zip(*rows, strict=True), _KINDS, strict=True)
                )
        return targets

    def get_class_indexing(self):
        """The number of each class by its name.

        Raises:
            NotImplementedError: For ``"Segmentation"``.
        """
        if not self.things:
            raise NotImplementedError(f"For '{_NAME}', the 'task' must be 'Detection', but got 'Segmentation'.")
        return dict(self.classes)


def _things_of(path):
    """The class, the box and the two marks of each thing in an annotation."""
    from xml.etree import ElementTree  # here, so that importing minispore stays quick

    if not path.is_file():
        raise value_error(_NAME, f"the annotation '{path}' must be there", "no such file")
    try:
        things = ElementTree.parse(path).getroot().findall("object")
    except (ElementTree.ParseError, ValueError) as error:
        raise value_error(_NAME, f"the file '{path}' must hold xml", shown(error, str)) from error
    if not things:
        raise value_error(_NAME, f"the file '{path}' must hold an object", "none")
    return [_thing(path, thing) for thing in things]


def _thing(path, thing):
    try:
        left, top, right, bottom = (float(thing.findtext(f"bndbox/{key}")) for key in ("xmin", "ymin", "xmax", "ymax"))
        marks = [[int(thing.findtext(key) or 0)] for key in ("difficult", "truncated")]
        box = [left, top, right - left, bottom - top]
    except (TypeError, ValueError) as error:
        expected = f"each object of '{path}' must have a box of numbers"
        raise value_error(_NAME, expected, shown(error, str)) from error
    if not (0 < left <= right and 0 < top <= bottom) or set(map(str, marks)) - {"[0]", "[1]"}:
        expected = f"each object of '{path}' must have a box of numbers above 0 and marks of 0 or 1"
        raise value_error(_NAME, expected, shown((left, top, right, bottom, *marks)))
    return thing.findtext("name"), box, *marks
