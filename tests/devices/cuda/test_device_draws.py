"""The count of random streams that the host and a device share."""

import pytest

from minispore.core import context, seeds
from minispore.devices.cuda.device_draws import DeviceDraws


@pytest.mark.usefixtures("restored")
def test_streams_that_a_launch_takes_are_counted_by_the_host_too():
    context.set_seed(5)
    draws, before = object.__new__(DeviceDraws), seeds.seed.draws
    draws.take(3)
    draws.take(2)
    assert seeds.seed.draws == before + 5
    assert draws._known == (5, before + 5)
