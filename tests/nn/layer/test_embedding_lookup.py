"""nn.EmbeddingLookup: rows, zeros outside, clipped rows, and what its arguments refuse, as MindSpore 2.0.0 has them."""

import numpy as np
import pytest

from minispore import Tensor, nn

INDICES = Tensor(np.array([[1, 0], [5, 2]], np.int32))


def test_an_index_outside_the_table_gives_zeros():
    net = nn.EmbeddingLookup(4, 2, "ones")
    assert net(INDICES).asnumpy().tolist() == [[[1, 1], [1, 1]], [[0, 0], [1, 1]]]
    assert [(p.name, p.shape) for p in net.get_parameters()] == [("embedding_table", (4, 2))]


@pytest.mark.parametrize("arguments", [{"target": "DEVICE", "sparse": False}, {"slice_mode": "table_row_slice"}])
def test_placement_changes_no_value(arguments):
    assert nn.EmbeddingLookup(6, 2, "ones", **arguments)(INDICES).asnumpy().tolist() == np.ones((2, 2, 2)).tolist()


def test_rows_are_clipped_to_the_largest_norm():
    out = nn.EmbeddingLookup(4, 2, "ones", max_norm=1.0)(INDICES).asnumpy()
    np.testing.assert_allclose(out[0], np.full((2, 2), 0.70710677), rtol=1e-6)
    assert out[1, 0].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"vocab_size": 0}, ValueError),
        ({"vocab_size": 1.0}, TypeError),
        ({"embedding_size": 0}, ValueError),
        ({"target": "GPU"}, ValueError),
        ({"sparse": 1}, TypeError),
        ({"sparse": False}, ValueError),
        ({"max_norm": "a"}, TypeError),
        ({"vocab_cache_size": 2}, ValueError),
    ],
)
def test_wrong_arguments_are_refused(arguments, kind):
    with pytest.raises(kind, match=f"For 'EmbeddingLookup', the '{next(iter(arguments))}' must"):
        nn.EmbeddingLookup(**{"vocab_size": 4, "embedding_size": 2, **arguments})
