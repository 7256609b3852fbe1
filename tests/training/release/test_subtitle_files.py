"""Subtitle files that a released model is measured on."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.errors import InputFileError
from subfit.training.release.model_under_test import ModelUnderTest
from subfit.training.release.subtitle_files import SHOWN, find_subtitles, subtitle_step
from tests.cli.conftest import SCENE
from tests.tiny import PAIRS


@pytest.fixture
def films(tmp_path: Path) -> Path:
    folder = tmp_path / "my films"
    folder.mkdir()
    for name in ("b.en.srt", "a.en.srt", "a.de.srt", "en.srt", "notes.en.txt", "a.en.srt.bak"):
        (folder / name).write_text(SCENE, encoding="utf-8")
    vtt = "WEBVTT\n\n00:01.000 --> 00:03.000\nThe door is open.\n"
    (folder / "c.en.vtt").write_text(vtt, encoding="utf-8")
    return folder


def test_timed_files_of_the_source_language_are_found_by_their_names(films):
    found = find_subtitles(films, "en", shown=False)
    assert {name: len(track.cues) for name, track in found.tracks.items()} == {
        "a.en.srt": 3,
        "b.en.srt": 3,
        "c.en.vtt": 1,
    }
    assert list(find_subtitles(films, "de", shown=False).tracks) == ["a.de.srt"]
    with pytest.raises(InputFileError, match=r"no subtitle files such as film\.it\.") as caught:
        find_subtitles(films, "it", shown=False)
    assert str(films) in str(caught.value)


def test_the_checksum_is_that_of_the_texts_not_of_the_place(films, tmp_path):
    before = find_subtitles(films, "en", shown=False).checksum
    (films / "notes.en.txt").write_text("other notes")
    moved = films.rename(tmp_path / "films")
    assert find_subtitles(moved, "en", shown=True).checksum == before
    (moved / "b.en.srt").write_text(SCENE.replace("old", "new"))
    assert find_subtitles(moved, "en", shown=False).checksum != before


def test_the_command_names_folder_pair_and_guideline(films, several_folder):
    tested = ModelUnderTest(several_folder)
    step = subtitle_step(tested, "it", find_subtitles(films, "en", shown=False))
    assert step.command == (
        "subfit translate 'my films'/*.en.* -t it --guideline netflix --model tiny"
    )
    assert step.size == 7


@pytest.mark.parametrize("shown", [False, True])
def test_cues_are_shown_only_where_they_may_be_none_twice_and_few(tmp_path, several_folder, shown):
    lines = [
        f"{n}\n00:00:{2 * n:02},000 --> 00:00:{2 * n + 1:02},000\n{pair.source}\n"
        for n, pair in enumerate(PAIRS[:20], 1)
    ]
    (tmp_path / "film.en.srt").write_text("\n".join(lines), encoding="utf-8")
    found = find_subtitles(tmp_path, "en", shown=shown)
    step = subtitle_step(ModelUnderTest(several_folder), "de", found)
    told: list[tuple[int, int]] = []
    figures = step.run(lambda *done: told.append(done))
    assert (figures["files"], figures["cues"], figures["same_times"]) == (1, 20, 20)
    assert told == [(20, 20)]
    assert ("shown" in figures) is shown
    if shown:
        kinds = figures["shown"]
        assert set(kinds) == {"shortened", "unsure", "sure"}
        assert all(len(cues) <= SHOWN for cues in kinds.values())
        sources = [cue["source"] for cues in kinds.values() for cue in cues]
        assert len(set(sources)) == len(sources) > SHOWN
        shares = [cue["characters"] / cue["natural_characters"] for cue in kinds["shortened"]]
        assert shares == sorted(shares) and all(share < 1 for share in shares)
        unsure, sure = ([cue["score"] for cue in kinds[name]] for name in ("unsure", "sure"))
        assert unsure == sorted(unsure) and sure == sorted(sure, reverse=True)
