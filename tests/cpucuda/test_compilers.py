"""NVIDIA's compilers take minispore's kernels for each generation of chips, and keep few registers in memory."""

import pytest

from cpucuda import nvcc, nvrtc_check

pytestmark = pytest.mark.cpucuda


@pytest.fixture
def compiler(request, cupy):
    """NVRTC, or nvcc where it is installed."""
    if request.param == "NVRTC":
        pytest.importorskip("nvidia.cuda_nvrtc")
        return nvrtc_check.NVRTC()
    path = nvcc.found()
    if path is None:
        pytest.skip("nvcc is not here: install a CUDA toolkit, or set NVCC to the one of CUDA 13's wheels")
    return nvcc.NVCC(path)


@pytest.mark.parametrize("chip", nvrtc_check.CHIPS)
@pytest.mark.parametrize("file", nvrtc_check.own_files())
@pytest.mark.parametrize("compiler", ["NVRTC", "nvcc"], indirect=True)
def test_a_file_of_kernels_compiles_for_a_chip_and_spills_little(compiler, file, chip):
    source, options, names = nvrtc_check.own(file)
    compiles, log = compiler.compile(source, nvrtc_check.for_chip(options, chip), names)
    assert compiles, log
    assert log.count("Compiling entry function") >= len(names) > 0
    assert max(nvrtc_check.spilled(log).values(), default=0) <= nvrtc_check.MOST_SPILLED


def test_every_template_of_a_file_has_its_instance(cupy):
    for file in nvrtc_check.own_files():
        source, _, names = nvrtc_check.own(file)
        assert {name.partition("<")[0] for name in names} == set(nvrtc_check.kernels_of(source)) - {"philox_words"}, (
            file
        )
