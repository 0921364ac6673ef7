"""Step 25: bfloat16: float32 cut in half. The exponent is float32's, so hardly anything overflows or vanishes.

It pays with precision: 8 bits in the place of float16's 11. The number is the upper 16 bits of float32; rounding adds a
half before the lower ones are cut, and a tie goes to the even number. Nothing else changes: one more grid, and every
operation, cast, mark and level of the steps before takes it.

    python examples/steps/step25_bfloat16.py
"""

import numpy as np
from step07_dense import Dense
from step12_float16 import GRIDS, to_float16
from step13_loss_scale import gradients_at, small_gradients
from step17_o3 import o3


def to_bfloat16(x):
    """``x`` on bfloat16's grid, still in a float32 array."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    even = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return np.where(np.isnan(x), np.float32(np.nan), (even & np.uint32(0xFFFF0000)).view(np.float32))


GRIDS["bfloat16"] = to_bfloat16


def main():
    for number in (0.1, 1.001, 257.0, 70000.0, 1e-20):
        half, brain = float(to_float16(np.float32(number))), float(to_bfloat16(np.float32(number)))
        print(f"{number:<8g} float16 {half:<12.8g} bfloat16 {brain:.8g}")
    true = gradients_at(1.0, *small_gradients(Dense))[0].array
    for kind in ("float16", "bfloat16"):
        network, x, y = small_gradients(Dense)
        got = gradients_at(1.0, o3(network, kind), x, y)[0].array
        print(f"small gradients in {kind}, no scale: wrong by {np.abs(got - true).max() / np.abs(true).max():.2%}")


if __name__ == "__main__":
    main()
