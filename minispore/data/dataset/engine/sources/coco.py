"""CocoDataset: the images of COCO with the annotations of one task."""

import json
from pathlib import Path

import numpy as np

from minispore.core.checks import check_bool, check_choice
from minispore.core.errors import is_own_sentence, shown, value_error
from minispore.data.dataset.engine.sources.arguments import IMAGES, arguments
from minispore.data.dataset.engine.sources.image_files import ImageFiles
from minispore.ops.object_checks import check_path

__all__ = ["CocoDataset"]

_NAME = "CocoDataset"
_COLUMNS = {
    "Detection": ["bbox", "category_id", "iscrowd"],
    "Stuff": ["segmentation", "iscrowd"],
    "Keypoint": ["keypoints", "num_keypoints"],
    "Panoptic": ["bbox", "category_id", "iscrowd", "area"],
    "Captioning": ["captions"],
}
_BROKEN = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)


@arguments("dataset_dir", "annotation_file", task="Detection", **IMAGES, extra_metadata=False, decrypt=None)
class CocoDataset(ImageFiles):
    """Images of COCO and their annotations: ``image``, uint8, and the columns of the task, a row for each annotation.

    ``"Detection"`` has ``bbox``, float32 (n, 4): left, top, width and height, and ``category_id`` and ``iscrowd``,
    uint32 (n, 1); ``"Stuff"`` has ``segmentation``, float32, a row for each polygon, filled up with -1, and
    ``iscrowd``; ``"Keypoint"`` has ``keypoints``, float32, filled up likewise, and ``num_keypoints``; ``"Panoptic"``
    has the columns of ``"Detection"`` and ``area``; ``"Captioning"`` has ``captions``, strings (n, 1). Images without
    annotations are left out. Further arguments and errors as in :class:`ImageFolderDataset`.

    Args:
        dataset_dir: The folder with the images.
        annotation_file: The json file with ``images``, ``annotations`` and, but for captions, ``categories``.
        task: One of the five.
        extra_metadata: Whether there is a last column ``_meta-filename``, the image's name, which iterators leave out
            unless it is renamed.

    Examples:
        >>> import json, tempfile
        >>> from pathlib import Path
        >>> import numpy as np
        >>> from minispore import dataset
        >>> folder = Path(tempfile.mkdtemp())
        >>> dataset.vision.write_png(str(folder / "1.png"), np.full((4, 4, 3), 9, np.uint8))
        >>> found = {"images": [{"id": 1, "file_name": "1.png"}], "categories": [{"id": 7, "name": "cat"}]}
        >>> box = {"id": 1, "image_id": 1, "category_id": 7, "bbox": [0, 1, 2, 3], "area": 6, "iscrowd": 0}
        >>> _ = (folder / "boxes.json").write_text(json.dumps({**found, "annotations": [box]}))
        >>> data = dataset.CocoDataset(str(folder), str(folder / "boxes.json"), shuffle=False, decode=True)
        >>> print([(image.shape, boxes.asnumpy().tolist(), kind.asnumpy().tolist()) for image, boxes, kind, _ in data])
        [((4, 4, 3), [[0.0, 1.0, 2.0, 3.0]], [[7]])]
    """

    def _listed(self, folder, annotation_file, task, extra_metadata):
        self.task = check_choice(_NAME, "task", task, tuple(_COLUMNS))
        path = Path(check_path(_NAME, "annotation_file", annotation_file))
        check_bool(_NAME, "extra_metadata", extra_metadata)
        try:
            content = json.loads(_content(path))
            rows = [(folder / file, *columns) for file, columns in _annotated(content, task)]
            self.classes = _classes(content, task)
        except _BROKEN as error:
            if is_own_sentence(error):
                raise
            expected = f"the file '{path}' must hold annotations of '{task}'"
            raise value_error(_NAME, expected, f"{type(error).__name__}: {shown(error, str)}") from error
        self.names = ["image", *_COLUMNS[task]]
        return self._with_metadata(rows) if extra_metadata else rows

    def get_class_indexing(self):
        """The number of each class by its name, in a list; for ``"Panoptic"`` with whether it is one of things.

        Raises:
            NotImplementedError: For the other tasks.
        """
        if self.classes is None:
            raise NotImplementedError(
                f"For '{_NAME}', the 'task' must be 'Detection' or 'Panoptic', but got '{self.task}'."
            )
        return {name: list(numbers) for name, numbers in self.classes.items()}


def _content(path):
    if not path.is_file():
        raise value_error(_NAME, f"the file '{path}' must be there", "no such file")
    return path.read_bytes()


def _classes(content, task):
    if task not in ("Detection", "Panoptic"):
        return None
    keys = ["id", "isthing"] if task == "Panoptic" else ["id"]
    return {category["name"]: [category[key] for key in keys] for category in content["categories"]}


def _annotated(content, task):
    """The file and the columns of each image that has annotations."""
    found = {}
    for annotation in content["annotations"]:
        parts = annotation["segments_info"] if task == "Panoptic" else [annotation]
        found.setdefault(annotation["image_id"], []).extend(parts)
    for image in content["images"]:
        if found.get(image["id"]):
            yield image["file_name"], tuple(_column(name, found[image["id"]]) for name in _COLUMNS[task])


def _column(name, annotations):
    if name == "captions":
        return np.array([[str(a["caption"])] for a in annotations])
    if name == "bbox":
        return np.array([a["bbox"] for a in annotations], np.float32).reshape(len(annotations), 4)
    if name == "keypoints":
        return _filled([a["keypoints"] for a in annotations])
    if name == "segmentation":
        return _filled([polygon for a in annotations for polygon in _polygons(a["segmentation"], a["iscrowd"])])
    return np.array([[a[name]] for a in annotations], np.uint32)


def _polygons(segmentation, iscrowd):
    """The polygons of an annotation; of a crowd the lengths of its runs."""
    return [segmentation["counts"]] if iscrowd else segmentation


def _filled(rows):
    """Rows of numbers, filled up with -1 to the longest."""
    longest = max(map(len, rows), default=0)
    return np.array([[*row, *[-1] * (longest - len(row))] for row in rows], np.float32)
