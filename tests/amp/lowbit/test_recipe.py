"""Recipes as values: equal, printable, readable, refusing what they cannot mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minispore import amp, nn
from minispore.amp.lowbit.quantized import Operand, quantize
from minispore.amp.lowbit.recipe import as_recipe
from minispore.amp.lowbit.scales import Current, Delayed, Shared, TwoLevels, Unscaled

MAKERS = [amp.DelayedFP8, amp.CurrentFP8, amp.BlockFP8, amp.MXFP8, amp.MXFP4, amp.NVFP4]
TEXTS = {
    "delayed_fp8": amp.DelayedFP8(),
    "delayed_fp8(scale=delayed(1,16,most_recent))": amp.DelayedFP8(1, 16, "most_recent"),
    "current_fp8": amp.CurrentFP8(),
    "current_fp8(scale=current(power_of_2); convolutions=yes)": amp.CurrentFP8(True, convolutions=True),
    "block_fp8": amp.BlockFP8(),
    "block_fp8(scale=current)": amp.BlockFP8(False),
    "mxfp8(keep=none)": amp.MXFP8(keep=()),
    "mxfp8(scale=floor; keep=first+backbone.0)": amp.MXFP8("floor", keep=("first", "backbone.0")),
    "mxfp4(rounding=even)": amp.MXFP4().replace(rounding="even"),
    "nvfp4(w=e2m1/1x16/two_levels/even)": amp.NVFP4(square_weights=False),
    "nvfp4(scale=two_levels(0.015625))": amp.NVFP4().replace(scale=TwoLevels(2.0**-6)),
    "nvfp4(rounding=even; hadamard=none; keep=last)": amp.NVFP4(False, False, keep="last"),
    "mxfp6(x=e3m2/1x32/rceil/even; w=e3m2/1x32/rceil/even; dy=e3m2/1x32/rceil/even; hadamard=none; convolutions=no; "
    "keep=last)": amp.MXFP8().replace(name="mxfp6", format="e3m2"),
    "mxfp8(dy=e5m2/1x32/rceil/even)": amp.MXFP8().replace(dy=Operand("e5m2", (1, 32), Shared())),
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_written_and_read(text):
    assert str(TEXTS[text]) == text
    assert amp.Recipe.parse(text) == TEXTS[text] == as_recipe("test", text)
    assert hash(amp.Recipe.parse(text)) == hash(TEXTS[text])


SCALES = st.sampled_from([Current(), Current(True), Shared("floor"), Shared("even"), TwoLevels(), TwoLevels(1.625)])
FORMATS = st.sampled_from(["e4m3", "e5m2", "e2m1", "e3m2", "e2m3", "e4m3fnuz", "hifloat8"])


@given(st.data())
def test_each_drawn_recipe_is_read_as_it_is_written(data):
    def operand():
        tile = (data.draw(st.integers(1, 200)), data.draw(st.integers(1, 200)))
        return Operand(data.draw(FORMATS), tile, data.draw(SCALES), data.draw(st.sampled_from(["even", "stochastic"])))

    recipe = amp.Recipe(
        data.draw(st.sampled_from(["mine", "mxfp8", "nvfp4"])),
        *[operand() for _ in range(3)],
        hadamard=data.draw(st.sampled_from([None, 16])),
        convolutions=data.draw(st.booleans()),
        keep=data.draw(st.sampled_from([(), ("first",), ("last", "a.b")])),
    )
    assert amp.Recipe.parse(str(recipe)) == recipe


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_two_of_one_kind_are_equal_and_others_are_not(make):
    assert make() == make() != make(keep=())
    assert sum(make() == other() for other in MAKERS) == 1
    assert str(make()) == make().name


def test_a_keep_of_functions_is_shown_and_not_read():
    recipe = amp.MXFP8(keep=(nn.Dense, test_a_text_is_written_and_read))
    assert str(recipe) == "mxfp8(keep=<Dense>+<test_a_text_is_written_and_read>)"
    with pytest.raises(ValueError, match="the 'keep' must be of words and paths"):
        amp.Recipe.parse(str(recipe))


REFUSED = {
    "no name": (lambda: amp.Recipe.parse("(keep=last)"), ValueError, "must be like 'mxfp8"),
    "an unknown name": (lambda: amp.Recipe.parse("mxfp9"), ValueError, "the 'name' must be one of"),
    "an unknown field": (lambda: amp.Recipe.parse("mxfp8(kept=last)"), ValueError, "the 'field' must be one of"),
    "an odd operand": (lambda: amp.Recipe.parse("mxfp8(x=e4m3)"), ValueError, "an operand must be like"),
    "an odd scale": (lambda: amp.Recipe.parse("mxfp8(scale=up)"), ValueError, "the 'scale' must be one of"),
    "an odd bool": (lambda: amp.Recipe.parse("mxfp8(convolutions=1)"), ValueError, "must be one of"),
    "no text": (lambda: amp.Recipe.parse(1), TypeError, "the 'text' must be"),
    "no recipe": (lambda: as_recipe("test", 8), TypeError, "must be a Recipe, its text, or None"),
    "a name with capitals": (lambda: amp.MXFP8().replace(name="MX"), ValueError, "lower-case"),
    "an operand that is none": (lambda: amp.MXFP8().replace(x=1), TypeError, "must be an Operand"),
    "a hadamard of 8": (lambda: amp.NVFP4().replace(hadamard=8), ValueError, "must be None or 16"),
    "a keep of numbers": (lambda: amp.MXFP8(keep=(1,)), TypeError, "the 'keep' must be of"),
    "a keep of primitives": (lambda: amp.MXFP8(keep=(int,)), TypeError, "the 'keep' must be of"),
    "convolutions of 1": (lambda: amp.MXFP8(convolutions=1), TypeError, "must be a bool"),
    "an unknown field to replace": (lambda: amp.MXFP8().replace(scales=1), TypeError, "must be fields"),
    "delayed scales for one": (
        lambda: amp.CurrentFP8().replace(x=Operand("e4m3", None, Delayed())),
        ValueError,
        "for all operands or for none",
    ),
    "a mode": (lambda: amp.MXFP8("round"), ValueError, "the 'mode' must be one of"),
    "an algorithm": (lambda: amp.DelayedFP8(algorithm="mean"), ValueError, "the 'algorithm' must be one of"),
    "a history of 0": (lambda: amp.DelayedFP8(history=0), ValueError, "history"),
    "a margin below 0": (lambda: amp.DelayedFP8(margin=-1), ValueError, "margin"),
    "a power that is no bool": (lambda: amp.CurrentFP8(1), TypeError, "must be a bool"),
    "a transform that is no bool": (lambda: amp.NVFP4(16), TypeError, "must be a bool"),
    "a format": (lambda: Operand("e4m4"), ValueError, "must be one of"),
    "a tile of one number": (lambda: Operand("e4m3", (32,), Shared()), TypeError, "a tuple of two ints"),
    "a tile for a delayed scale": (lambda: Operand("e4m3", (1, 32), Delayed()), ValueError, "a tile that fits"),
    "blocks without a tile": (lambda: Operand("e4m3", None, Shared()), ValueError, "a tile that fits"),
    "a scale that is none": (lambda: Operand("e4m3", None, 2.0), TypeError, "a rule of"),
    "a rounding": (lambda: Operand("e4m3", rounding="down"), ValueError, "the 'rounding' must be one of"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_meant_is_refused(case):
    call, kind, text = REFUSED[case]
    with pytest.raises(kind, match=text):
        call()


def test_labels_show_formats_and_blocks():
    assert amp.MXFP8().label == "mxfp8 (e4m3/32)"
    assert amp.DelayedFP8().label == "delayed_fp8 (e4m3, e5m2)"
    assert amp.NVFP4().label == "nvfp4 (e2m1/16)"
    assert Operand("hifloat8", None, Unscaled()).label == "hifloat8"


SQNR = {  # decibels for normal numbers, as recorded with the golden vectors
    "e4m3/tensor/current/even": 31.6,
    "e5m2/tensor/current/even": 25.5,
    "hifloat8/tensor/unscaled/even": 31.5,
    "e4m3/1x128/current(power_of_2)/even": 31.5,
    "e4m3/1x32/rceil/even": 31.5,
    "e4m3/1x32/floor/even": 30.6,
    "e2m3/1x32/rceil/even": 31.0,
    "e3m2/1x32/rceil/even": 25.6,
    "e2m1/1x32/floor/even": 18.7,
    "e2m1/1x32/ceil/even": 16.8,
    "e2m1/1x32/rceil/even": 18.7,
    "e2m1/1x32/even/even": 19.0,
    "e2m1/1x16/two_levels/even": 20.4,
    "e2m1/16x16/two_levels/even": 19.1,
}


@pytest.mark.parametrize("text", SQNR)
def test_the_ratio_of_signal_to_noise_is_the_recorded_one(text):
    operand = amp.Recipe.parse(f"mine(x={text}; w={text}; dy={text})").x
    x = np.random.default_rng(0).standard_normal((256, 256)).astype(np.float32)
    error = quantize(x, operand).value().astype(np.float64) - x
    assert abs(10 * np.log10(np.sum(x**2.0) / np.sum(error**2)) - SQNR[text]) < 0.1
