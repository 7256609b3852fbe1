"""The log of a run, read again."""

from __future__ import annotations

from pathlib import Path

from subfit.training.run.log import read_log


def write_log(folder: Path, *lines: str) -> None:
    (folder / "log.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


class TestLog:
    def test_steps_logged_again_after_a_resume_count_once_the_last_time(self, tmp_path):
        write_log(
            tmp_path,
            '{"step": 2, "loss": 5.0}',
            '{"step": 4, "loss": 4.0}',
            '{"step": 4, "dev_loss": 4.5}',
            '{"step": 4, "loss": 3.0}',
            '{"step": 6, "loss": 2.0}',
        )
        log = read_log(tmp_path)
        assert log.series("loss") == ((2, 4, 6), (5.0, 3.0, 2.0))
        assert log.series("dev_loss") == ((4,), (4.5,))
        assert log.last("loss") == 2.0

    def test_half_a_line_is_passed_over(self, tmp_path):
        write_log(tmp_path, '{"step": 2, "loss": 5.0}', '{"step": 4, "lo', "7", '{"loss": 1}')
        assert read_log(tmp_path).series("loss") == ((2,), (5.0,))

    def test_nothing_logged_is_no_failure(self, tmp_path):
        assert read_log(tmp_path).last("bleu") is None
