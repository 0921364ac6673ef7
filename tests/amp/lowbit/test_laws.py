"""The laws of low bits, on drawn numbers; and mutations of the rules, each of which a law catches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import low_bit_laws as laws

from minispore.amp.lowbit import formats, products, quantized, scales, stochastic
from minispore.core.random_streams import Stream

SEEDS = st.integers(0, 2**32 - 1)
DRAWS = settings(max_examples=1000, deadline=None)


@pytest.mark.parametrize("law", laws.LAWS_OF_OPERANDS, ids=lambda law: law.__name__)
@DRAWS
@given(SEEDS, st.sampled_from(sorted(laws.OPERANDS)))
def test_a_law_of_quantization(law, seed, name):
    law(laws.OPERANDS[name], np.random.default_rng(seed))


@pytest.mark.parametrize("law", laws.LAWS_OF_PRODUCTS, ids=lambda law: law.__name__)
@DRAWS
@given(SEEDS, st.sampled_from(sorted(laws.RECIPES)))
def test_a_law_of_the_products(law, seed, name):
    law(laws.RECIPES[name], np.random.default_rng(seed))


@pytest.mark.parametrize("law", laws.OTHER_LAWS, ids=lambda law: law.__name__)
@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_a_law_of_rounding_the_transform_or_the_history(law, seed):
    law(None, np.random.default_rng(seed))


# Mutations


def floor_for_rceil(monkeypatch):
    floor = scales.Shared("floor")
    monkeypatch.setattr(scales, "_rceil", lambda xp, amax, format: floor.code(xp, amax, format))


def wrong_axis_of(kind):
    def mutate(monkeypatch):
        monkeypatch.setattr(kind, "axes", tuple(1 - axis for axis in kind.axes))

    return mutate


def rolled_too_early(monkeypatch):
    after = scales.Delayed.after

    def early(self, xp, scale, history, amax, format):
        return after(self, xp, scale, np.roll(history, -1), amax, format)

    monkeypatch.setattr(scales.Delayed, "after", early)


def scale_applied_twice(monkeypatch):
    over = quantized.over_tiles
    monkeypatch.setattr(quantized, "over_tiles", lambda factors: over(factors) * over(factors))


def ties_away(monkeypatch):
    codes_of = formats.codes_of
    monkeypatch.setattr(formats, "codes_of", lambda xp, x, f, o="saturate", r=None: codes_of(xp, x, f, o, "away"))


def a_key_reused(monkeypatch):
    name = stochastic.next_stream(np).name
    monkeypatch.setattr(stochastic, "next_stream", lambda xp: Stream(*name))


def clipped_after_the_sum(monkeypatch):
    """The values are what was scaled, rounded but not clipped."""
    split = quantized.Quantized.split

    def unclipped(self):
        array, number = split(self)
        scaled, top = self._scaled(), formats.format_of(self.operand.format).top
        return np.where(np.abs(scaled) > top, scaled, array), number

    monkeypatch.setattr(quantized.Quantized, "split", unclipped)


MXFP4 = next(name for name in laws.RECIPES if name.startswith("mxfp4"))
MXFP8 = "mxfp8(keep=none)"
MUTATIONS = {
    "floor for rceil": (floor_for_rceil, laws.nothing_is_clipped, "e4m3 rceil"),
    "the forward product's wrong axis": (wrong_axis_of(products.FProp), laws.the_other_axes_are_free, MXFP4),
    "the input's gradient's wrong axis": (wrong_axis_of(products.DGrad), laws.the_other_axes_are_free, MXFP4),
    "the weight's gradient's wrong axis": (wrong_axis_of(products.WGrad), laws.products_are_sums, MXFP8),
    "a history rolled too early": (rolled_too_early, laws.a_peak_is_remembered_for_its_window, None),
    "a scale applied twice": (scale_applied_twice, laws.error_is_bounded, "e4m3 rceil"),
    "ties away": (ties_away, laws.ties_go_to_even, None),
    "a key reused": (a_key_reused, laws.no_key_is_used_twice, None),
    "clipping after the sum": (clipped_after_the_sum, laws.values_stay_in_range, "e4m3 rceil"),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught_by_its_law(name, monkeypatch):
    mutate, law, subject = MUTATIONS[name]
    subject = laws.OPERANDS.get(subject) or laws.RECIPES.get(subject)
    for seed in range(20):
        law(subject, np.random.default_rng(seed))
    mutate(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(20):
            law(subject, np.random.default_rng(seed))
