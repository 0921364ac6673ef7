"""Wrong repairs of the exercises: for each number, texts of the solution to replace, and what stands there instead."""

# ruff: noqa: E501 - texts of several lines in one

WRONG_REPAIRS = {
    "1.1": [
        ("nonzero.astype(np.float16) == 0", "np.abs(nonzero) < 2.0**-24"),
        ("gradients[gradients != 0]", "gradients"),
        ("    if nonzero.size == 0:\n        return 0.0\n", ""),
    ],
    "2.1": [
        ("round(x / unit)", "math.floor(x / unit + 0.5)"),
        (", -14)", ", -24)"),
        ("abs(nearest) <=", "abs(x) <="),
        ("round(x / unit)", "math.trunc(x / unit)"),
    ],
    "2.2": [
        ("np.sum(numbers, dtype=np.float32)", "np.cumsum(numbers.ravel(), dtype=np.float16)[-1]"),
        ("np.sum(numbers, dtype=np.float32)", "np.sum(numbers[:, :1024], dtype=np.float32)"),
    ],
    "3.1": [
        ("return dout, -dout", "return dout, dout"),
        ("grads.get(x, 0.0) + g", "g"),
        ("tape.pop()", "tape.pop(0)"),
        ("dout * y.value, dout * x.value", "dout * x.value, dout * y.value"),
        ("return dout * y.value, dout * x.value", "return y.value, x.value"),
    ],
    "4.1": [
        ("dout * ops.sigmoid(x)", "ops.sigmoid(x)"),
        ("dout * ops.sigmoid(x)", "dout * (1 - ops.sigmoid(x))"),
        ("(xp.maximum(wide, 0) + xp.log1p(xp.exp(-xp.abs(wide)))).astype(x.dtype)", "xp.log(1 + xp.exp(x))"),
        ("xp.log1p(xp.exp(-xp.abs(wide)))", "xp.exp(-xp.abs(wide))"),
    ],
    "4.2": [
        ("given(x) * 3", "given(x)"),
        ("[-3.0, -0.7, 0.0, 0.1, 0.5, 2.0]", "[0.0, 0.001]"),
        ("    assert half.dtype == ms.float16\n", ""),
        ("    assert np.abs(found - slope).max() < 1e-8\n", ""),
    ],
    "5.1": [
        ("nn.CellList([nn.Dense(3, 4), nn.Dense(4, 2)])", "[nn.Dense(3, 4), nn.Dense(4, 2)]"),
        ('ms.Parameter(ms.Tensor(0.5, ms.float32), name="scale")', "ms.Tensor(0.5, ms.float32)"),
        (", requires_grad=False", ""),
        ("return x * self.scale", "return x * float(self.scale.asnumpy())"),
        ("        ops.assign_add(self.calls, ms.Tensor(1.0, ms.float32))\n", ""),
    ],
    "6.1": [
        ("g.astype(np.float32) / np.float32(scale)", "(g / np.float16(scale)).astype(np.float32)"),
        ("g.astype(np.float32) / np.float32(scale)", "g.astype(np.float64) / scale"),
        ("g.astype(np.float32) / np.float32(scale)", "g.astype(np.float32) / np.float32(scale + 1)"),
    ],
    "6.2": [
        ("(2.0, 1024.0, 2.0**20)", "(1.0,)"),
        ("(2.0, 1024.0, 2.0**20)", "(2.0,)"),
        ("    assert np.allclose(plain, 2 * (w * x - y) * x, rtol=1e-5, atol=1e-5)\n", ""),
    ],
    "7.1": [
        ("max(self.scale / self.factor, 1.0), 0", "self.scale / self.factor, 0"),
        ("max(self.scale / self.factor, 1.0), 0", "max(self.scale / self.factor, 1.0), self.good"),
        ("            self.good = 0\n            if", "            if"),
        (
            "            if self.scale * self.factor <= LARGEST:\n                self.scale = self.scale * self.factor\n",
            "            self.scale = min(self.scale * self.factor, LARGEST)\n",
        ),
        ("self.scale / self.factor, 1.0", "self.scale // self.factor, 1.0"),
        ('faces = {"LossScale": "minispore"}', "faces = {}"),
    ],
    "7.2": [
        (
            "all(bool(np.isfinite(each).all()) for each in gradients)",
            "not any(bool(np.isinf(each).any()) for each in gradients)",
        ),
        ("all(bool(np.isfinite(each).all()) for each in gradients)", "bool(np.isfinite(gradients[0]).all())"),
        ("np.isfinite(each).all()", "(np.max(each) < np.inf)"),
        ("np.isfinite(each).all()", "np.isfinite(each.ravel()[: each.size // 8 * 8 or None]).all()"),
    ],
    "7.3": [
        ("    assert step.scale == scale / 2\n", ""),
        ("    assert step.good == 0\n", ""),
        (
            "    assert all(np.array_equal(before[name], after[name]) for name in before)\n",
            '    assert np.array_equal(before["weight"], after["weight"])\n',
        ),
        ("is True", "in (True, False)"),
    ],
    "8.1": [
        ("isinstance(cell, BLACK)", "type(cell) in BLACK"),
        ("for _, cell in network.cells_and_names():", "for cell in network.cells():"),
        ("    network.to_float(ms.float16)\n", "    for cell in network.cells():\n        cell.to_float(ms.float16)\n"),
        ("        if isinstance(cell, BLACK):\n            cell.to_float(ms.float32)\n", "        pass\n"),
    ],
    "9.1": [
        ("self.masters - self.rate", "self.weights.astype(np.float32) - self.rate"),
        ("self.rate * gradients.astype(np.float32)", "np.float16(self.rate) * gradients"),
        ("self.weights = self.masters.astype(np.float16)", "self.weights = self.masters"),
        ("self.masters - self.rate", "self.masters + self.rate"),
    ],
    "9.2": [
        ("(centred * centred).mean()", "(centred * centred).astype(np.float16).astype(np.float32).mean()"),
        ("wide - wide.mean()", "wide - np.float32(np.float16(wide.mean()))"),
        ("(centred * centred).mean()", "(wide * wide).mean()"),
        (").astype(np.float16)\n", ")\n"),
        ("wide - wide.mean()", "wide"),
    ],
    "10.1": [
        ("dict.fromkeys(arguments)", "arguments"),
        (
            "        for name in dict.fromkeys(arguments):\n",
            "        assigned[target] = number\n        for name in dict.fromkeys(arguments):\n",
        ),
        ("        assigned[target] = number\n    return", "        assigned.setdefault(target, number)\n    return"),
    ],
    "11.1": [
        (" and target != output", ""),
        ('all(node[1] == "to16" for node in readers)', "False"),
        ("without_cancelling(with_casts(nodes, white))", "list(nodes)"),
        (
            '        out.append((target, "to32", (f"{target}_16",)))\n',
            '        out.append((target, "to16", (f"{target}_16",)))\n',
        ),
        ('all(node[1] == "to16" for node in readers)', "len(readers) == 1"),
    ],
    "12.1": [
        ("range(25)", "range(24)"),
        (", default=0.0", ", default=1.0"),
        ("(gradients * np.float32(2.0**k)).astype(np.float16)", "gradients * np.float32(2.0**k)"),
        (
            "np.isfinite((gradients * np.float32(2.0**k)).astype(np.float16)).all()",
            "np.abs(gradients * np.float32(2.0**k)).max() <= 65504",
        ),
        ("(gradients * np", "(gradients.mean() * np"),
    ],
    "13.1": [
        ("0x7FFF + last", "0x8000"),
        ("0x7FFF + last", "0x7FFF"),
        ("np.where(np.isnan(x), x, rounded)", "rounded"),
        ("0xFFFF0000", "0xFFFFFFFF"),
        ("bits + 0x7FFF + last", "bits"),
    ],
    "13.2": [
        ("np.rint(numbers / step)", "np.floor(numbers / step + 0.5)"),
        ("np.maximum(np.frexp(numbers)[1] - 1, lowest)", "np.frexp(numbers)[1] - 1"),
        ("- 1, lowest)", "- 1, lowest - mantissa)"),
        ("np.rint(numbers / step)", "np.trunc(numbers / step)"),
    ],
    "14.1": [
        ("not all(np.isfinite(g) for g in gradients)", "not any(np.isfinite(g) for g in gradients)"),
        ("not all(np.isfinite(g) for g in gradients)", "not np.isfinite(gradients[0])"),
        ("max(scale / 2, 1.0)", "scale / 2"),
        (") / len(gradients)\n", ")\n"),
        (
            "not all(np.isfinite(g) for g in gradients)",
            "not np.isfinite(np.sum(np.array(gradients, np.float16), dtype=np.float16))",
        ),
    ],
    "14.2": [
        (
            "b.shape[1]), np.float32)\n    for k in range(0, a.shape[1], TILE):",
            "b.shape[1]), np.float32)\n    for k in range(0, a.shape[1] // TILE * TILE, TILE):",
        ),
        ("out = out + tile\n", "out = out + tile.astype(np.float16)\n"),
    ],
}
