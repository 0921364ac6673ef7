"""Images per second of the usual training pipeline: decode a crop, resize it, flip, normalize, channels first.

Run it as ``python benchmarks/image_pipeline.py [--images N] [--size 224]`` with the interpreter of the framework to
measure; it measures whichever of minispore, MindSpore and PyTorch (its DataLoader, on Pillow and NumPy) can be
imported, each on two workers where it has workers. Photographs are drawn: smooth colours with some noise.
"""

import argparse
import importlib
import importlib.util
import io
import time

import numpy as np
from PIL import Image

MEAN, STD = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]
WORKERS = 2


def photographs(count, size):
    """Encoded JPEG images about twice as large as ``size``, as uint8 arrays."""
    rng, found = np.random.default_rng(0), []
    for _ in range(count):
        small = rng.integers(0, 256, (7, 9, 3), np.uint8)
        image = np.asarray(Image.fromarray(small).resize((size * 9 // 4, size * 7 // 4), Image.Resampling.BICUBIC))
        noisy = np.clip(image + rng.normal(0, 8, image.shape), 0, 255).astype(np.uint8)
        file = io.BytesIO()
        Image.fromarray(noisy).save(file, "JPEG", quality=90)
        found.append(np.frombuffer(file.getvalue(), np.uint8))
    return found


class Source:
    """The images by index, as both kinds of data sets ask for them."""

    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return (self.images[i],)


def of_mindspores_kind(framework, images, size):
    """The pipeline in MindSpore's words, which minispore reads too."""
    dataset = importlib.import_module(f"{framework}.dataset")
    vision = importlib.import_module(f"{framework}.dataset.vision")
    steps = [
        vision.RandomCropDecodeResize(size),
        vision.RandomHorizontalFlip(0.5),
        vision.Normalize(MEAN, STD),
        vision.HWC2CHW(),
    ]
    data = dataset.GeneratorDataset(Source(images), ["image"], shuffle=False)
    data = data.map(steps, ["image"], num_parallel_workers=WORKERS).batch(32)
    return lambda: sum(len(row[0]) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True))


class TorchImages:
    """The same steps as a data set of PyTorch's, on Pillow and NumPy, as torchvision computes them."""

    def __init__(self, images, size):
        self.images, self.size, self.rng = images, size, np.random.default_rng()

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = Image.open(io.BytesIO(self.images[i].tobytes())).convert("RGB")
        image = image.resize((self.size, self.size), Image.Resampling.BILINEAR, self._box(*image.size))
        if self.rng.random() < 0.5:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        x = np.asarray(image, np.float32).transpose(2, 0, 1)
        return (x - np.float32(MEAN)[:, None, None]) / np.float32(STD)[:, None, None]

    def _box(self, width, height):
        for _ in range(10):
            area = self.rng.uniform(0.08, 1) * width * height
            ratio = np.exp(self.rng.uniform(np.log(3 / 4), np.log(4 / 3)))
            wide, tall = round(np.sqrt(area * ratio)), round(np.sqrt(area / ratio))
            if wide <= width and tall <= height:
                left, top = self.rng.integers(width - wide + 1), self.rng.integers(height - tall + 1)
                return (left, top, left + wide, top + tall)
        return (0, 0, width, height)


def of_torch(images, size):
    """One epoch of PyTorch's DataLoader."""
    torch_data = importlib.import_module("torch.utils.data")
    loader = torch_data.DataLoader(TorchImages(images, size), batch_size=32, num_workers=WORKERS)
    return lambda: sum(len(batch) for batch in loader)


def rate(epoch, count):
    """Images per second of the fastest of three epochs, after one that does not count."""
    times = []
    for _ in range(4):
        start = time.perf_counter()
        assert epoch() == count
        times.append(time.perf_counter() - start)
    return count / min(times[1:])


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=int, default=256)
    parser.add_argument("--size", type=int, default=224)
    options = parser.parse_args()
    images = photographs(options.images, options.size)
    makers = {
        "minispore": lambda: of_mindspores_kind("minispore", images, options.size),
        "mindspore": lambda: of_mindspores_kind("mindspore", images, options.size),
        "torch": lambda: of_torch(images, options.size),
    }
    for name, make in makers.items():
        if importlib.util.find_spec(name):
            print(f"{name}: {rate(make(), len(images)):.0f} images per second", flush=True)


if __name__ == "__main__":
    main()
