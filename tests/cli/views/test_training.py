"""What a training shows: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import io

from subfit.cli.views.training import TrainingView
from subfit.training.run.trainer import Progress

LINE = Progress(30, 1, 2.5, 0.001, 9000, 450.0, 20.0)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def follow(steps: int = 90) -> None:
    with TrainingView(steps) as view:
        view.announce("step 20: dev_loss 2.250")
        view.measured(20, {"dev_loss": 2.25, "bleu": 7.5})
        view.progress(LINE)


def test_without_a_terminal_there_are_plain_lines(capsys):
    follow()
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "step 20: dev_loss 2.250",
        "step 30/90  epoch 2  loss 2.500  450 tokens/s  0:00:20 done  0:00:40 left",
    ]
    assert shown.err == ""


def test_a_limit_in_minutes_counts_where_it_ends_sooner(capsys):
    with TrainingView(90, minutes=0.5) as view:
        view.progress(LINE)
    assert "0:00:20 done  0:00:10 left" in capsys.readouterr().out


def test_on_a_terminal_there_is_a_bar_with_the_dev_figures(monkeypatch):
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stderr", screen)
    follow()
    for part in ("step 20: dev_loss 2.250", "30/90", "dev loss 2.250", "BLEU 7.5", "0:00:40 left"):
        assert part in screen.getvalue(), part
    assert "step 30/90" not in screen.getvalue()
