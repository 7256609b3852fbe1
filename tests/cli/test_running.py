"""A job done to its files: where it is told of, what it warns of, and its exit code."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from subfit.cli.running import exit_code_of, messages_for
from subfit.errors import UsageError
from tests.cli.conftest import SCENE, Cli


def job(output: str | None, *inputs: str, dry_run: bool = False):
    writing = SimpleNamespace(output=output)
    return SimpleNamespace(writing=writing, inputs=inputs, dry_run=dry_run)


@pytest.mark.parametrize(
    ("output", "inputs"), [("-", ("a.srt",)), (None, ("-",)), ("-", ("-",))]
)  # fmt: skip
def test_two_things_cannot_go_to_standard_output(output, inputs) -> None:
    with pytest.raises(UsageError, match="--json and the translation both go to stdout"):
        messages_for(job(output, *inputs), json=True, quiet=False)
    messages_for(job(output, *inputs, dry_run=True), json=True, quiet=False)
    messages_for(job(output, *inputs), json=False, quiet=False)


def test_standard_input_may_go_to_a_file_beside_a_document() -> None:
    messages_for(job("a.de.srt", "-"), json=True, quiet=False)


@pytest.mark.parametrize(
    ("failed", "over", "code"),
    [(True, True, 1), (True, False, 1), (False, True, 3), (False, False, 0)],
)
def test_what_failed_counts_before_what_is_over_its_limits(failed, over, code, capsys) -> None:
    outcome = SimpleNamespace(failed=failed, over=over, to_dict=lambda: {"files": []})
    assert exit_code_of(outcome, json=False) == code
    assert capsys.readouterr().out == ""
    assert exit_code_of(outcome, json=True) == code
    assert f'"exit_code": {code}' in capsys.readouterr().out


def test_a_file_that_is_named_as_a_translation_is_told(translate: Cli, tmp_path: Path) -> None:
    for name in ("film.de.srt", "other.de.srt"):
        (tmp_path / name).write_text(SCENE, encoding="utf-8")
    outcome = translate("film.de.srt", "other.de.srt", "-s", "en", "--output-dir", "out")
    assert "film.de.srt (and 1 more file): named as in de already" in outcome.err
    assert outcome.code in (0, 3)
