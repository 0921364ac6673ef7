"""Images that stand as numbers in one file for many: STL-10, SVHN, Semeion and USPS; and images of random numbers."""

import numpy as np

from minispore import dataset as ds


def test_fake_images_depend_on_the_seed_and_the_number_alone():
    def images(**options):
        rows = ds.FakeImageDataset(4, (3, 2, 1), 5, shuffle=False, **options)
        return [(x.tolist(), int(y)) for x, y in rows.create_tuple_iterator(output_numpy=True, num_epochs=1)]

    assert images()[1:] == images(base_seed=1)[:3] and images() == images()
    (first, label), _ = images(num_samples=2)
    assert np.shape(first) == (3, 2, 1) and 0 <= label < 5
    (batch,) = ds.FakeImageDataset(4, (3, 2, 1), shuffle=False).batch(4).create_tuple_iterator(output_numpy=True)
    assert batch[0].shape == (4, 3, 2, 1) and (batch[1].dtype, batch[1].shape) == (np.uint32, (4,))
