"""Image transforms and the images that they are compared on: expressions over ``V`` and ``T``, and names of images."""

import numpy as np

SIZES = ((1, 1, 3), (1, 7, 3), (5, 6, 3), (8, 12, 3), (13, 9, 3), (40, 31, 3), (6, 5, 1), (12, 17, 0), (9, 4, 4))


def _images():
    """Noise as uint8 (u) and float32 (f), and a smooth image (s), of each size; colours are the last number."""
    rng, found = np.random.RandomState(7), {}
    for h, w, c in SIZES:
        shape = (h, w, c) if c else (h, w)
        noise = rng.randint(0, 256, shape).astype(np.uint8)
        slope = np.add.outer(np.arange(h) * 3, np.arange(w) * 2) % 256
        slope = slope[:, :, None] + np.arange(c) * 40 if c else slope
        found[f"u{h}x{w}x{c}"] = noise
        found[f"f{h}x{w}x{c}"] = (noise + rng.rand(*shape)).astype(np.float32)
        found[f"s{h}x{w}x{c}"] = slope.astype(np.uint8)
    return found


IMAGES = _images()
ANY = ["u1x1x3", "u5x6x3", "f5x6x3", "s13x9x3", "u6x5x1", "f12x17x0"]
RGB = ["u1x7x3", "u5x6x3", "f5x6x3", "s13x9x3"]
BYTES = ["u1x7x3", "u5x6x3", "s13x9x3", "u12x17x0"]
COLORS = ["u1x7x3", "u5x6x3", "s13x9x3", "u40x31x3"]
PIL = ["u5x6x3", "s13x9x3", "u12x17x0"]

FACTORS = (0.0, 0.3, 1.7, 5.0)
MODES = ("NEAREST", "BILINEAR", "BICUBIC")
CASES = [  # (expression, images)
    *((f"V.Resize({s}, V.Inter.{m})", ANY) for m in (*MODES, "AREA") for s in ("(3, 4)", "(7, 7)", "12", "(20, 13)")),
    *((f"V.Resize((9, 11), V.Inter.{m})", ["u40x31x3", "f40x31x3"]) for m in (*MODES, "AREA")),
    *((f"V.Resize({s}, V.Inter.PILCUBIC)", COLORS) for s in ("(3, 4)", "(20, 13)")),
    *((f"V.Rotate({a}, V.Inter.{m})", ANY) for m in MODES for a in ("30", "-77.7", "180")),
    *((f"V.Rotate(33, V.Inter.{m}, True)", ANY) for m in MODES),
    *((f"V.Affine(15., (0.1, -0.2), 1.3, [5., -7.], V.Inter.{m}, (4, 5, 6))", ANY) for m in MODES),
    *((f"V.RandomRotation((33, 33), V.Inter.{m})", ANY[1:3]) for m in MODES),
    *((f"V.RandomAffine((20, 20), (0.2, 0.2, 0.1, 0.1), (1.2, 1.2), (5, 5, 3, 3), V.Inter.{m})", RGB) for m in MODES),
    *(
        (f"V.Perspective([[0, 0], [5, 0], [5, 4], [0, 4]], [[0, 1], [5, 0], [4, 4], [1, 3]], V.Inter.{m})", ANY)
        for m in MODES
    ),
    *((f"V.Adjust{kind}({f})", RGB) for kind in ("Brightness", "Contrast", "Saturation", "Sharpness") for f in FACTORS),
    *((f"V.AdjustHue({f})", COLORS) for f in (0.0, 0.13, -0.4, 0.5)),
    *((f"V.{name}()", ANY) for name in ("HWC2CHW", "ToTensor", "HorizontalFlip", "VerticalFlip")),
    ("V.CenterCrop(3)", ANY),
    ("V.CenterCrop((9, 20))", RGB[1:]),
    ("V.CenterCrop((4, 5))", ANY[1:]),
    *((f"V.Random{way}Flip(1.0)", ANY) for way in ("Horizontal", "Vertical")),
    ("V.ToTensor(np.float16)", ANY),
    ("V.Rescale(1 / 255., 0.)", ANY),
    ("V.Rescale(2.5, -1.3)", ANY),
    ("V.Normalize([121.5], [33.3])", ANY),
    ("V.Normalize([121., 115., 100.], [70., 68., 71.5])", RGB),
    ("V.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])", RGB),
    *((f"lambda x: V.Normalize{c}(x.transpose(2, 0, 1))", RGB) for c in ("([1., 2., 3.], [4., 5., 6.], False)",)),
    ("lambda x: V.NormalizePad([1., 2., 3.], [4., 5., 6.], 'float16', False)(x.transpose(2, 0, 1))", RGB),
    ("V.Invert()", RGB),
    *((f"V.ConvertColor(V.ConvertMode.COLOR_{m})", RGB) for m in ("RGB2GRAY", "BGR2GRAY", "RGB2BGR", "RGB2RGBA")),
    *((f"V.ConvertColor(V.ConvertMode.COLOR_{m})", ["u9x4x4"]) for m in ("RGBA2BGR", "RGBA2GRAY", "BGRA2RGBA")),
    *((f"V.ConvertColor(V.ConvertMode.COLOR_{m})", ["u12x17x0", "f6x5x1"]) for m in ("GRAY2RGB", "GRAY2RGBA")),
    ("V.Equalize()", BYTES),
    ("V.AutoContrast()", BYTES),
    ("V.AutoContrast(10.0)", BYTES),
    ("V.AutoContrast(3.5, [0, 7, 200])", BYTES),
    *((f"V.Posterize({bits})", BYTES) for bits in (0, 3, 8)),
    ("V.Solarize(100)", ANY),
    ("V.Solarize((30, 90))", ANY),
    ("V.AdjustGamma(0.5)", BYTES),
    ("V.AdjustGamma(2.2, 1.3)", BYTES),
    *((f"V.GaussianBlur({k})", ANY) for k in ("3", "5", "(7, 3), (0.8, 2.5)")),
    ("V.Pad(1)", ANY),
    ("V.Pad((1, 2), (5, 6, 7))", ANY),
    ("V.Pad((0, 1, 2, 3), 9, V.Border.EDGE)", ANY),
    ("V.Pad(2, 0, V.Border.REFLECT)", ANY),
    ("V.Pad((1, 0, 3, 2), 0, V.Border.SYMMETRIC)", ANY),
    ("V.PadToSize((21, 20))", ANY),
    ("V.PadToSize((21, 20), (1, 2), (1, 2, 3), V.Border.EDGE)", ANY),
    ("V.SlicePatches(2, 3)", ANY[1:]),
    ("V.SlicePatches(3, 2, V.SliceMode.DROP)", ANY[1:]),
    ("V.Crop((1, 1), (3, 4))", ANY[1:]),
    ("V.ResizedCrop(1, 1, 3, 4, (7, 5))", ANY[1:]),
    ("V.Erase(1, 0, 3, 4, (1, 2, 3))", RGB[1:]),
    ("V.RandomResizedCrop((7, 5), (1., 1.), (1., 1.))", ["u1x1x3"]),
    ("V.RandomColorAdjust((1.3, 1.3))", RGB),
    ("V.RandomColorAdjust((1, 1), (0.4, 0.4))", RGB),
    ("V.RandomColorAdjust((1, 1), (1, 1), (1.4, 1.4))", RGB),
    ("V.RandomColor((0.3, 0.3))", COLORS),
    ("V.RandomSharpness((1.8, 1.8))", COLORS),
    ("V.RandomPosterize((3, 3))", COLORS),
    ("V.RandomSolarize((70, 70))", COLORS),
    ("V.RandomLighting(0.0)", RGB),
    ("V.RgbToHsv(True)", RGB),
    ("lambda x: V.HsvToRgb(True)(x / 255)", RGB),
    ("lambda x: V.ResizeWithBBox((3, 4))(x, np.float32([[1, 1, 3, 2]]))", ["u5x6x3"]),
    ("lambda x: V.RandomHorizontalFlipWithBBox(1.0)(x, np.float32([[1, 1, 3, 2]]))", ["u5x6x3"]),
    ("lambda x: V.RandomVerticalFlipWithBBox(1.0)(x, np.float32([[1, 1, 3, 2]]))", ["u5x6x3"]),
    ("lambda x: V.LinearTransformation(np.eye(90) * 2, np.arange(90.))(x)", ["u5x6x3"]),
    ("lambda x: V.Decode()(V.encode_png(x))", ["u5x6x3", "s13x9x3", "u12x17x0"]),
    *(
        (f"lambda x: V.{call}(V.ToPIL()(x))", PIL)
        for call in (
            *("Resize((7, 4), V.Inter.ANTIALIAS)", "Resize(5)", "Resize((20, 13), V.Inter.BICUBIC)", "CenterCrop(4)"),
            *("CenterCrop((9, 20))", "AdjustBrightness(1.4)", "AdjustContrast(0.4)", "AdjustSaturation(1.8)"),
            *("AdjustHue(0.2)", "AdjustHue(-0.3)", "AdjustGamma(0.6)", "AutoContrast(5.)", "Equalize()", "Invert()"),
            *("Pad((1, 2), (5, 6, 7))", "Pad(1, 0, V.Border.REFLECT)", "Grayscale(3)", "RandomGrayscale(1.0)"),
            *("RandomHorizontalFlip(1.)", "Rotate(30)", "HorizontalFlip()", "ToNumpy()", "Posterize(3)", "ToTensor()"),
            *("FiveCrop((3, 2))", "TenCrop((3, 2), True)", "RandomSharpness((1.8, 1.8))", "AdjustSharpness(1.8)"),
        )
    ),
    *(
        (f"lambda x: V.{call}(V.ToPIL()(x))", PIL[:2])
        for call in (
            "RandomRotation((30, 30), V.Inter.BILINEAR)",
            "RandomRotation((30, 30), V.Inter.BICUBIC, True, None, (1, 2, 3))",
            "RandomAffine((20, 20), None, (1.2, 1.2), None, V.Inter.BILINEAR)",
            "RandomColor((0.2, 0.2))",
        )
    ),
]

COLUMNS = {
    "ints": np.array([3, 1, 3, 2]),
    "bytes": np.array([[3, 1, 3], [2, 250, 0]], np.uint8),
    "floats": np.array([200.7, -3.2, 1e9, 0.2]),
    "texts": np.array(["a", "bc"]),
    "label": np.array(3),
    "one": np.array([3]),
}
TRANSFORMS = [  # (expression, columns)
    *((f"T.TypeCast(ms.{t})", ["ints", "floats", "bytes"]) for t in ("float16", "int8", "uint8", "int32", "bool_")),
    ("T.OneHot(5)", ["ints", "label", "one"]),
    ("T.OneHot(5, 0.1)", ["label", "one"]),
    *((f"T.PadEnd({a})", ["ints", "floats"]) for a in ("[8], 7", "[8]", "[3], 7")),
    *((f"T.PadEnd({a})", ["texts"]) for a in ("[4]", "[4], 'zzz'")),
    *((f"T.Fill({v})", ["ints", "floats", "bytes", "label"]) for v in ("3", "3.7", "True", "300")),
    ("T.Fill('b')", ["texts"]),
    *((f"T.Slice({s})", ["ints", "bytes"]) for s in ("1", "-1", "[0, 1]", "slice(0, 2)", "slice(1, 0, -1)", "...")),
    ("T.Slice(None, [0, 2])", ["bytes"]),
    *((f"T.Mask(T.Relational.{r}, 2)", ["ints", "bytes"]) for r in ("EQ", "NE", "GT", "GE", "LT", "LE")),
    ("T.Mask(T.Relational.GT, 0.2, ms.float32)", ["floats"]),
    ("T.Mask(T.Relational.LE, 'a')", ["texts"]),
    ("T.Concatenate(0, np.array([1, 2]), np.array([9]))", ["ints", "one"]),
    ("T.Duplicate()", ["ints", "texts", "label"]),
    ("T.Compose([T.TypeCast(ms.float32), lambda x: x + 1])", ["ints", "bytes"]),
    ("T.RandomApply([T.Fill(2)], 1.0)", ["ints"]),
    ("T.RandomApply([T.Fill(2)], 0.0)", ["ints"]),
    ("T.RandomChoice([T.Fill(2)])", ["ints"]),
    ("T.RandomOrder([T.Fill(2)])", ["ints"]),
]
REFUSED = [  # of V, T and the image "u5x6x3" as x: what it is refused with
    *("V.Resize((0, 4))", "V.Resize('a')", "V.Resize((3, 4, 5))", "V.Resize(3.5)", "V.Resize((3, 4), 2)"),
    *("V.Normalize([1., 2.], [1.])", "V.Normalize([1.], [0.])", "V.Normalize(1., 2.)", "V.Normalize([-1.], [1.])"),
    *("V.Normalize([1., 2.], [1., 2.])(x)", "V.Normalize([1.], [1.])(x[0, 0])", "V.HWC2CHW()(x[None])"),
    *("V.HWC2CHW()(x[0, 0])", "V.HWC2CHW()(x, x)", "V.HWC2CHW()(x.tolist())", "V.HWC2CHW()()"),
    *("V.Resize((3, 4))(x.astype(np.int32))", "V.Resize((3, 4))(x.astype(np.float16))", "V.Resize((3, 4))(None)"),
    *("V.Resize((3, 4))(x[0, 0])", "V.Resize((3, 4))(x[:0])", "V.Resize((3, 4), V.Inter.ANTIALIAS)(x)"),
    *("V.Resize((3, 4), V.Inter.AREA)(V.ToPIL()(x))", "V.ToTensor(3)", "V.ToTensor()(x[None])"),
    *("V.RandomHorizontalFlip(1.5)", "V.RandomHorizontalFlip('a')", "V.RandomHorizontalFlip(0.0)(x[0, 0])"),
    *("V.Decode()(b'abc')", "V.Decode()(x)", "V.Decode(True)(b'abc')", "V.Decode(3)", "V.Rescale('a', 0.)"),
    *("V.CenterCrop(0)", "V.CenterCrop(3)(x[0, 0])", "V.RandomCrop(9)(x)", "V.RandomCrop(3)(x, x[:4])"),
    *("V.RandomColorAdjust(-1)", "V.RandomColorAdjust(hue=0.6)", "V.RandomColorAdjust((2, 1))"),
    *("V.RandomColorAdjust(0.5)(x[:, :, 0])", "V.RandomCropDecodeResize(4)(x)", "V.ToPIL()(x.astype(np.float32))"),
    *("V.RandomCropDecodeResize(4)(np.frombuffer(b'abc', np.uint8))", "V.ToPIL()(x[0, 0])", "V.ToPIL()(3)"),
    *("V.RandomCropDecodeResize(4, scale=(2, 1))", "V.RandomCropDecodeResize(4, ratio=(0, 1))"),
    *("V.RandomCropDecodeResize(4, max_attempts=0)", "V.RandomRotation(-3)", "V.Pad(-1)", "V.Pad((1, 2, 3))"),
    *("V.Pad(1, 256)", "V.Pad(1, padding_mode='constant')", "V.Grayscale(1)(x)", "V.Grayscale(2)"),
    *("V.Invert()(x[:, :, 0])", "V.CutOut(20)(x)", "V.CutOut(0)", "V.Equalize()(x.astype(np.float32))"),
    *("V.AutoContrast(50)", "V.RandomSelectSubpolicy([])", "V.Crop((1, 1), (3, 9))(x)", "V.MixUpBatch(1.0)(x)"),
    *("V.AdjustBrightness(-2.0)", "V.AdjustHue(0.6)", "V.GaussianBlur(2)", "V.FiveCrop(3)(x)", "V.Posterize(9)"),
    *("V.Erase(1, 1, 9, 2)(x)", "V.PadToSize(3)(x)", "V.SlicePatches(9, 2)(x)", "V.read_file('/nope')"),
    *("V.RandomErasing(1.0, value='x')", "V.LinearTransformation(np.eye(9), np.zeros(9))(x)"),
    *("V.UniformAugment([V.HorizontalFlip()], 2)", "V.RgbToHsv()(x)", "V.encode_png(x.astype(np.float32))"),
    *("V.LinearTransformation(np.eye(9), np.zeros(8))", "V.RandomErasing(1.0)(V.ToPIL()(x))"),
    *("T.TypeCast(3)", "T.TypeCast(ms.int32)(None)", "T.TypeCast(ms.int32)(np.array(['a']))", "T.Compose([])"),
    *("T.Compose(3)", "T.Compose([3])", "T.OneHot(0)", "T.OneHot(2.0)", "T.OneHot(5)(np.array([1.5]))"),
    *("T.OneHot(5)(np.array([[1, 2], [0, 1]]))", "T.PadEnd([4], 'z')(np.arange(3))", "T.PadEnd([4, 4])(np.arange(3))"),
    *("T.Fill('b')(np.arange(3))", "T.Slice(9)(np.arange(3))", "T.Slice(1, 1)(np.arange(3))", "T.Mask(3, 3)"),
    *("T.Concatenate(1, append=np.array([9]))", "T.Concatenate(0, append=np.array([[9]]))"),
    *("T.Concatenate(0, append=np.array([9.5]))(np.arange(3))", "T.Duplicate()(x, x)", "T.RandomApply([], 1.0)"),
    *("T.RandomApply([T.Fill(1)], 1.5)", "T.Mask(T.Relational.LE, 'a')(np.arange(3))"),
]


def parts_of(result):
    """The arrays of what a transform returns."""
    return [np.asarray(part) for part in (result if isinstance(result, (tuple, list)) else [result])]
