"""Conversion of random networks: idempotent, the identity for an empty list, and bit for bit through a checkpoint."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import minispore as ms
from minispore import amp
from minispore.tools.testing.strategies.networks import planned, plans, rows

pytestmark = pytest.mark.usefixtures("restored")

LEVELS = ("O0", "O1", "O2", "O3")


def network_of(plan):
    ms.set_seed(1)
    return planned(plan)


def output(network, number=0):
    """The bytes of an output, with the random streams from the beginning."""
    ms.set_seed(1)
    return network(rows(number)[0]).asnumpy().tobytes()


def gradients(network):
    ms.set_seed(1)
    weights = network.trainable_params()
    return [
        g.asnumpy().tobytes() for g in ms.grad(lambda x: network(x).sum(), None, ms.ParameterTuple(weights))(rows(0)[0])
    ]


def structure(network):
    return [(path, id(cell)) for path, cell in network.cells_and_names() if path]


@given(plans(), st.sampled_from(LEVELS))
def test_converting_again_changes_nothing(plan, level):
    network = amp.auto_mixed_precision(network_of(plan), level)
    before = output(network), structure(network), [cell._compute_dtype for _, cell in network.cells_and_names()]
    assert amp.auto_mixed_precision(network, level) is network
    assert (
        output(network),
        structure(network),
        [cell._compute_dtype for _, cell in network.cells_and_names()],
    ) == before


@given(plans(), st.booleans(), st.booleans())
def test_an_empty_white_list_is_the_identity(plan, functional, training):
    network = network_of(plan).set_train(training)
    converted = amp.custom_mixed_precision(network, white_list=[], functional=functional)
    assert structure(converted) == structure(network)
    assert list(converted.parameters_dict().values()) == list(network.parameters_dict().values())
    statistics = [p.asnumpy().copy() for p in network.get_parameters()]
    assert output(converted) == _with_statistics(network, statistics)
    assert gradients(converted) == gradients(network)


def _with_statistics(network, values):
    """The output with Parameters as they were before the run that moved BatchNorm's statistics."""
    for parameter, value in zip(network.get_parameters(), values, strict=True):
        parameter.set_data(ms.Tensor(value))
    return output(network)


@given(plans(), st.sampled_from(["O1", "O2", "O3"]), st.booleans())
def test_every_level_is_near_float32_and_keeps_the_parameters(plan, level, functional):
    network = network_of(plan).set_train(False)
    expected = np.frombuffer(output(network), np.float32)
    before = [(p.name, id(p), p.dtype, p.asnumpy().tobytes()) for p in network.get_parameters()]
    converted = amp.auto_mixed_precision(network, level, functional=functional)
    found = np.frombuffer(output(converted), np.float32)
    assert [(p.name, id(p), p.dtype, p.asnumpy().tobytes()) for p in converted.get_parameters()] == before
    np.testing.assert_allclose(found, expected, atol=3e-2 * max(1.0, abs(expected).max()))


@given(plans())
def test_with_functional_the_receipt_misses_only_what_the_user_marked(plan):
    receipt = amp.auto_mixed_precision(network_of(plan), "O1", functional=True).amp_report
    assert all("to_float was called on it" in entry.reason for entry in receipt.missed)
    assert {entry.kind for entry in receipt.missed} <= {"Dense"}
