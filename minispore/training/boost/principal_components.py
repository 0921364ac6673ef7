"""Principal components of saved weights: the directions in which a training run has moved most."""

import os

import numpy as np

from minispore.core import process
from minispore.core.errors import shown, value_error
from minispore.data.atomic_file import replace_file
from minispore.data.serialization import load_checkpoint
from minispore.parallel.communication import world

__all__ = []

_NAME = "DimReduce"


def principal_components(rows, number):
    """The ``number`` orthonormal directions in which ``rows`` vary most, as rows of a float32 matrix.

    They are the first right singular vectors of the rows without their mean.

    Raises:
        ValueError: If there are fewer rows.
    """
    if len(rows) < number:
        expected = f"the 'n_components' must be at most the number of checkpoints, {len(rows)}"
        raise value_error(_NAME, expected, number)
    centred = np.asarray(rows, np.float64) - np.mean(rows, axis=0, dtype=np.float64)
    return np.linalg.svd(centred, full_matrices=False)[2][:number].astype(np.float32)


def saved_weights(directory, parameters):
    """A row for each checkpoint of the folder: its values of ``parameters``, one after the other.

    Raises:
        ValueError: If there is no such folder, or a checkpoint lacks a Parameter or has it in another shape.
    """
    if directory is None or not os.path.isdir(directory):
        raise value_error(_NAME, "the 'weight_load_dir' must be a folder of checkpoints", shown(directory))
    files = sorted(name for name in os.listdir(directory) if name.endswith(".ckpt"))
    rows = [_row(os.path.join(directory, name), parameters) for name in files]
    return np.array(rows, np.float32).reshape(len(rows), sum(p.size for p in parameters))


def _row(path, parameters):
    saved = load_checkpoint(path)
    for p in parameters:
        if p.name not in saved or saved[p.name].shape != p.shape:
            found = f"shape {saved[p.name].shape}" if p.name in saved else "none"
            raise value_error(_NAME, f"the checkpoint '{path}' must have '{p.name}' of shape {p.shape}", found)
    return np.concatenate([saved[p.name].asnumpy().astype(np.float32).ravel() for p in parameters])


def components_for(parameters, number, weight_load_dir, pca_mat_path):
    """``number`` principal components of ``parameters``, the same in all processes that share their gradients.

    They are those in the file ``pca_mat_path``, if there is one. Else they are computed from the checkpoints in
    ``weight_load_dir``. They are kept in ``pca_mat_path``, if it is given.
    """
    if not process.job.shares_gradients():
        return _read_or_computed(parameters, number, weight_load_dir, pca_mat_path)
    group = world.world()
    if group.rank == 0:
        with group.reporting_errors(_NAME):
            mine = _read_or_computed(parameters, number, weight_load_dir, pca_mat_path)
    else:
        mine = np.zeros((number, sum(p.size for p in parameters)), np.float32)
    return group.broadcast(_NAME, [mine], 0)[0]


def _read_or_computed(parameters, number, weight_load_dir, pca_mat_path):
    if pca_mat_path is not None and os.path.exists(pca_mat_path):
        return _read(pca_mat_path, (number, sum(p.size for p in parameters)))
    found = principal_components(saved_weights(weight_load_dir, parameters), number)
    if pca_mat_path is not None:
        replace_file(pca_mat_path, lambda file: np.save(file, found), _NAME)
    return found


def _read(path, shape):
    """The first rows of a kept matrix; ValueError unless it has as many, each as long as the Parameters together."""
    kept = np.load(path, allow_pickle=False)
    if kept.ndim != 2 or kept.shape[0] < shape[0] or kept.shape[1] != shape[1]:
        raise value_error(_NAME, f"the matrix in '{path}' must have the shape {shape}", f"{kept.shape}")
    return kept[: shape[0]].astype(np.float32)
