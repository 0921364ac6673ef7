"""Writers of small folders in the formats of public data sets, by their names in ``FOLDERS``."""

import json
import struct
import zlib
from pathlib import Path

import numpy as np

# What the files consist of


def pixels(number, shape=(4, 5, 3)):
    """An image that no other number has."""
    places = np.arange(np.prod(shape))
    return (places * 7 + places // 251 + 31 * number).astype(np.uint8).reshape(shape)


def png(array):
    """An image as the bytes of a PNG: (height, width) or (height, width, 3) of uint8."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", array.shape[1], array.shape[0], 8, 2 if array.ndim == 3 else 0, 0, 0, 0)
    lines = b"".join(b"\0" + line.tobytes() for line in array)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def idx(array):
    """An array of uint8 or int32 as the bytes of an idx file."""
    head = bytes([0, 0, 8 if array.dtype == np.uint8 else 12, array.ndim])
    return (
        head
        + b"".join(struct.pack(">I", n) for n in array.shape)
        + array.astype(array.dtype.newbyteorder(">")).tobytes()
    )


def put(folder, files):
    """Write files, with their folders: text or bytes by their paths."""
    for name, content in files.items():
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


# The folders


def celeba(d):
    lines = [" ".join([f"00000{i}.jpg", *("1" if j % (i + 1) else "-1" for j in range(40))]) for i in (1, 2, 3, 4)]
    head = ["4", " ".join(f"a{j}" for j in range(40))]
    put(d, {f"00000{i}.jpg": png(pixels(i)) for i in (1, 2, 3, 4)})
    put(d, {"list_attr_celeba.txt": "\n".join(head + lines) + "\n"})
    put(
        d,
        {"list_eval_partition.txt": "".join(f"00000{i}.jpg {part}\n" for i, part in ((1, 0), (2, 0), (3, 1), (4, 2)))},
    )


def cityscapes(d):
    for place, (part, city, name) in enumerate(
        [
            ("train", "bonn", "bonn_1_2"),
            ("train", "aachen", "aachen_0_1"),
            ("val", "ulm", "ulm_3_4"),
            ("test", "x", "x_1"),
        ]
    ):
        put(d, {f"leftImg8bit/{part}/{city}/{name}_leftImg8bit.png": png(pixels(place))})
        put(
            d,
            {
                f"gtFine/{part}/{city}/{name}_gtFine_{kind}.png": png(pixels(place + 9, (4, 5)))
                for kind in ("instanceIds", "labelIds")
            },
        )
        put(d, {f"gtFine/{part}/{city}/{name}_gtFine_color.png": png(pixels(place + 20))})
        put(d, {f"gtFine/{part}/{city}/{name}_gtFine_polygons.json": json.dumps({"imgHeight": 4, "n": place})})


def voc(d):
    def thing(name, box, more=""):
        corners = "".join(f"<{k}>{box[i]}</{k}>" for i, k in enumerate(("xmin", "ymin", "xmax", "ymax")))
        return f"<object><name>{name}</name>{more}<bndbox>{corners}</bndbox></object>"

    marks = "<pose>Left</pose><truncated>1</truncated><difficult>1</difficult>"
    things = {
        "b": [thing("dog", [1, 2, 4, 4], marks), thing("cat", [2, 1, 5, 3], marks.replace("1", "0"))],
        "a": [thing("cat", [1, 1, 3, 4])],
        "c": [thing("ant", [1, 1, 2, 2], marks)],
    }
    for place, name in enumerate(things):
        size = "<size><width>5</width><height>4</height><depth>3</depth></size>"
        text = f"<annotation><filename>{name}.jpg</filename>{size}{''.join(things[name])}</annotation>"
        put(d, {f"JPEGImages/{name}.jpg": png(pixels(place)), f"Annotations/{name}.xml": text})
        put(d, {f"SegmentationClass/{name}.png": png(pixels(place + 5))})
    put(d, {f"ImageSets/{kind}/train.txt": "b\na\n" for kind in ("Main", "Segmentation")})
    put(d, {f"ImageSets/{kind}/val.txt": "c\n" for kind in ("Main", "Segmentation")})


def coco(d):
    put(d, {f"images/{name}.jpg": png(pixels(i)) for i, name in enumerate("xyz")})
    images = [{"id": 7 - i, "file_name": f"{name}.jpg", "height": 4, "width": 5} for i, name in enumerate("yxz")]
    classes = [{"id": 1, "name": "person", "supercategory": "s"}, {"id": 5, "name": "dog", "supercategory": "s"}]
    classes = [{**c, "isthing": i} for i, c in enumerate(classes)]

    def told(name, annotations):
        put(d, {f"{name}.json": json.dumps({"images": images, "annotations": annotations, "categories": classes})})

    boxes = [(6, 5, [1, 2, 3.5, 1], 0), (7, 1, [0, 0, 2, 2], 1), (6, 1, [1, 1, 1, 1], 0)]
    rows = [{"id": i, "image_id": n, "category_id": c, "bbox": b, "iscrowd": w} for i, (n, c, b, w) in enumerate(boxes)]
    told("boxes", rows)
    told(
        "stuff",
        [{**r, "segmentation": [[1, 2, 3, 4, 5, i], [7, 8, 9, i]]} for i, r in enumerate(rows) if not r["iscrowd"]],
    )
    told("crowd", [{**rows[1], "segmentation": {"counts": [2, 3, 15], "size": [4, 5]}}])
    told("points", [{**r, "keypoints": [1, 2, 2, 3, 4, i], "num_keypoints": 2} for i, r in enumerate(rows)])
    told(
        "captions",
        [
            {"id": 9, "image_id": 6, "caption": "a dog"},
            {"id": 3, "image_id": 7, "caption": "é"},
            {"id": 1, "image_id": 6, "caption": "two"},
        ],
    )
    parts = [
        {"id": i, "category_id": c, "iscrowd": w, "bbox": [int(v) for v in b], "area": 4 + i}
        for i, (_, c, b, w) in enumerate(boxes)
    ]
    told(
        "panoptic",
        [
            {"image_id": 6, "file_name": "y.png", "segments_info": parts[:2]},
            {"image_id": 5, "file_name": "z.png", "segments_info": parts[2:]},
        ],
    )


def emnist(d):
    for i, part in enumerate(("train", "test")):
        put(d, {f"emnist-digits-{part}-images-idx3-ubyte": idx(pixels(i, (3 - i, 28, 28)))})
        put(d, {f"emnist-digits-{part}-labels-idx1-ubyte": idx(np.arange(3 - i, dtype=np.uint8) + 4)})


def qmnist(d):
    labels = (np.arange(8 * 5, dtype=np.int32) * 300).reshape(5, 8)
    for i, part in enumerate(("train", "test")):
        put(d, {f"qmnist-{part}-images-idx3-ubyte": idx(pixels(i, (3 - i, 28, 28)))})
        put(d, {f"qmnist-{part}-labels-idx2-int": idx(labels[i:3])})
    put(d, {"xnist-images-idx3-ubyte": idx(pixels(8, (2, 28, 28))), "xnist-labels-idx2-int": idx(labels[3:])})


def stl10(d):
    for i, part in enumerate(("train", "test", "unlabeled")):
        put(d, {f"{part}_X.bin": pixels(i, (2, 3, 96, 96)).tobytes()})
    put(
        d,
        {
            "train_y.bin": bytes([3, 10]),
            "test_y.bin": bytes([1, 7]),
            "class_names.txt": "a\n",
            "fold_indices.txt": "0 1\n",
        },
    )


def sbu(d):
    urls = [f"http://static.flickr.com/{name}.jpg" for name in ("2723/b_1", "11/missing", "3/a_2")]
    put(d, {"SBU_captioned_photo_dataset_urls.txt": "\n".join(urls) + "\n"})
    put(d, {"SBU_captioned_photo_dataset_captions.txt": "first one \nmissing\n third, one\n"})
    put(d, {"sbu_images/m_2723_b_1.jpg": png(pixels(1)), "sbu_images/m_3_a_2.jpg": png(pixels(2))})


def flickr(d):
    lines = [f"{name}.jpg#{i}\t{name} caption {i} ." for name in "ba" for i in range(5)]
    put(
        d, {"captions.token": "\n".join(lines) + "\n", **{f"{name}.jpg": png(pixels(i)) for i, name in enumerate("ab")}}
    )


def classes(d):
    """Images by part and class: for RenderedSST2, Caltech-256 and LSUN."""
    for i, part in enumerate(("train", "test", "val")):
        for j, kind in enumerate(("positive", "negative")):
            put(d, {f"{part}/{kind}/{k}.png": png(pixels(i * 9 + j * 3 + k)) for k in (2, 1)})


def caltech256(d):
    put(
        d,
        {
            f"{kind}/{kind[:3]}_000{k}.jpg": png(pixels(k + len(kind)))
            for kind in ("002.flag", "001.ak47")
            for k in (2, 1)
        },
    )


def div2k(d):
    for i, part in enumerate(("train", "valid")):
        for k in (2, 1):
            put(d, {f"DIV2K_{part}_HR/000{k}.png": png(pixels(i * 5 + k))})
            put(d, {f"DIV2K_{part}_LR_bicubic/X2/000{k}x2.png": png(pixels(i * 5 + k, (2, 2, 3)))})


def food101(d):
    put(d, {f"images/{kind}/{k}.jpg": png(pixels(k)) for kind in ("pie", "apple") for k in (1, 2, 3)})
    put(
        d,
        {
            "meta/classes.txt": "pie\napple\n",
            "meta/train.txt": "pie/2\napple/1\npie/1\n",
            "meta/test.txt": "apple/3\npie/3\n",
        },
    )


def manifest(d):
    put(d, {f"{name}.jpg": png(pixels(i)) for i, name in enumerate("abc")})
    rows = [("b", "TRAIN", ["dog"]), ("a", "train", ["cat"]), ("c", "EVAL", ["dog"]), ("c", "TRAIN", ["ant", "dog"])]
    lines = [
        {
            "source": f"{d}/{name}.jpg",
            "usage": use,
            "annotation": [{"type": "modelarts/image_classification", "name": k} for k in kinds],
        }
        for name, use, kinds in rows
    ]
    put(d, {"m.json": "".join(json.dumps(line) + "\n" for line in lines)})


def semeion(d):
    rows = [
        " ".join([*(f"{(i * j) % 2:.4f}" for j in range(256)), *("1" if k == i else "0" for k in range(10))])
        for i in (3, 1, 2)
    ]
    put(d, {"semeion.data": "".join(f"{row} \n" for row in rows)})


def usps(d):
    for i, name in enumerate(("usps", "usps.t")):
        rows = [
            " ".join([str(k), *(f"{j + 1}:{(j * k + i) % 21 / 10 - 1:.6g}" for j in range(256))])
            for k in (3, 1, 10)[i:]
        ]
        put(d, {name: "".join(f"{row} \n" for row in rows)})


def reviews(d):
    """Rows of csv, for the sources of news and reviews: two files of four fields."""
    rows = ['"3","a title","some, text","one"', '"1","with ""quotes""","b\\n","two"', '"2"," spaces ","é","three"']
    put(d, {"train.csv": "\n".join(rows) + "\n", "test.csv": '"4","t","d","four"\n'})


def reviews3(d):
    put(
        d,
        {
            "train.csv": '"3","a title","some, text"\n"1","with ""quotes""","b\\nc"\n"2"," spaces ","é"\n',
            "test.csv": '"4","t","d"\n',
        },
    )


def reviews2(d):
    put(d, {"train.csv": '"3","a title"\n"1","with ""quotes"", b\\nc"\n', "test.csv": '"4","t"\n'})


def lines(d):
    """Lines under the names of several corpora."""
    for i, part in enumerate(("train", "valid", "test")):
        text = f" the <unk> {part} \n\n = head = \n \nlast {i}"
        put(d, {f"ptb.{part}.txt": text, f"wiki.{part}.tokens": text})
    put(d, {"enwik9": "<a>\n\n b \nc"})


def sst2(d):
    put(d, {f"{part}.tsv": f"sentence\tlabel\nit 's {part} \t1\n\nbad one\t0\n" for part in ("train", "dev")})
    put(d, {"test.tsv": "index\tsentence\n0\tuneasy .\n1\tgood\n"})


def imdb(d):
    for part in ("test", "train"):
        for kind in ("pos", "neg"):
            put(d, {f"{part}/{kind}/{k}.txt": f"{part} {kind} {k} é\n" for k in (10, 9)})


def squad(d):
    def asked(k, answers):
        return {"id": str(k), "question": f"q{k}?", "answers": [{"text": f"t{n}", "answer_start": n} for n in answers]}

    train = [
        {
            "title": "T",
            "paragraphs": [
                {"context": "c one", "qas": [asked(1, [4]), asked(2, [1, 7])]},
                {"context": "c two", "qas": [asked(3, [2])]},
            ],
        }
    ]
    put(d, {"train-v1.1.json": json.dumps({"data": train, "version": "1.1"})})
    put(
        d,
        {
            "dev-v1.1.json": json.dumps(
                {"data": [{"title": "U", "paragraphs": [{"context": "d", "qas": [asked(9, [])]}]}], "version": "1.1"}
            )
        },
    )


def tagged(d):
    rows = "He PRP B-NP\nreckons VBZ B-VP\n. . O\n\nIt PRP B-NP\n\n"
    put(d, {"train.txt": rows, "test.txt": "x y z\n\n"})
    for part in ("train", "dev", "test"):
        put(d, {f"en-ud-tag.v2.{part}.txt": f"From\tIN\t{part}\nthe\tDET\tDT\n\nAP\tPROPN\tNNP\n\n"})


def multi30k(d):
    put(d, {"training/train.en": "a dog\nb\ntwo\n", "training/train.de": "ein Hund\nx\nzwei\n"})
    put(
        d,
        {
            "validation/val.en": "v\n",
            "validation/val.de": "w\n",
            "mmt16_task1_test/test.en": "t\n",
            "mmt16_task1_test/test.de": "u\n",
        },
    )


def clue(d):
    pair = {"sentence1": "甲", "sentence2": "乙"}
    rows = {
        "afqmc": [{**pair, "label": "0"}, {**pair, "label": "1"}],
        "afqmc_test": [{"id": 0, **pair}, {"id": 7, **pair}],
        "cmnli": [{**pair, "label": "neutral"}],
        "csl": [
            {"id": 1, "abst": "a", "keyword": ["k1", "k22"], "label": "1"},
            {"id": 2, "abst": "b", "keyword": ["k"], "label": "0"},
        ],
        "iflytek": [{"label": "110", "label_des": "d", "sentence": "s"}],
        "iflytek_test": [{"id": 0, "sentence": "s"}],
        "tnews": [{"label": "102", "label_desc": "news", "sentence": "s", "keywords": "a,b"}],
        "tnews_test": [{"id": 3, "sentence": "s", "keywords": ""}],
        "wsc": [
            {
                "target": {"span2_index": 28, "span1_index": 0, "span1_text": "it", "span2_text": "x"},
                "idx": 0,
                "label": "false",
                "text": "t",
            }
        ],
    }
    put(
        d,
        {
            f"{name}.json": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in those)
            for name, those in rows.items()
        },
    )


def omniglot(d):
    names = ("background/L1/character02/b", "background/L1/character01/a", "background/L0/c/a", "evaluation/L9/c/a")
    put(d, {f"images_{name}.png": png(pixels(i)) for i, name in enumerate(names)})


def lsun(d):
    kinds = [f"{kind}_{part}" for kind in ("church_outdoor", "bedroom") for part in ("train", "val")]
    put(d, {f"{kind}/{k}.jpg": png(pixels(3 * i + k)) for i, kind in enumerate(kinds) for k in (2, 1)})


def matlab(arrays):
    """Arrays of uint8 or uint16 as the bytes of a Matlab file of level 5, each compressed."""

    def element(kind, data):
        return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)

    def array(name, values):
        kind, number = (9, 2) if values.dtype == np.uint8 else (11, 4)
        lengths = struct.pack(f"<{values.ndim}i", *values.shape)
        name = (
            struct.pack("<HH", 1, len(name)) + name.encode().ljust(4, b"\0")
            if len(name) <= 4
            else element(1, name.encode())
        )
        return (
            element(6, struct.pack("<II", kind, 0)) + element(5, lengths) + name + element(number, values.tobytes("F"))
        )

    packed = [zlib.compress(element(14, array(name, values))) for name, values in arrays.items()]
    head = b"MATLAB 5.0 MAT-file".ljust(116) + bytes(8) + struct.pack("<H", 0x100) + b"IM"
    return head + b"".join(struct.pack("<II", 15, len(data)) + data for data in packed)


def svhn(d):
    for i, part in enumerate(("train", "test", "extra")):
        labels = np.array([[10], [3 + i]], np.uint8)
        put(d, {f"{part}_32x32.mat": matlab({"X": pixels(i, (32, 32, 3, 2)), "y": labels})})


def flowers(d):
    put(d, {f"jpg/image_0000{k}.jpg": png(pixels(k)) for k in (1, 2, 3, 4)})
    put(d, {f"segmim/segmim_0000{k}.jpg": png(pixels(k + 8)) for k in (1, 2, 3, 4)})
    parts = {"trnid": [[3, 1]], "valid": [[2]], "tstid": [[4]]}
    put(d, {"setid.mat": matlab({name: np.array(numbers, np.uint16) for name, numbers in parts.items()})})
    put(d, {"imagelabels.mat": matlab({"labels": np.array([[77, 3, 2, 1]], np.uint8)})})


def plain_lines(d):
    put(d, {"a.txt": "a1\na2\na3\n", "b.txt": "b1\nb2\n", "c.txt": "c1\nc2\n"})


FOLDERS = {f.__name__: f for f in (
    celeba, cityscapes, voc, coco, emnist, qmnist, stl10, sbu, flickr, classes, caltech256, div2k, food101, manifest,
    semeion, usps, reviews, reviews3, reviews2, lines, sst2, imdb, squad, tagged, multi30k, clue, omniglot, lsun, svhn,
    flowers, plain_lines,
)}  # fmt: skip
