"""What the processes of ``minispore train --distributed`` share."""

import numpy as np
import pytest
from support.thread_group import every

import minispore as ms
from minispore.tools.cli import ranks


def test_without_other_processes_a_distributed_run_is_the_same_run(train, tmp_path, capsys, no_matplotlib):
    options = "--net mlp --level O2 --epochs 1"
    assert train(options, tmp_path / "alone") == train(f"{options} --distributed", tmp_path / "one") == 0
    alone, one = (ms.load_checkpoint(tmp_path / name / "O2.ckpt") for name in ("alone", "one"))
    assert all(
        alone[name].asnumpy().tobytes() == one[name].asnumpy().tobytes()
        for name in alone
        if name not in ("settings", "course.seconds")
    )
    assert not ms.communication.GlobalComm.INITED
    assert ms.get_auto_parallel_context("parallel_mode") == "stand_alone"


@pytest.mark.parametrize(
    ("length", "parts"), [(6, [[0, 1], [2, 3], [4, 5]]), (4, [[0, 1], [2, 3], [0, 1]]), (1, [[0], [0], [0]])]
)
def test_each_process_has_an_even_share_of_the_rows(length, parts):
    rows = ms.Tensor(np.arange(length)[:, None])
    assert every(3, lambda rank: ranks.part(rows).asnumpy()[:, 0].tolist()) == parts
    assert ranks.part(rows) is rows


def test_numbers_and_flags_are_those_of_all_processes_and_accuracies_those_of_the_first():
    def call(rank):
        ranks.meet()
        flags = ranks.anywhere(rank == 1), ranks.anywhere(False)
        return ranks.mean([1.0 * rank, 2.0]), flags, ranks.of_first(lambda: 5.0 + rank), ranks.is_first()

    assert every(3, call) == [([1.0, 2.0], (True, False), 5.0, rank == 0) for rank in range(3)]
    assert call(7) == ([7.0, 2.0], (False, False), 12.0, True)


def test_only_the_first_process_shows_its_progress(capsys):
    from minispore.tools.cli.progress import Progress

    progress = Progress("O0", 1, 2, 0, silent=True)
    progress.say("hidden")
    progress.epoch(1, 0.5, 0.5, 1.0)
    progress.close()
    assert capsys.readouterr() == ("", "")
