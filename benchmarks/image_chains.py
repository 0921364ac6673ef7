"""What one peer's process does for ``image_pipeline.py``: epochs of a pipeline of images, timed one by one.

``python image_chains.py PEER CHAIN COUNT SECONDS FOLDER`` prints one line of JSON. The chains are those of a training
run: ``folder`` reads JPEG files, decodes a random crop at 224 x 224, flips, normalizes, puts channels first and
batches by 32; ``arrays`` pads and crops images of 32 x 32, flips, rescales, normalizes, channels first, by 128. Each
peer does them as its users would, on two workers.
"""

import importlib
import json
import sys
import time
from pathlib import Path
from statistics import median

WORKERS, SIZE = 2, 224
MEAN, STD = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]  # of values up to 255
BATCH = {"folder": 32, "arrays": 128}


def write_photographs(folder, count):
    """JPEG files of smooth colours with some noise, about twice as large as a crop, in two classes' folders."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(0)
    for number in range(count):
        place = Path(folder, f"class{number % 2}")
        place.mkdir(parents=True, exist_ok=True)
        small = rng.integers(0, 256, (7, 9, 3), np.uint8)
        image = np.asarray(Image.fromarray(small).resize((SIZE * 9 // 4, SIZE * 7 // 4), Image.Resampling.BICUBIC))
        noisy = np.clip(image + rng.normal(0, 8, image.shape), 0, 255).astype(np.uint8)
        Image.fromarray(noisy).save(place / f"{number:05}.jpg", quality=90)


def small_images(count):
    """Images like CIFAR-10's, (count, 32, 32, 3) of uint8, and their labels."""
    import numpy as np

    rng = np.random.default_rng(0)
    return rng.integers(0, 256, (count, 32, 32, 3), np.uint8), rng.integers(0, 10, count, np.int32)


def of_mindspores_kind(framework, chain, count, folder):
    """One epoch of a chain in MindSpore's words, which minispore reads too; it returns how many images there were."""
    dataset = importlib.import_module(f"{framework}.dataset")
    vision = importlib.import_module(f"{framework}.dataset.vision")
    flip, last = vision.RandomHorizontalFlip(0.5), vision.HWC2CHW()
    if chain == "folder":
        data = dataset.ImageFolderDataset(folder, shuffle=True, num_parallel_workers=WORKERS)
        steps = [vision.RandomCropDecodeResize(SIZE), flip, vision.Normalize(MEAN, STD), last]
    else:
        images, labels = small_images(count)
        data = dataset.NumpySlicesDataset({"image": images, "label": labels}, shuffle=True)
        unit = vision.Normalize([m / 255 for m in MEAN], [s / 255 for s in STD])
        steps = [vision.RandomCrop((32, 32), (4, 4, 4, 4)), flip, vision.Rescale(1 / 255, 0.0), unit, last]
    data = data.map(steps, ["image"], num_parallel_workers=WORKERS).batch(BATCH[chain])
    rows = data.create_tuple_iterator(output_numpy=True)
    return lambda: sum(len(row[0]) for row in rows)


def of_torch(chain, count, folder):
    """One epoch of PyTorch's DataLoader over torchvision's transforms; its workers live on between epochs."""
    from PIL import Image
    from torch.utils.data import DataLoader, Dataset
    from torchvision import datasets, transforms

    unit = transforms.Normalize([m / 255 for m in MEAN], [s / 255 for s in STD])
    last = [transforms.RandomHorizontalFlip(), transforms.ToTensor(), unit]
    crop = transforms.RandomCrop(32, padding=4) if chain == "arrays" else transforms.RandomResizedCrop(SIZE)
    steps = transforms.Compose([crop, *last])

    class Arrays(Dataset):
        """Images of arrays, as torchvision's CIFAR10 reads them."""

        def __init__(self):
            self.images, labels = small_images(count)
            self.labels = labels.tolist()

        def __len__(self):
            return len(self.images)

        def __getitem__(self, i):
            return steps(Image.fromarray(self.images[i])), self.labels[i]

    data = Arrays() if chain == "arrays" else datasets.ImageFolder(folder, steps)
    loader = DataLoader(data, BATCH[chain], shuffle=True, num_workers=WORKERS, persistent_workers=True)
    return lambda: sum(len(images) for images, _ in loader)


def main(peer, chain, count, seconds, folder):
    framework = importlib.import_module(peer)
    of_peer = of_torch if peer == "torch" else lambda *args: of_mindspores_kind(peer, *args)
    epoch, times = of_peer(chain, int(count), folder), []
    assert epoch() == int(count)  # not timed: workers start, files come into the system's cache
    end = time.perf_counter() + float(seconds)
    while len(times) < 2 or time.perf_counter() < end:
        start = time.perf_counter()
        assert epoch() == int(count)
        times.append(time.perf_counter() - start)
    rate, best = int(count) / median(times), int(count) / min(times)
    print(json.dumps({"rate": rate, "best": best, "epochs": len(times), "version": framework.__version__}))


if __name__ == "__main__":
    main(*sys.argv[1:])
