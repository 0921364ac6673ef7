"""Principal components of saved weights: those of the covariance in float64, and the file that keeps them."""

import numpy as np
import pytest
from support.thread_group import every

import minispore as ms
from minispore import nn
from minispore.training.boost.principal_components import components_for, principal_components, saved_weights


def test_the_components_are_the_eigenvectors_of_the_covariance():
    rows = (np.random.default_rng(0).standard_normal((6, 9)) + 3).astype(np.float32)
    found = principal_components(rows, 3)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found @ found.T, np.eye(3), atol=1e-6)
    vectors = np.linalg.eigh(np.cov(rows.astype(np.float64).T))[1][:, ::-1].T[:3]
    np.testing.assert_allclose(np.abs((found * vectors).sum(1)), 1, atol=1e-6)
    # The first, recorded from MindSpore 2.0.0 on these rows; a component has no sign
    recorded = [0.2163821, 0.3066472, 0.2020883, 0.7921713, 0.0208419, 0.3808656, 0.1461302, 0.1459151, 0.0513128]
    np.testing.assert_allclose(found[0] * np.sign(found[0, 0]), recorded, atol=1e-6)


def saved(folder, count):
    net = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2))
    for i in range(count):
        for j, p in enumerate(net.get_parameters()):
            p.set_data(ms.Tensor(np.full(p.shape, 10.0 * i + j, np.float32)))
        ms.save_checkpoint(net, str(folder / f"m-{i}.ckpt"))
    return net


def test_a_row_has_the_parameters_in_the_order_that_is_asked_for(tmp_path):
    params = saved(tmp_path, 2).trainable_params()
    (tmp_path / "notes.txt").write_text("no checkpoint")
    np.testing.assert_array_equal(
        saved_weights(str(tmp_path), params[1::-1]), [[1, 1, 0, 0, 0, 0], [11, 11, *[10] * 4]]
    )


def test_the_components_are_kept_in_a_file(tmp_path):
    params, path = saved(tmp_path, 3).trainable_params(), str(tmp_path / "pca.npy")
    found = components_for(params, 2, str(tmp_path), path)
    np.testing.assert_array_equal(components_for(params, 2, None, path), found)
    np.testing.assert_array_equal(components_for(params, 1, None, path), found[:1])
    with pytest.raises(ValueError, match=r"must have the shape \(3, 10\), but got \(2, 10\)"):
        components_for(params, 3, str(tmp_path), path)
    with pytest.raises(ValueError, match="'weight_load_dir' must be a folder of checkpoints, but got None"):
        components_for(params, 2, None, None)


def test_a_checkpoint_of_another_network_is_refused(tmp_path):
    saved(tmp_path, 2)
    for net, found in ((nn.SequentialCell(nn.Dense(3, 2)), r"shape \(2, 2\)"), (nn.Dense(2, 2), "none")):
        with pytest.raises(ValueError, match=rf"must have '.*weight' of shape .*, but got {found}"):
            saved_weights(str(tmp_path), net.trainable_params())


def test_what_process_0_does_not_find_is_an_error_in_all_processes(tmp_path):
    ms.set_auto_parallel_context(parallel_mode="data_parallel")

    def call(rank):
        with pytest.raises(RuntimeError if rank else ValueError, match="must be a folder of checkpoints"):
            components_for([ms.Parameter(1.0, name="w")], 1, str(tmp_path / "none"), None)

    try:
        every(2, call)
    finally:
        ms.reset_auto_parallel_context()
