"""Which files a folder, a pattern or a list of names stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.batch.inputs import FileChoice, Listing, find_inputs
from subfit.errors import UsageError

from .conftest import write


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(*inputs: str, include: tuple[str, ...] = (), output: str = "out") -> Listing:
    return find_inputs(inputs, FileChoice("en", include, Path(output)))


def paths(*inputs: str, **options: object) -> list[str]:
    return [each.path for each in found(*inputs, **options).files]  # type: ignore[arg-type]


def places(*inputs: str) -> list[str]:
    return [(each.folder / Path(each.path).name).as_posix() for each in found(*inputs).files]


def test_a_folder_stands_for_the_subtitles_below_it_in_order() -> None:
    write(Path("s"), "b.srt", "a/2.VTT", "a/1.srt", "notes.txt", "a/cover.jpg")
    assert paths("s") == ["s/b.srt", "s/a/1.srt", "s/a/2.VTT"]
    assert places("s") == ["b.srt", "a/1.srt", "a/2.VTT"]


@pytest.mark.parametrize(
    ("include", "taken"),
    [
        (("*.txt",), ["s/notes.txt", "s/a/notes.txt"]),
        (("*.srt", "*.txt"), ["s/b.srt", "s/notes.txt", "s/a/notes.txt"]),
        (("a/*.txt",), ["s/a/notes.txt"]),
    ],
)
def test_include_chooses_other_files(include: tuple[str, ...], taken: list[str]) -> None:
    write(Path("s"), "b.srt", "notes.txt", "a/notes.txt")
    assert paths("s", include=include) == taken


def test_an_include_that_matches_nothing_is_told() -> None:
    write(Path("s"), "b.srt", "c.de.srt")
    with pytest.raises(UsageError, match=r"--include \*\.txt, \*\.md matches no file in s"):
        found("s", include=("*.txt", "*.md"))
    assert paths("s", "s/b.srt", include=("*.txt",)) == ["s/b.srt"]
    assert found("s", include=("*.de.srt",)).left_out == ["s/c.de.srt"]
    assert paths("s", include=("*.txt", "*.srt")) == ["s/b.srt"]


def test_outputs_of_earlier_runs_and_hidden_files_are_no_inputs() -> None:
    write(Path("s"), "m.srt", "out/m.de.srt", "german/m.de.srt", "german/.subfit/manifest.sqlite")
    write(Path("s"), ".trash/m.srt", "._m.srt", "more/n.srt")
    assert paths("s", output="s/out") == ["s/m.srt", "s/more/n.srt"]


def test_translations_beside_their_source_are_left_out_and_told() -> None:
    names = ("m.srt", "m.de.srt", "n.en.srt", "n.pt-BR.sdh.srt", "o.eng.srt", "Kill.It.srt")
    write(Path("s"), *names)
    assert paths("s") == ["s/Kill.It.srt", "s/m.srt", "s/n.en.srt", "s/o.eng.srt"]
    assert found("s").left_out == ["s/m.de.srt", "s/n.pt-BR.sdh.srt"]
    assert paths("s/m.de.srt") == ["s/m.de.srt"]  # who names a file means it


def test_several_folders_keep_their_names_in_the_output() -> None:
    write(Path(), "s1/e.srt", "s2/e.srt")
    assert places("s1", "s2") == ["s1/e.srt", "s2/e.srt"]


def test_patterns_work_without_a_shell_and_keep_their_tree() -> None:
    write(Path("shows"), "s1/e.srt", "s2/e.srt", "s2/x/f.srt", "s2/e.de.srt")
    assert places("shows/*/e.srt") == ["s1/e.srt", "s2/e.srt"]
    assert places("shows/s?") == ["s1/e.srt", "s2/e.srt", "s2/x/f.srt"]
    with pytest.raises(UsageError, match="matches no file"):
        find_inputs(["shows/*.vtt"], FileChoice("en"))


@pytest.mark.parametrize("pattern", ["s/*.srt", "s/**", "[s]/*"])
def test_a_pattern_leaves_out_translations_as_a_folder_does(pattern: str) -> None:
    write(Path("s"), "m.srt", "m.de.srt")
    assert paths(pattern) == ["s/m.srt"]
    assert found(pattern).left_out == ["s/m.de.srt"]


def test_a_pattern_that_says_a_language_means_it() -> None:
    write(Path("s"), "m.srt", "m.de.srt", "m.fr.srt")
    assert paths("s/*.de.srt") == ["s/m.de.srt"]


def test_a_file_whose_name_looks_like_a_pattern_is_a_file() -> None:
    write(Path(), "[1] film.srt", "1 film.srt")
    assert paths("[1] film.srt") == ["[1] film.srt"]


def test_a_folder_that_cannot_be_read_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    write(Path("s"), "open/a.srt", "shut/b.srt")
    scan = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    result = found("s")
    assert [each.path for each in result.files] == ["s/open/a.srt"]
    [(place, failure)] = result.failures
    assert place == "s/shut"
    assert failure.message == "s/shut: cannot be searched (permission denied)"
