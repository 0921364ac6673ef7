"""Laws of the transforms of sound, and where they differ from MindSpore's on purpose."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import measured_transforms

from minispore.data.dataset.audio.recursion import filtered
from minispore.dataset import GeneratorDataset, audio, config

WAVE = np.random.RandomState(3).uniform(-1, 1, 300)
WEIGHTS = st.lists(st.floats(-0.4, 0.4), min_size=0, max_size=3)


def by_definition(x, a, b):
    out = np.zeros(len(x))
    for n in range(len(x)):
        fed = sum(weight * x[n - k] for k, weight in enumerate(b) if n >= k)
        out[n] = (fed - sum(a[k] * out[n - k] for k in range(1, len(a)) if n >= k)) / a[0]
    return out


@given(WEIGHTS, WEIGHTS, st.integers(1, 300), st.sampled_from([1.0, -2.0]))
def test_a_filter_in_blocks_is_the_recursion(a, b, size, first):
    x, a, b = WAVE[:size], [first, *a], [0.5, *b]
    np.testing.assert_allclose(filtered(x, a, b), by_definition(x, a, b), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(filtered(np.stack([x, x]), a, b)[1], filtered(x, a, b), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("window", ["HANN", "HAMMING", "BARTLETT", "BLACKMAN", "KAISER"])
def test_the_inverse_of_a_spectrogram_is_the_waveform(window):
    arguments = {"n_fft": 32, "hop_length": 8, "window": audio.WindowType[window]}
    spectra = audio.Spectrogram(power=0.0, **arguments)(WAVE)
    np.testing.assert_allclose(audio.InverseSpectrogram(300, **arguments)(spectra)[:290], WAVE[:290], atol=1e-9)


@pytest.mark.parametrize("size", [16, 15])
def test_both_sides_of_a_spectrum_are_conjugates(size):
    found = audio.Spectrogram(size, power=0.0, onesided=False)(WAVE)
    complex_numbers = found[..., 0] + 1j * found[..., 1]
    np.testing.assert_allclose(complex_numbers[1:], complex_numbers[:0:-1].conj(), atol=1e-9)


def test_speed_1_leaves_the_rank():
    x = np.ones((9, 4, 2))
    assert audio.TimeStretch(n_freq=9, fixed_rate=1.0)(x).shape == x.shape


def test_a_mel_spectrogram_of_float64_is_float64():
    found = audio.MelSpectrogram(n_fft=32, n_mels=5)(WAVE)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, audio.MelSpectrogram(n_fft=32, n_mels=5)(WAVE.astype(np.float32)), rtol=1e-3)


def test_the_arguments_of_cepstral_coefficients_may_be_some():
    some = audio.MFCC(n_mfcc=3, melkwargs={"n_fft": 32, "n_mels": 5})(WAVE)
    levels = audio.AmplitudeToDB()(audio.MelSpectrogram(n_fft=32, n_mels=5)(WAVE))
    bank = audio.create_dct(3, 5, audio.NormMode.ORTHO)
    np.testing.assert_allclose(some, bank.T @ levels, rtol=1e-5, atol=1e-4)
    assert audio.LFCC(n_filter=5, n_lfcc=3, speckwargs={"n_fft": 32})(WAVE).shape == some.shape


@pytest.mark.parametrize("call", ["MFCC(n_mfcc=200)", "MFCC(n_mfcc=0)", "LFCC(n_lfcc=500)", "SpectralCentroid(0)"])
def test_sizes_that_fit_nothing_are_refused_at_once(call):
    with pytest.raises(ValueError, match=r"^For '(MFCC|LFCC|SpectralCentroid)'"):
        eval(f"audio.{call}")


@pytest.mark.parametrize(
    ("call", "shape"),
    [
        ("TimeStretch()", (3, 4, 2)),
        ("Spectrogram(64)", (20,)),
        ("Spectrogram(8, center=False)", (7,)),
        ("InverseSpectrogram(n_fft=8)", (3, 4, 2)),
        ("PhaseVocoder(1.0, np.ones((2, 1)))", (3, 4, 2)),
        ("ComputeDeltas(9, audio.BorderType.REFLECT)", (2, 4)),
        ("Gain()", (0,)),
        ("Spectrogram()", ()),
    ],
)
def test_a_column_that_does_not_fit_is_refused(call, shape):
    with pytest.raises(RuntimeError, match=rf"^For '{call.partition('(')[0]}', the input must"):
        eval(f"audio.{call}")(np.ones(shape))


def test_floats_that_are_whole_are_rates():
    np.testing.assert_array_equal(audio.Resample(16000.0, 8000)(WAVE), audio.Resample(16000, 8000)(WAVE))
    with pytest.raises(TypeError, match="'orig_freq'"):
        audio.Resample(16000.5, 8000)


def test_what_a_result_cannot_hold_is_infinite_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert audio.DBToAmplitude(1.0, 1.0)(np.array([500.0], np.float32))[0] == np.inf
        assert np.isnan(audio.SpectralCentroid(8000, 16)(np.zeros(40))).all()


@pytest.mark.parametrize(
    "mask", [audio.FrequencyMasking(True, 5), audio.TimeMasking(True, 5), audio.MaskAlongAxisIID(5, 0.0, 2)]
)
def test_drawn_masks_have_all_widths_up_to_their_bound_and_all_places(mask):
    found = [mask(np.ones((8, 8))) for _ in range(300)]
    axis = 1 if isinstance(mask, audio.FrequencyMasking) else 0
    lines = np.stack([x.min(axis) for x in found])
    widths = (lines == 0).sum(1)
    assert set(widths) == {0, 1, 2, 3, 4, 5} and (lines == 0).any(0).all()
    assert all((np.diff(np.flatnonzero(line == 0)) == 1).all() for line in lines)


def test_masks_of_a_pipeline_follow_the_seed():
    def read():
        config.set_seed(5)
        data = GeneratorDataset([(np.ones((8, 8)),)] * 4, ["x"], shuffle=False)
        data = data.map(audio.TimeMasking(True, 6), "x").map(audio.GriffinLim(14, 2), "x")
        return np.stack([row["x"] for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)])

    before = config.get_seed()
    try:
        np.testing.assert_array_equal(read(), read())
    finally:
        config.set_seed(before)


def test_two_columns_come_from_one_in_a_pipeline():
    spectra = audio.Spectrogram(16, power=0.0)(WAVE)
    data = GeneratorDataset([(spectra,)], ["x"]).map(audio.Magphase(), ["x"], ["length", "angle"])
    row = next(iter(data.create_dict_iterator(output_numpy=True)))
    np.testing.assert_allclose(row["length"] * np.cos(row["angle"]), spectra[..., 0], atol=1e-9)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        ("create_dct(2.0, 2)", "TypeError: For 'create_dct', the 'n_mfcc' must be an int"),
        ("create_dct(2, 0)", "ValueError: For 'create_dct', the 'n_mels' must be in"),
        ("create_dct(2, 2, 'ortho')", "TypeError: For 'create_dct', the 'norm' must be an audio.NormMode"),
        ("linear_fbanks(4, 1.0, 1.0, 1, 12000)", "ValueError: For 'linear_fbanks', the 'f_min' must be below 'f_max'"),
        ("linear_fbanks(4, 0.0, np.inf, 1, 12000)", "ValueError: For 'linear_fbanks', the 'f_max' must be in"),
        ("linear_fbanks(4, 0.0, 'a', 1, 12000)", "TypeError: For 'linear_fbanks', the 'f_max' must be a number"),
        ("melscale_fbanks(0, 0.0, 8e3, 2, 16000)", "ValueError: For 'melscale_fbanks', the 'n_freqs' must be in"),
        ("melscale_fbanks(5, np.nan, 8e3, 2, 16000)", "ValueError: For 'melscale_fbanks', the 'f_min' must be in"),
        ("melscale_fbanks(5, 0.0, 8e3, 2, 1.5)", "TypeError: For 'melscale_fbanks', the 'sample_rate' must be an int"),
    ],
)
def test_a_bank_of_a_wrong_argument_is_refused_in_a_sentence(call, error):
    with pytest.raises((TypeError, ValueError)) as raised:
        eval(f"audio.{call}")
    assert f"{raised.type.__name__}: {raised.value}".startswith(error)


SHAPES = {  # what a docstring begins to say of shapes -> a column that the docstring's example takes
    "(..., time)": (64,),
    "(..., frequency, time)": (8, 64),
    "(..., time, frequency)": (64, 8),
    "(..., 2)": (4, 2),
    "(..., ``n_stft``, frame)": (5, 3),
    "(..., ``n_fft // 2 + 1``, frame)": (9, 3),
    "(..., ``n_fft // 2 + 1``, frame, 2)": (9, 3, 2),
    "(..., frequency, frame, 2)": (1, 6, 2),
    "(..., ``n_freq``, frame, 2)": (1, 6, 2),
}
FLOATS, OTHERS = ["float16", "float32", "float64"], ["bool", "int8", "int16", "int32", "int64", "uint8", "uint64"]
KINDS = {  # what a docstring says of dtypes -> the dtype of the answer to a column of a dtype
    "floats, kept; RuntimeError for others.": {kind: kind for kind in FLOATS},
    "floats, ints and bools; float64 is kept, others give float32; RuntimeError for complex and strings.": {
        kind: "float64" if kind == "float64" else "float32" for kind in FLOATS + OTHERS
    },
    "floats, ints and bools; the answer is int32; RuntimeError for complex and strings.": dict.fromkeys(
        FLOATS + OTHERS, "int32"
    ),
}
TRANSFORMS = [
    name
    for name, value in vars(audio).items()
    if isinstance(value, type) and issubclass(value, audio.AudioTensorOperation) and value.__doc__.count("Dtypes:")
]


def told(name):
    """A transform as in its example, a column for it, and what its docstring says of shapes and of dtypes."""
    cls = getattr(audio, name)
    said = " ".join(cls.__doc__.partition("Shapes: ")[2].split())
    given = next(word for word in SHAPES if said.startswith((f"{word}, ", f"{word} ")))
    shapes, _, dtypes = said.partition(" Dtypes: ")
    return measured_transforms._maker(cls)(), np.full(SHAPES[given], 0.5), shapes, dtypes


def parts(answer):
    return answer if isinstance(answer, tuple) else (answer,)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_the_shapes_that_a_docstring_tells_are_measured(name):
    transform, x, shapes, _ = told(name)
    for column in (x, np.stack([x] * 3), np.stack([np.stack([x] * 3)] * 2)):
        before = column.shape[: column.ndim - x.ndim]
        one = [before + part.shape for part in parts(transform(x))]
        assert [part.shape for part in parts(transform(column))] == one
        assert (one == [column.shape]) == (", kept;" in shapes)
    for column in (x[..., :0], x[:0], np.array(0.5)):
        with pytest.raises(RuntimeError, match=f"^For '{name}', the input must"):
            transform(column)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_the_dtypes_that_a_docstring_tells_are_measured(name):
    transform, x, _, dtypes = told(name)
    answers = next(answers for words, answers in KINDS.items() if dtypes.startswith(words))
    for kind in [*FLOATS, *OTHERS, "complex64", "str"]:
        if kind in answers:
            assert {part.dtype.name for part in parts(transform(x.astype(kind)))} == {answers[kind]}, kind
        else:
            with pytest.raises(RuntimeError, match=f"^For '{name}', the input must be"):
                transform(x.astype(kind))


def test_every_transform_tells_its_shapes_and_dtypes():
    classes = [value for value in vars(audio).values() if isinstance(value, type)]
    made = {each.__name__ for each in classes if issubclass(each, audio.AudioTensorOperation)}
    assert made - {*TRANSFORMS} == {"AudioTensorOperation"}


@pytest.mark.parametrize("kind", ["int32", "float16", "float64"])
def test_equal_rates_keep_the_dtype(kind):
    assert audio.Resample(8000, 8000)(np.ones(4, kind)).dtype == kind


@pytest.mark.parametrize(
    ("transform", "shape"),
    [
        (audio.Spectrogram(16), (9, 9)),
        (audio.Spectrogram(16, onesided=False), (16, 9)),
        (audio.Spectrogram(16, hop_length=5, power=0.0), (9, 13, 2)),
        (audio.SpectralCentroid(16000, 16, hop_length=5), (1, 13)),
        (audio.MelSpectrogram(n_fft=16, hop_length=5, n_mels=3), (3, 13)),
        (audio.MFCC(n_mfcc=2, melkwargs={"n_fft": 16, "hop_length": 5, "n_mels": 3}), (2, 13)),
        (audio.LFCC(n_filter=4, n_lfcc=3, speckwargs={"n_fft": 16, "hop_length": 5}), (3, 13)),
        (audio.Resample(16000, 6000), (24,)),
    ],
)
def test_frames_are_as_many_as_docstrings_tell(transform, shape):
    assert transform(WAVE[:64]).shape == shape
