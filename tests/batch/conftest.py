"""A season of films, and running ``subfit translate`` over it in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Outcome, cli
from tests.tiny import PAIRS

__all__ = ["cli"]


def film(number: int, cues: int = 3) -> str:
    """A SubRip file of sentences that the tiny model knows, others for every number."""
    texts = [PAIRS[(number * 7 + cue) % len(PAIRS)].source for cue in range(cues)]
    return "\n".join(
        f"{n + 1}\n00:00:{3 * n:02},000 --> 00:00:{3 * n + 2:02},500\n{text}\n"
        for n, text in enumerate(texts)
    )


def write(folder: Path, *names: str) -> None:
    """Write a film under each name, below a folder."""
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(film(number), encoding="utf-8")


def tree(folder: Path) -> dict[str, bytes]:
    """All that lies below a folder, but the manifest, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".subfit" not in path.parts
    }


@pytest.fixture
def translate(cli: Cli, tiny_model_folder: Path) -> Cli:
    """Run ``subfit translate`` in ``tmp_path``, with the tiny model into German by default."""

    def call(*arguments: str | Path, model: Path = tiny_model_folder, to: str = "de") -> Outcome:
        return cli("translate", *arguments, "-t", to, "--model", model, "--beam", "2")

    return call


SEASON = ("1.srt", "2.srt", "specials/1.srt")


@pytest.fixture
def season(tmp_path: Path) -> Path:
    write(tmp_path / "season", *SEASON)
    return tmp_path / "season"
