"""Running the command line within the test's process, in an empty folder."""

from __future__ import annotations

import io
import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from subfit.cli.main import run

SCENE = """\
1
00:00:01,000 --> 00:00:03,000
Where is the old lighthouse?

2
00:00:04,000 --> 00:00:05,000
♪

3
00:00:06,000 --> 00:00:08,000
The door is open.
"""


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    code: int
    stdout: bytes
    err: str

    @property
    def out(self) -> str:
        """Standard output as text."""
        return self.stdout.decode()

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document it must be."""
        return json.loads(self.stdout)


Cli = Callable[..., Outcome]


@pytest.fixture
def cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Cli:
    """Run ``subfit`` with these arguments, in ``tmp_path``, where ``scene.en.srt`` lies."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scene.en.srt").write_text(SCENE, encoding="utf-8")

    def call(*arguments: str | Path, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsysbinary.readouterr()
        code = run([str(each) for each in arguments])
        captured = capsysbinary.readouterr()
        return Outcome(code, captured.out, captured.err.decode())

    return call


def run_documented(cli: Cli, words: list[str]) -> None:
    """Run a command of a page, with what it writes into a file behind ``>``; it must end well."""
    target = ""
    if ">" in words:
        *words, _, target = words
    outcome = cli(*words[1:])
    assert outcome.code in (0, 3), f"{shlex.join(words)}\n{outcome.err}"
    if target:
        Path(target).write_bytes(outcome.stdout)


@pytest.fixture
def translate(cli: Cli, tiny_model_folder: Path) -> Cli:
    """Run ``subfit translate -t de`` with a tiny model, in arithmetic that is alike everywhere."""

    def call(*arguments: str | Path, **options: Any) -> Outcome:
        model = ("--model", tiny_model_folder, "--beam", "2", "--precision", "fp32")
        return cli("translate", *arguments, "-t", "de", *model, **options)

    return call
