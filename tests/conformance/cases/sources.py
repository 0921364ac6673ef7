"""Sources over the small folders of ``source_folders``: what each gives.

``CASES`` are expressions over ``ds``, the ``dataset`` of either package, and ``d``, the folder. ``read`` is what one
gives: the names of its columns, its size, and its rows as json has them.
"""

import hashlib

import numpy as np

_LISTED = """
celeba
    CelebADataset(d, shuffle=False)
    CelebADataset(d, None, False, 'train', decode=True)
    CelebADataset(d, usage='valid')
    CelebADataset(d, usage='test')
    CelebADataset(d, num_shards=2, shard_id=1, shuffle=False)
    CelebADataset(d, shuffle=False, num_samples=3)
    CelebADataset(d, sampler=ds.SequentialSampler(1, 2))
    CelebADataset(d, extensions=['.png'], shuffle=False)
    CelebADataset(d, usage='x')
    CelebADataset(d, shuffle=False, sampler=[2, 0])
cityscapes
    CityscapesDataset(d, shuffle=False)
    CityscapesDataset(d, 'all', task='semantic', decode=True, shuffle=False)
    CityscapesDataset(d, 'val', task='polygon')
    CityscapesDataset(d, 'val', task='polygon', decode=True)
    CityscapesDataset(d, 'test', 'fine', 'color', decode=True)
    CityscapesDataset(d, 'val', 'coarse')
    CityscapesDataset(d, 'train', task='x')
    CityscapesDataset(d, 'train_extra')
    CityscapesDataset(d, shuffle=False, num_shards=2, shard_id=1)
    CityscapesDataset(d, num_samples=1, shuffle=False)
voc
    VOCDataset(d, shuffle=False)
    VOCDataset(d, decode=True, shuffle=False)
    VOCDataset(d, 'Detection', shuffle=False)
    VOCDataset(d, 'Detection', 'train', {'cat': 3, 'dog': 0}, shuffle=False, decode=True)
    VOCDataset(d, 'Detection', 'train', {'cat': 3}, shuffle=False)
    VOCDataset(d, 'Detection', 'train', {'dog': 3}, shuffle=False)
    VOCDataset(d, 'Detection', 'val', {'dog': 3})
    VOCDataset(d, 'Detection', 'val', extra_metadata=True)
    VOCDataset(d, 'Detection', 'val', extra_metadata=True).rename('_meta-filename', 'f')
    VOCDataset(d, 'Segmentation', 'val', extra_metadata=True)
    VOCDataset(d, 'Detection', 'test')
    VOCDataset(d, 'X')
    VOCDataset(d, class_indexing={'cat': 1})
    VOCDataset(d, 'Detection', num_shards=2, shard_id=0, shuffle=False)
    VOCDataset(d, num_samples=1, shuffle=False)
coco
    CocoDataset(d + '/images', d + '/boxes.json', 'Detection', shuffle=False)
    CocoDataset(d + '/images', d + '/boxes.json', 'Detection', shuffle=False, decode=True, extra_metadata=True)
    CocoDataset(d + '/images', d + '/stuff.json', 'Stuff', shuffle=False)
    CocoDataset(d + '/images', d + '/stuff.json', 'Stuff', shuffle=False, decode=True, extra_metadata=True)
    CocoDataset(d + '/images', d + '/crowd.json', 'Stuff', shuffle=False)
    CocoDataset(d + '/images', d + '/crowd.json', 'Stuff', shuffle=False, decode=True, extra_metadata=True)
    CocoDataset(d + '/images', d + '/points.json', 'Keypoint', shuffle=False)
    CocoDataset(d + '/images', d + '/points.json', 'Keypoint', shuffle=False, decode=True, extra_metadata=True)
    CocoDataset(d + '/images', d + '/panoptic.json', 'Panoptic', shuffle=False)
    CocoDataset(d + '/images', d + '/panoptic.json', 'Panoptic', shuffle=False, decode=True, extra_metadata=True)
    CocoDataset(d + '/images', d + '/captions.json', 'Captioning', shuffle=False)
    CocoDataset(d + '/images', d + '/captions.json', 'Captioning', shuffle=False, decode=True, extra_metadata=True)
    CocoDataset(d + '/images', d + '/boxes.json', shuffle=False, num_samples=1)
    CocoDataset(d + '/images', d + '/boxes.json', 'X')
    CocoDataset(d + '/images', d + '/boxes.json', 'Stuff')
    CocoDataset(d + '/images', d + '/none.json')
    CocoDataset(d + '/images', d + '/boxes.json', sampler=ds.SequentialSampler(1))
emnist
    EMnistDataset(d, 'digits', shuffle=False)
    EMnistDataset(d, 'digits', 'test', shuffle=False)
    EMnistDataset(d, 'letters')
    EMnistDataset(d, 'x')
qmnist
    QMnistDataset(d, None, True, shuffle=False)
    QMnistDataset(d, None, False, shuffle=False)
    QMnistDataset(d, 'train', True, shuffle=False)
    QMnistDataset(d, 'train', False, shuffle=False)
    QMnistDataset(d, 'test', True, shuffle=False)
    QMnistDataset(d, 'test', False, shuffle=False)
    QMnistDataset(d, 'test10k', True, shuffle=False)
    QMnistDataset(d, 'test10k', False, shuffle=False)
    QMnistDataset(d, 'nist', True, shuffle=False)
    QMnistDataset(d, 'nist', False, shuffle=False)
    QMnistDataset(d, 'all', True, shuffle=False)
    QMnistDataset(d, 'all', False, shuffle=False)
    QMnistDataset(d, 'test50k')
stl10
    STL10Dataset(d, None, shuffle=False)
    STL10Dataset(d, 'train', shuffle=False)
    STL10Dataset(d, 'test', shuffle=False)
    STL10Dataset(d, 'unlabeled', shuffle=False)
    STL10Dataset(d, 'train+unlabeled', shuffle=False)
    STL10Dataset(d, 'all', shuffle=False)
    STL10Dataset(d, 'x', shuffle=False)
sbu
    SBUDataset(d, shuffle=False)
    SBUDataset(d, decode=True, shuffle=False, num_samples=1)
flickr
    FlickrDataset(d, d + '/captions.token', shuffle=False)
    FlickrDataset(d, d + '/captions.token', shuffle=False, decode=True, num_samples=1)
classes
    RenderedSST2Dataset(d, None, shuffle=False)
    RenderedSST2Dataset(d, 'train', shuffle=False)
    RenderedSST2Dataset(d, 'all', shuffle=False)
    RenderedSST2Dataset(d, 'val', shuffle=False)
    RenderedSST2Dataset(d, 'test', shuffle=False)
    RenderedSST2Dataset(d, 'x', shuffle=False)
caltech256
    Caltech256Dataset(d, shuffle=False)
    Caltech256Dataset(d, shuffle=False, decode=True, num_samples=1)
div2k
    DIV2KDataset(d, shuffle=False)
    DIV2KDataset(d, 'all', decode=True, shuffle=False)
    DIV2KDataset(d, 'valid', 'unknown', 2, shuffle=False)
    DIV2KDataset(d, 'valid', 'bicubic', 3)
    DIV2KDataset(d, 'train', 'mild', 2)
food101
    Food101Dataset(d, None, shuffle=False)
    Food101Dataset(d, 'train', shuffle=False)
    Food101Dataset(d, 'test', shuffle=False)
    Food101Dataset(d, 'all', shuffle=False)
manifest
    ManifestDataset(d + '/m.json', shuffle=False)
    ManifestDataset(d + '/m.json', 'eval', shuffle=False, decode=True)
    ManifestDataset(d + '/m.json', class_indexing={'dog': 4, 'cat': 2, 'ant': 9}, shuffle=False)
    ManifestDataset(d + '/m.json', class_indexing={'dog': 4}, shuffle=False)
    ManifestDataset(d + '/m.json', 'inference')
semeion
    SemeionDataset(d, shuffle=False)
usps
    USPSDataset(d, None, shuffle=False)
    USPSDataset(d, 'train', shuffle=False)
    USPSDataset(d, 'test', shuffle=False)
    USPSDataset(d, 'all', shuffle=False)
    USPSDataset(d, 'x', shuffle=False)
    USPSDataset(d, 'train', shuffle=False, num_shards=2, shard_id=1)
reviews
    YahooAnswersDataset(d, None, shuffle=False)
    YahooAnswersDataset(d, 'train', shuffle=False)
    YahooAnswersDataset(d, 'test', shuffle=False)
    YahooAnswersDataset(d, 'all', shuffle=False)
    YahooAnswersDataset(d, 'x', shuffle=False)
    AGNewsDataset(d, 'train', shuffle=False)
reviews3
    AGNewsDataset(d, 'train', shuffle=False)
    AGNewsDataset(d, 'all', shuffle=False)
    AGNewsDataset(d, None, shuffle=False)
    AGNewsDataset(d, 'train', shuffle=False, num_samples=2)
    AGNewsDataset(d, 'train', shuffle=False, num_shards=2, shard_id=1)
    AmazonReviewDataset(d, 'train', shuffle=False)
    AmazonReviewDataset(d, 'all', shuffle=False)
    AmazonReviewDataset(d, None, shuffle=False)
    AmazonReviewDataset(d, 'train', shuffle=False, num_samples=2)
    AmazonReviewDataset(d, 'train', shuffle=False, num_shards=2, shard_id=1)
    DBpediaDataset(d, 'train', shuffle=False)
    DBpediaDataset(d, 'all', shuffle=False)
    DBpediaDataset(d, None, shuffle=False)
    DBpediaDataset(d, 'train', shuffle=False, num_samples=2)
    DBpediaDataset(d, 'train', shuffle=False, num_shards=2, shard_id=1)
    SogouNewsDataset(d, 'train', shuffle=False)
    SogouNewsDataset(d, 'all', shuffle=False)
    SogouNewsDataset(d, None, shuffle=False)
    SogouNewsDataset(d, 'train', shuffle=False, num_samples=2)
    SogouNewsDataset(d, 'train', shuffle=False, num_shards=2, shard_id=1)
reviews2
    YelpReviewDataset(d, shuffle=False)
    YelpReviewDataset(d, None, None, False, None, None, 2)
    YelpReviewDataset(d, 'test', shuffle=False)
lines
    PennTreebankDataset(d, None, shuffle=False)
    PennTreebankDataset(d, 'train', shuffle=False)
    PennTreebankDataset(d, 'valid', shuffle=False)
    PennTreebankDataset(d, 'test', shuffle=False)
    PennTreebankDataset(d, 'all', shuffle=False)
    PennTreebankDataset(d, 'x', shuffle=False)
    WikiTextDataset(d, None, shuffle=False)
    WikiTextDataset(d, 'train', shuffle=False)
    WikiTextDataset(d, 'valid', shuffle=False)
    WikiTextDataset(d, 'test', shuffle=False)
    WikiTextDataset(d, 'all', shuffle=False)
    WikiTextDataset(d, 'x', shuffle=False)
    EnWik9Dataset(d, shuffle=False)
    EnWik9Dataset(d, 2, shuffle=False)
sst2
    SST2Dataset(d, None, shuffle=False)
    SST2Dataset(d, 'train', shuffle=False)
    SST2Dataset(d, 'test', shuffle=False)
    SST2Dataset(d, 'dev', shuffle=False)
    SST2Dataset(d, 'all', shuffle=False)
imdb
    IMDBDataset(d, None, shuffle=False)
    IMDBDataset(d, 'train', shuffle=False)
    IMDBDataset(d, 'test', shuffle=False)
    IMDBDataset(d, 'all', shuffle=False)
    IMDBDataset(d, 'x', shuffle=False)
    IMDBDataset(d, 'train', 3, shuffle=False, num_shards=2, shard_id=1)
squad
    SQuADDataset(d, None, shuffle=False)
    SQuADDataset(d, 'train', shuffle=False)
    SQuADDataset(d, 'dev', shuffle=False)
    SQuADDataset(d, 'all', shuffle=False)
    SQuADDataset(d, 'x', shuffle=False)
tagged
    CoNLL2000Dataset(d, None, shuffle=False)
    CoNLL2000Dataset(d, 'train', shuffle=False)
    CoNLL2000Dataset(d, 'test', shuffle=False)
    CoNLL2000Dataset(d, 'all', shuffle=False)
    UDPOSDataset(d, None, shuffle=False)
    UDPOSDataset(d, 'train', shuffle=False)
    UDPOSDataset(d, 'valid', shuffle=False)
    UDPOSDataset(d, 'test', shuffle=False)
    UDPOSDataset(d, 'all', shuffle=False)
multi30k
    Multi30kDataset(d, None, None, shuffle=False)
    Multi30kDataset(d, 'train', ['en', 'de'], shuffle=False)
    Multi30kDataset(d, 'train', ['de', 'en'], shuffle=False)
    Multi30kDataset(d, 'valid', None, shuffle=False)
    Multi30kDataset(d, 'test', None, shuffle=False)
    Multi30kDataset(d, 'all', None, shuffle=False)
clue
    CLUEDataset(d + '/afqmc.json', 'AFQMC', 'train', shuffle=False)
    CLUEDataset(d + '/afqmc.json', 'AFQMC', 'eval', shuffle=False)
    CLUEDataset(d + '/afqmc_test.json', 'AFQMC', 'test', shuffle=False)
    CLUEDataset(d + '/cmnli.json', 'CMNLI', 'train', shuffle=False)
    CLUEDataset(d + '/afqmc_test.json', 'CMNLI', 'test', shuffle=False)
    CLUEDataset(d + '/csl.json', 'CSL', 'train', shuffle=False)
    CLUEDataset(d + '/csl.json', 'CSL', 'test', shuffle=False)
    CLUEDataset(d + '/iflytek.json', 'IFLYTEK', 'train', shuffle=False)
    CLUEDataset(d + '/iflytek_test.json', 'IFLYTEK', 'test', shuffle=False)
    CLUEDataset(d + '/tnews.json', 'TNEWS', 'train', shuffle=False)
    CLUEDataset(d + '/tnews_test.json', 'TNEWS', 'test', shuffle=False)
    CLUEDataset(d + '/wsc.json', 'WSC', 'train', shuffle=False)
    CLUEDataset(d + '/wsc.json', 'WSC', 'test', shuffle=False)
    CLUEDataset(d + '/tnews.json', 'CSL', 'train', shuffle=False)
    CLUEDataset(d + '/afqmc.json', 'X', 'train', shuffle=False)
omniglot
    OmniglotDataset(d, None, shuffle=False)
    OmniglotDataset(d, True, shuffle=False)
    OmniglotDataset(d, False, shuffle=False)
lsun
    LSUNDataset(d, 'train', ['church_outdoor'], shuffle=False)
    LSUNDataset(d, 'valid', ['church_outdoor', 'bedroom'], shuffle=False)
    LSUNDataset(d, 'x')
svhn
    SVHNDataset(d, None, shuffle=False)
    SVHNDataset(d, 'train', shuffle=False)
    SVHNDataset(d, 'test', shuffle=False)
    SVHNDataset(d, 'extra', shuffle=False)
    SVHNDataset(d, 'all', shuffle=False)
    SVHNDataset(d, 'x', shuffle=False)
flowers
    Flowers102Dataset(d, 'Classification', 'train', shuffle=False)
    Flowers102Dataset(d, 'Segmentation', 'train', shuffle=False, decode=True)
    Flowers102Dataset(d, 'Segmentation', 'valid', shuffle=False)
    Flowers102Dataset(d, 'Classification', 'all', shuffle=False)
    Flowers102Dataset(d, 'Classification', 'x', shuffle=False)
plain_lines
    TextFileDataset(d + '/*.txt', shuffle=False)
    TextFileDataset(d + '/*.txt', shuffle=False, num_parallel_workers=2)
    TextFileDataset(d + '/*.txt', shuffle=False, num_samples=4, num_parallel_workers=2)
    TextFileDataset(d + '/*.txt', shuffle=False, num_shards=2, shard_id=0, num_parallel_workers=2)
    TextFileDataset(d + '/*.txt', shuffle=False, num_shards=2, shard_id=1, num_parallel_workers=2)
"""


def _cases():
    """The folder and the expression of each line: a folder's name stands before the lines of its expressions."""
    folder, found = None, []
    for line in _LISTED.strip().splitlines():
        if line.startswith(" "):
            found.append((folder, f"ds.{line.strip()}"))
        else:
            folder = line
    return found


CASES = _cases()


def told(value):
    """A value as json has it: its dtype, its shape, and its elements or, of many, their digest."""
    value = np.asarray(value)
    kind = "str" if value.dtype.kind in "SU" else str(value.dtype)
    value = value.astype(str) if kind == "str" else value
    few = value.size <= 48
    return [kind, list(value.shape), value.tolist() if few else hashlib.sha256(value.tobytes()).hexdigest()[:16]]


def read(ds, expression, folder):
    """What a source gives, read by one worker unless it says otherwise; or the kind and the text of its error."""
    before = ds.config.get_num_parallel_workers()
    ds.config.set_num_parallel_workers(1)
    try:
        data = eval(expression, {"ds": ds, "d": str(folder)})
        rows = [[told(value) for value in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]
        return {"names": data.get_col_names(), "size": data.get_dataset_size(), "rows": rows}
    except Exception as error:
        return {"refused": type(error).__name__, "text": str(error)}
    finally:
        ds.config.set_num_parallel_workers(before)
