"""MindSpore's settings of each kind of device: legal values are accepted, others refused."""

import pytest

from minispore.devices import device_context
from minispore.devices.device_context import ascend, cpu, gpu


def test_a_device_says_whether_it_is_there():
    assert cpu.is_available() and cpu.device_count() == 1 and cpu.device.is_available is cpu.is_available
    assert device_context.gpu.device.is_available() == (gpu.device_count() > 0)
    assert ascend.device.device_count() == 1


SETTINGS = [
    (ascend.op_precision.precision_mode, "allow_mix_precision", "x", ValueError),
    (ascend.op_precision.op_precision_mode, "precision.json", 1, TypeError),
    (ascend.op_precision.conv_allow_hf32, True, 1, TypeError),
    (ascend.op_precision.matmul_allow_hf32, False, 1, TypeError),
    (ascend.op_tuning.op_compile, True, "yes", TypeError),
    (cpu.op_tuning.threads_num, 4, 0, ValueError),
    (gpu.op_precision.conv_allow_tf32, True, 1, TypeError),
    (gpu.op_precision.matmul_allow_tf32, True, 1, TypeError),
    (gpu.op_tuning.conv_fprop_algo, "performance", "x", ValueError),
    (gpu.op_tuning.conv_dgrad_algo, "algo_1", "algo_3", ValueError),
    (gpu.op_tuning.conv_wgrad_algo, "algo_3", "winograd", ValueError),
]


@pytest.mark.parametrize(("setting", "legal", "wrong", "kind"), SETTINGS, ids=[row[0].__name__ for row in SETTINGS])
def test_a_setting_takes_legal_values_only(setting, legal, wrong, kind):
    assert setting(legal) is None
    with pytest.raises(kind, match=f"^For '{setting.__name__}', the '"):
        setting(wrong)
