"""The kit's laws of low bits hold here; each mutation of a rule is caught by a law, which is named."""

from dataclasses import replace

import numpy as np
import pytest

from minispore.amp.lowbit import convert, delayed, formats, hadamard, products, quantized, scales, stochastic
from minispore.ops.kernels.random_streams import Stream
from minispore.tools.testing.laws import LAWS
from minispore.tools.testing.runner import tried
from minispore.tools.testing.targets.minispore import Minispore

NAMES = [name for name in LAWS if name.startswith(("low_bit_", "delayed_"))]
FEWER = dict.fromkeys(("low_bit_error", "low_bit_powers", "low_bit_clipping"), 5)  # of 27 operands each


# The law of the state writes a checkpoint; that of the modes replays, and asks cells to recompute
ROOMS = {"low_bit_modes": ("graph", "dropin"), "low_bit_state": ("data",)}


def alone(name, law):
    """A parameter, with the rooms below the line that its law needs."""
    return pytest.param(name, marks=[pytest.mark.needs(*ROOMS[law])] if law in ROOMS else [])


@pytest.mark.parametrize("name", [alone(name, name) for name in NAMES])
def test_a_law_holds(name):
    law = replace(LAWS[name], drawn=FEWER.get(name, LAWS[name].drawn))
    found = tried(law, Minispore())
    assert found.cases >= 12 and [failure.words for failure in found.failures] == []


def test_the_laws_are_those_of_the_specification():
    assert len(NAMES) == 19


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


def a_key_of_another_generator(monkeypatch):
    rng = np.random.default_rng(0)
    draw = lambda xp, shape: rng.integers(0, 2**32, shape, np.uint32)  # noqa: E731
    monkeypatch.setattr(quantized, "random_bits", draw)


def chance_goes_up_too_often(monkeypatch):
    plain = stochastic.stochastic
    more = lambda x, format, bits, nbits=32, xp=np: plain(x, format, bits + np.uint32(bits + 1 < 2**nbits), nbits, xp)  # noqa: E731
    monkeypatch.setattr(stochastic, "stochastic", more)


def clipped_after_the_sum(monkeypatch):
    """What is clipped when it is encoded is not, and its sum is clipped to the largest number."""
    multiply = products.product

    def clipped(xp, a, b):
        return np.clip(multiply(xp, a, b), -448, 448)

    monkeypatch.setattr(products, "product", clipped)


def scaled_by_the_whole_tensor(monkeypatch):
    largest = quantized.largest
    monkeypatch.setattr(quantized, "largest", lambda xp, tiles: np.full_like(largest(xp, tiles), tiles.max()))


def an_infinity_is_clipped(monkeypatch):
    as_float32 = quantized.as_float32
    monkeypatch.setattr(quantized, "as_float32", lambda xp, x: np.nan_to_num(as_float32(xp, x), posinf=1e4))


def tiles_end_with_the_matrix_that_came_first(monkeypatch):
    monkeypatch.setattr(quantized, "_tile", lambda tile, axis, shape: tile or shape)


def rounded_to_the_scale_of_the_next_power(monkeypatch):
    factors = scales.Current.factors

    def wrong(self, xp, amax, format, source):
        found = factors(self, xp, amax, format, source)
        return found._replace(up=found.up / np.float32(3), down=found.down * np.float32(3))

    monkeypatch.setattr(scales.Current, "factors", wrong)


def signs_forgotten(monkeypatch):
    signed = formats._signed
    formats._codes.cache_clear()
    monkeypatch.setattr(formats, "_signed", lambda code, x, format: signed(code, np.abs(x), format))


def transformed_once(monkeypatch):
    turned = hadamard._R.copy()
    turned[0] *= -2
    monkeypatch.setattr(hadamard, "_R", turned)


def state_moves_in_evaluation(monkeypatch):
    construct = delayed.DelayedProduct.construct

    def always(self, x, w):
        training, self._training = self._training, True
        try:
            return construct(self, x, w)
        finally:
            self._training = training

    monkeypatch.setattr(delayed.DelayedProduct, "construct", always)


def taken_by_kept_cells(monkeypatch):
    monkeypatch.setattr(convert, "_kept", lambda *given: "")


def small_magnitudes_made_larger(monkeypatch):
    largest = quantized.largest
    monkeypatch.setattr(quantized, "largest", lambda xp, tiles: np.maximum(largest(xp, tiles), np.float32(1)))


def short_tiles_filled_with_ones(monkeypatch):
    pad = np.pad
    monkeypatch.setattr(np, "pad", lambda x, widths: pad(x, widths, constant_values=1))


MUTATIONS = {
    "floor for rceil": (floor_for_rceil, "low_bit_clipping", "e4m3/1x32/rceil"),
    "the forward product's wrong axis": (wrong_axis_of(products.FProp), "low_bit_axes", "mxfp4"),
    "the input's gradient's wrong axis": (wrong_axis_of(products.DGrad), "low_bit_axes", "mxfp4"),
    "the weight's gradient's wrong axis": (wrong_axis_of(products.WGrad), "low_bit_products", "mxfp8"),
    "a history rolled too early": (rolled_too_early, "delayed_scale", "delayed(0,4,max)"),
    "a scale applied twice": (scale_applied_twice, "low_bit_error", "e4m3/1x32/rceil"),
    "ties away": (ties_away, "low_bit_codes", "e2m1"),
    "a key reused": (a_key_reused, "low_bit_keys", "e2m1/1x32"),
    "a key that no seed rules": (a_key_of_another_generator, "low_bit_keys", "e2m1/1x32"),
    "a bit too many": (chance_goes_up_too_often, "low_bit_chance", "e4m3"),
    "clipping after the sum": (clipped_after_the_sum, "low_bit_products", "mxfp8"),
    "the tensor's scale for each tile": (scaled_by_the_whole_tensor, "low_bit_locality", "e2m1/1x32/rceil"),
    "an infinity that is clipped": (an_infinity_is_clipped, "low_bit_not_finite", "e4m3/1x32/rceil"),
    "an infinity that is lost": (an_infinity_is_clipped, "low_bit_infinity", "mxfp8"),
    "one axis for all": (tiles_end_with_the_matrix_that_came_first, "low_bit_turned", "e4m3/1x32/rceil"),
    "a scale of no power of two": (rounded_to_the_scale_of_the_next_power, "low_bit_clipping", "e4m3/tensor/current"),
    "signs forgotten": (signs_forgotten, "low_bit_round_trip", "e4m3fn"),
    "a transform that is not orthogonal": (transformed_once, "low_bit_hadamard", "hadamard"),
    "a state that moves in evaluation": (state_moves_in_evaluation, "low_bit_state", "delayed_fp8"),
    "a generator that no resume knows": (a_key_of_another_generator, "low_bit_modes", "nvfp4"),
    "a least magnitude": (small_magnitudes_made_larger, "low_bit_powers", "e2m1/1x32/rceil"),
    "short tiles that are filled with ones": (short_tiles_filled_with_ones, "low_bit_zeros", "e4m3/1x32/rceil"),
    "kept cells that take the recipe": (taken_by_kept_cells, "low_bit_absent", "mxfp8"),
}


def failures_of(name, only):
    found = tried(LAWS[name], Minispore(), only=only)
    assert found.cases
    return found.failures


@pytest.mark.parametrize("name", [alone(name, law) for name, (_, law, _) in MUTATIONS.items()])
def test_a_mutation_is_caught_by_its_law(name, monkeypatch):
    mutate, law, only = MUTATIONS[name]
    assert failures_of(law, only) == []
    mutate(monkeypatch)
    assert failures_of(law, only)
    formats._codes.cache_clear()


def test_each_law_catches_a_mutation():
    caught = {law for _, law, _ in MUTATIONS.values()}
    assert set(NAMES) == caught
