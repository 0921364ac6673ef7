"""Event files, as TensorBoard reads them: TensorBoardX frames the records and knows the messages.

Source: https://github.com/lanpa/tensorboardX
"""

import importlib
import io
import time
import weakref

import numpy as np

__all__ = ["EventFile", "check_installed", "histogram", "image", "scalar", "tensor"]

INSTALL = 'pip install "tensorboardX>=2.6" "pillow>=9.1"'
_FRAME = 16  # bytes of a record beside the event: its length and two checksums
# Names of TensorFlow's dtypes, whose numbers its messages hold
_DTYPES = {"float32": "DT_FLOAT", "float64": "DT_DOUBLE", "float16": "DT_HALF", "bool": "DT_BOOL"}
_DTYPES |= {name: f"DT_{name.upper()}" for n in (8, 16, 32, 64) for name in (f"int{n}", f"uint{n}")}


def _library(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        message = f"For 'SummaryRecord', event files need tensorboardX and Pillow: {INSTALL} (the extra tensorboard)."
        raise ImportError(message) from error


def check_installed():
    """Raise ImportError with what to install unless event files can be written."""
    _library("tensorboardX.record_writer"), _library("PIL.Image")


def _message(name):
    """A class of the messages of a summary: ``Summary``, ``HistogramProto`` or ``SummaryMetadata``."""
    return getattr(_library("tensorboardX.proto.summary_pb2"), name)


def scalar(tag, number):
    """A number."""
    return _message("Summary").Value(tag=tag, simple_value=number)


def tensor(tag, array):
    """An array, as a TensorProto."""
    array = np.asarray(array)
    array = array if str(array.dtype) in _DTYPES else array.astype(np.float32)  # bfloat16 has no NumPy type to read it
    types, shapes = _library("tensorboardX.proto.types_pb2"), _library("tensorboardX.proto.tensor_shape_pb2")
    shape = shapes.TensorShapeProto(dim=[shapes.TensorShapeProto.Dim(size=n) for n in array.shape])
    content = _library("tensorboardX.proto.tensor_pb2").TensorProto(
        dtype=types.DataType.Value(_DTYPES[str(array.dtype)]), tensor_shape=shape, tensor_content=array.tobytes()
    )
    plugin = _message("SummaryMetadata").PluginData(plugin_name="tensor")
    metadata = _message("SummaryMetadata")(plugin_data=plugin)
    return _message("Summary").Value(tag=tag, tensor=content, metadata=metadata)


def histogram(tag, array):
    """The numbers of finite elements in thirty equal intervals."""
    wide = np.asarray(array).astype(np.float64).reshape(-1)
    wide = wide[np.isfinite(wide)]
    wide = wide if wide.size else np.zeros(1)
    counts, limits = np.histogram(wide, 30)
    content = _message("HistogramProto")(
        min=wide.min(),
        max=wide.max(),
        num=wide.size,
        sum=wide.sum(),
        sum_squares=(wide * wide).sum(),
        bucket_limit=limits[1:].tolist(),
        bucket=counts.tolist(),
    )
    return _message("Summary").Value(tag=tag, histo=content)


def image(tag, pixels):
    """A picture of shape (H, W, C), of uint8, with 1 (grey), 2 (and opacity), 3 (colours) or 4 channels."""
    height, width, channels = pixels.shape
    picture = _library("PIL.Image").fromarray(pixels[:, :, 0] if channels == 1 else pixels)
    png = io.BytesIO()
    picture.save(png, "PNG")
    content = _message("Summary").Image(
        height=height, width=width, colorspace=channels, encoded_image_string=png.getvalue()
    )
    return _message("Summary").Value(tag=tag, image=content)


class EventFile:
    """A new event file, to which events are appended; it is closed at the latest when nobody holds it any more.

    Args:
        path (str): The file.

    Raises:
        ImportError: If TensorBoardX is not installed.
    """

    def __init__(self, path):
        self._records = _library("tensorboardX.record_writer").RecordWriter(str(path))
        weakref.finalize(self, self._records.close)  # a record that nobody closed is in the file, too
        self.size = 0
        self._write(file_version="brain.Event:2")

    def write(self, step, values):
        """Append an event of a step with some values, which the functions of this file made."""
        self._write(step=step, summary=_message("Summary")(value=values))

    def _write(self, **content):
        event = _library("tensorboardX.proto.event_pb2").Event(wall_time=time.time(), **content).SerializeToString()
        self._records.write(event)
        self.size += len(event) + _FRAME

    def flush(self):
        """Write everything to the disk."""
        self._records.flush()

    def close(self):
        """Close the file."""
        self._records.close()
