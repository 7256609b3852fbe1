"""Any file at all through ``budget`` and ``translate``: a result, or one clear line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from tests.fuzz_translate import TINY, cases, check_file, model_loaded_once, odd_files

REFUSED = {"empty.srt", "empty.txt", "garbage.srt", "zeros.srt"}
"""The odd files that are no subtitles; every other one is translated."""


@pytest.fixture(scope="module", autouse=True)
def _one_model() -> Iterator[None]:
    with model_loaded_once():
        yield


@pytest.mark.parametrize("name", odd_files())
def test_odd_files_are_translated_or_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(odd_files()[name])
    assert check_file(path) == ("refused" if name in REFUSED else "done")


def check_damaged(count: int, seed: int, folder: Path) -> None:
    """Check many damaged files; most of them are still worth translating."""
    done = 0
    for number, name, data, options in islice(cases(seed), count):
        path = folder / name
        path.write_bytes(data)
        try:
            done += check_file(path, TINY, *options) == "done"
        except Exception as error:
            error.add_note(
                f"see it again: python -m tests.fuzz_translate --count 1 --seed {number}"
            )
            raise
    assert done > count / 3


def test_damaged_files_are_translated_or_refused(tmp_path: Path) -> None:
    check_damaged(12, 0, tmp_path)


@pytest.mark.slow
def test_many_damaged_files_are_translated_or_refused(tmp_path: Path) -> None:
    check_damaged(3000, 1000, tmp_path)


# A number of 130 digits behind a dollar sign.
@pytest.mark.parametrize("seed", [250887830])
def test_what_failed_once_is_translated(seed: int, tmp_path: Path) -> None:
    check_damaged(1, seed, tmp_path)


# Bytes of the tokenizer, sizes of the decoder, endless texts: each was once an internal error.
@pytest.mark.parametrize("seed", [5, 1044, 1128, 10007, 30222])
def test_a_damaged_model_translates_or_is_refused(seed: int, tmp_path: Path) -> None:
    from tests.fuzz_models import cases as damaged_models
    from tests.fuzz_models import check_folder

    _, folder = next(damaged_models(seed, tmp_path))
    assert check_folder(folder) in ("translated", "refused")


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_fixtures_of_other_programs_are_translated_or_refused(step, shared, tmp_path):
    files = sorted((shared / "subtitles" / "fixtures").glob("*.[sv][rt]t"))
    if not files:
        pytest.skip("needs the fixtures of other programs, which are not part of the project")
    # The one is a word, the other a number and a word.
    refused = {"webvttpy_invalid_format2.srt", "webvttpy_invalid_format3.srt"}
    results = {}
    for file in {*files[::step], *(each for each in files if each.name in refused)}:
        path = tmp_path / file.name
        path.write_bytes(file.read_bytes())
        results[file.name] = check_file(path, TINY, "--beam", "1")
    assert {name for name, result in results.items() if result == "refused"} == refused


def test_a_lost_cue_would_be_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from subfit.batch import setup as prepare

    render = prepare.render_track

    def losing(*arguments: object, **options: object) -> bytes:
        return render(*arguments, **options).replace(b"00:00:04,000 --> 00:00:06,000\n", b"")

    monkeypatch.setattr(prepare, "render_track", losing)
    path = tmp_path / "two.srt"
    path.write_bytes(
        b"1\n00:00:01,000 --> 00:00:03,000\nHow are you?\n\n"
        b"2\n00:00:04,000 --> 00:00:06,000\nWho is there?\n"
    )
    with pytest.raises(AssertionError, match="other cues"):
        check_file(path)
