"""Image files, and what is refused of hostile ones."""

import numpy as np
import pytest

from minispore.dataset import vision

pytest.importorskip("PIL")
X = np.random.default_rng(0).integers(0, 256, (9, 7, 3), np.uint8)


def test_a_written_png_is_read_as_it_was(tmp_path):
    path = str(tmp_path / "a.png")
    vision.write_png(path, X)
    np.testing.assert_array_equal(vision.read_image(path), X)
    assert vision.read_image(path, vision.ImageReadMode.GRAYSCALE).shape == (9, 7, 1)
    vision.write_file(path, vision.encode_jpeg(X[:, :, 0]))
    assert vision.read_image(path).shape == (9, 7, 1)
    assert vision.read_image(path, vision.ImageReadMode.COLOR).shape == (9, 7, 3)
    assert (vision.get_image_size(X), vision.get_image_num_channels(X)) == ([9, 7], 3)


@pytest.mark.parametrize("kind", ["jpeg", "png"])
def test_a_damaged_image_is_decoded_or_refused_with_one_sentence(kind):
    data, rng = getattr(vision, f"encode_{kind}")(X), np.random.default_rng(1)
    for _ in range(150):
        damaged = data.copy()
        damaged[rng.integers(len(data), size=rng.integers(1, 6))] = rng.integers(0, 256, dtype=np.uint8)
        damaged = damaged[: rng.integers(1, len(data))] if rng.random() < 0.3 else damaged
        try:
            found = vision.Decode()(damaged)
        except RuntimeError as error:
            assert str(error).startswith("For 'Decode', the image must")
        else:
            assert found.ndim == 3
