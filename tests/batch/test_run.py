"""Runs over folders: planned first, resumed, never over what is not ours."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from subfit.batch import run
from subfit.batch.items import Item, Source
from subfit.batch.manifest import locked
from subfit.batch.run import grouped

from .conftest import SEASON, Cli, film, tree, write


def states(report: Path) -> dict[str, str]:
    files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {Path(each["input"]).name: each["state"] for each in files}


def test_a_tree_becomes_a_tree_in_every_language(translate, season, tiny_marian_folder):
    outcome = translate("season", "-t", "it, fr", "-o", "out", model=tiny_marian_folder)
    assert outcome.code in (0, 3), outcome.err
    names = [f"{name[:-4]}.{tag}.srt" for name in SEASON for tag in ("de", "fr", "it")]
    assert list(tree(Path("out"))) == sorted(names)


def test_a_folder_with_nothing_to_translate_is_no_error(translate: Cli, season: Path) -> None:
    write(Path("done"), "film.de.srt")
    outcome = translate("done", "-t", "de", "-o", "out")
    assert outcome.code == 0 and "nothing to do" in outcome.err + outcome.out


def test_a_name_that_would_be_too_long_stops_no_other_file(translate: Cli, season: Path) -> None:
    write(season, f"{'x' * 249}.srt")
    outcome = translate("season", "-t", "de", "-o", "out")
    assert outcome.code == 1 and "too long" in outcome.err
    assert Path("out/specials/1.de.srt").is_file()


def test_files_are_what_they_are_alone_whatever_they_are_grouped_with(
    translate: Cli, season: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(season, "3.srt")
    for name, cues in (("one", 1), ("some", 7), ("all", 1000)):
        monkeypatch.setattr(run, "GROUP_CUES", cues)
        assert translate("season", "-o", name, "-q").code in (0, 3)
    translate("season/specials/1.srt", "-o", "alone.srt")
    assert tree(Path("one")) == tree(Path("some")) == tree(Path("all"))
    assert Path("alone.srt").read_bytes() == tree(Path("all"))["specials/1.de.srt"]


def test_what_is_done_is_not_done_again(translate: Cli, season: Path) -> None:
    first = translate("season", "-o", "out", "--report", "first.json")
    times = {path: path.stat().st_mtime_ns for path in Path("out").rglob("*.srt")}
    again = translate("season", "-o", "out", "--report", "again.json")
    assert first.code == again.code
    assert set(states(Path("first.json")).values()) == {"done"}
    assert set(states(Path("again.json")).values()) == {"earlier"}
    assert {path: path.stat().st_mtime_ns for path in Path("out").rglob("*.srt")} == times
    one, other = (json.loads(Path(f"{name}.json").read_text()) for name in ("first", "again"))
    for document in (one, other):
        document["totals"].pop("files")
    assert one["totals"] == other["totals"]
    assert "3 translated earlier" in again.out


@pytest.mark.parametrize(
    ("change", "done"),
    [
        ("input", {"1.srt"}),
        ("lost", {"2.srt"}),
        ("settings", {"1.srt", "2.srt", "3.srt"}),
        ("model", {"1.srt", "2.srt", "3.srt"}),
    ],
)
def test_what_has_changed_is_done_again_and_ours_is_replaced(
    change: str, done: set[str], translate: Cli, tmp_path: Path, tiny_model_folder: Path
) -> None:
    season = tmp_path / "season"
    write(season, "1.srt", "2.srt", "3.srt")
    model = tmp_path / "model"
    model.mkdir()
    for file in tiny_model_folder.iterdir():
        (model / file.name).write_bytes(file.read_bytes())
    translate("season", "-o", "out", model=model)
    options: tuple[str, ...] = ()
    match change:
        case "input":
            (season / "1.srt").write_text(film(9), encoding="utf-8")
        case "lost":
            (tmp_path / "out" / "2.de.srt").unlink()
        case "settings":
            options = ("--cpl", "20")
        case "model":
            config = json.loads((model / "config.json").read_text())
            (model / "config.json").write_text(json.dumps(config | {"note": "retrained"}))
    outcome = translate("season", "-o", "out", "--report", "r.json", *options, model=model)
    assert outcome.code in (0, 3), outcome.err
    found = states(Path("r.json"))
    assert {name for name, state in found.items() if state == "done"} == done
    translate("season", "-o", "fresh", *options, model=model)
    assert tree(Path("out")) == tree(Path("fresh"))


def test_what_the_user_edited_or_another_wrote_is_kept(translate: Cli, season: Path) -> None:
    translate("season", "-o", "out")
    Path("out/1.de.srt").write_text("edited")
    outcome = translate("season", "-o", "out", "-q")
    assert (outcome.code, outcome.err) == (0, "")
    (season / "1.srt").write_text(film(9), encoding="utf-8")
    write(season, "4.srt", "5.srt")
    Path("out/4.de.srt").write_text("of another")
    outcome = translate("season", "-o", "out", "--report", "r.json")
    assert outcome.code == 1
    edited, other = outcome.err.splitlines()
    assert "out/1.de.srt: it has been edited, and its input" in edited
    assert "out/4.de.srt: the file exists already; pass --overwrite" in other
    assert Path("out/1.de.srt").read_text() == "edited"
    assert Path("out/4.de.srt").read_text() == "of another"
    assert [*states(Path("r.json")).values()].count("done") == 1
    assert translate("season", "-o", "out", "--overwrite").code == 0
    assert "-->" in Path("out/1.de.srt").read_text(encoding="utf-8")
    assert "-->" in Path("out/4.de.srt").read_text(encoding="utf-8")


def test_a_file_that_fails_is_told_and_the_rest_is_done(translate: Cli, season: Path) -> None:
    (season / "0.srt").write_bytes(b"nothing\n")
    outcome = translate("season", "-o", "out", "--report", "r.json")
    assert outcome.code == 1 and outcome.err.count("\n") == 1
    assert "season/0.srt:1: no cue found" in outcome.err
    assert len(tree(Path("out"))) == 3
    (season / "0.srt").write_text(film(0), encoding="utf-8")
    assert translate("season", "-o", "out").code == 0
    assert len(tree(Path("out"))) == 4


def test_fail_fast_stops_and_the_next_run_goes_on(translate, season, monkeypatch):
    monkeypatch.setattr(run, "GROUP_CUES", 1)
    (season / "15.srt").write_bytes(b"nothing\n")
    outcome = translate("season", "-o", "out", "--fail-fast", "--report", "r.json")
    assert outcome.code == 1
    files = json.loads(Path("r.json").read_text())["files"]
    assert [each["state"] for each in files] == ["done", "failed", "stopped", "stopped"]
    (season / "15.srt").unlink()
    assert translate("season", "-o", "out", "--fail-fast").code == 0
    assert len(tree(Path("out"))) == 3


def test_the_second_run_on_a_folder_is_refused(translate: Cli, season: Path) -> None:
    (Path("out/.subfit")).mkdir(parents=True)
    with locked(Path("out/.subfit/lock")):
        outcome = translate("season", "-o", "out")
    assert outcome.code == 1 and outcome.err.count("\n") == 1
    assert "out: another run of subfit (process " in outcome.err
    assert tree(Path("out")) == {}


def test_mistakes_are_told_before_a_model_is_loaded(translate, season, tmp_path):
    broken = tmp_path / "model"
    broken.mkdir()
    (broken / "config.json").write_text("{}")
    write(season, "1.en.srt", "2.en.srt")
    for arguments, told in (
        (
            ("season", "-o", "out"),
            "season/1.en.srt and season/1.srt would both go to out/1.de.srt; season/2.en",
        ),
        (("season",), "season is a folder; name one for what is made of it with -o"),
        (("season", "-o", "film.srt"), "--output film.srt: several files go into a folder"),
        (("none/*.srt", "-o", "out"), "none/*.srt matches no file"),
        (
            ("season", "-o", "out", "--include", "*.txt"),
            "--include *.txt matches no file in season",
        ),
        (("season/specials", "-o", "out", "--guideline", "nefltix"), "did you mean netflix?"),
    ):
        outcome = translate(*arguments, model=broken)
        assert outcome.code in (1, 2) and outcome.err.count("\n") == 1
        assert told in outcome.err
    outcome = translate("season/specials", "-t", "it", "-o", "out")
    assert outcome.code == 2 and "tiny translates into de, not it" in outcome.err
    assert not tree(tmp_path / "out")


def test_a_full_disk_is_one_line_for_each_file(translate, season, monkeypatch):
    import os

    sync = os.fsync
    left = [1]

    def full(descriptor: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    outcome = translate("season", "-o", "out")
    assert outcome.code == 1
    assert (
        outcome.err == "subfit: error: out/1.de.srt: cannot be written (no space left on device)\n"
    )
    assert list(tree(Path("out"))) == ["2.de.srt", "specials/1.de.srt"]
    assert translate("season", "-o", "out").code == 0


def test_a_damaged_manifest_is_one_line_and_nothing_is_touched(translate, season):
    translate("season", "-o", "out")
    before = tree(Path("out"))
    Path("out/.subfit/manifest.sqlite").write_bytes(b"damaged" * 100)
    outcome = translate("season", "-o", "out")
    assert outcome.code == 1 and outcome.err.count("\n") == 1
    assert "is damaged" in outcome.err and "move it away" in outcome.err
    assert tree(Path("out")) == before


def test_a_dry_run_tells_what_is_left_and_writes_nothing(translate, season):
    outcome = translate("season", "-o", "out", "--dry-run")
    assert outcome.code == 0 and outcome.out.count(" -> ") == 3
    assert not Path("out").exists()
    translate("season/specials", "-o", "out")
    outcome = translate("season/specials", "-o", "out", "--dry-run")
    assert outcome.code == 0 and " -> " not in outcome.out


def test_the_same_command_again_replaces_its_own_report_and_no_other(translate, season):
    for _ in range(2):
        assert translate("season", "-o", "out", "--report", "night.csv").code == 0
    Path("night.csv").write_text("mine")
    outcome = translate("season", "-o", "out", "--report", "night.csv")
    assert outcome.code == 1 and "night.csv: the file exists already" in outcome.err
    assert Path("night.csv").read_text() == "mine"


def test_names_that_are_no_text_are_translated_and_known(translate, tmp_path):
    season = tmp_path / "season"
    season.mkdir()
    (season / "caf\udce9.srt").write_text(film(1), encoding="utf-8")
    for told in ("1 translated", "1 translated earlier"):
        outcome = translate("season", "-o", "out")
        assert outcome.code == 0, outcome.err
        assert f"1 translation: {told}" in outcome.out


def test_what_was_mended_or_guessed_in_each_file_is_told_once(translate, season):
    guessed = film(1).replace("\n\n", " Señor, é così.\n\n", 1).encode("cp1252")
    Path("season/2.srt").write_bytes(guessed)
    damaged = "".join(f"\n{n}\n??:00 --> ??:01\nLost.\n" for n in range(10, 15))
    with Path("season/specials/1.srt").open("a") as file:
        file.write(damaged)
    outcome = translate("season", "-o", "out", to="de,de-AT")
    assert outcome.code == 3
    lines = outcome.out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("season/2.srt -> "))
    assert lines[at + 1] == "  line 3: not UTF-8; read as CP1252, pass --encoding if it is another"
    assert outcome.out.count("not UTF-8") == 1
    at = next(n for n, line in enumerate(lines) if line.startswith("season/specials/1.srt -> "))
    assert all(line.startswith("  line ") for line in lines[at + 1 : at + 4])
    assert lines[at + 4] == "  and 2 more; --json or --report FILE.json lists them all"
    assert translate("season", "-o", "quiet", "-q").out == ""


def test_every_film_has_a_list_of_shot_changes(translate: Cli, season: Path) -> None:
    shots = Path("shots")
    lists = ("1.shots.txt", "2.shots.txt", "specials/1.shots.txt")
    for name in lists:
        (shots / name).parent.mkdir(parents=True, exist_ok=True)
        (shots / name).write_text("# none\n")
    options = ("-o", "out", "--timing", "extend", "--shot-changes", shots)
    assert translate("season", *options).code in (0, 3)
    (shots / "2.shots.txt").write_text("2.6\n")
    translate("season", *options, "--report", "r.json")
    assert {name for name, state in states(Path("r.json")).items() if state == "done"} == {"2.srt"}
    translate("season", "-o", "out", "--report", "r.json")
    assert set(states(Path("r.json")).values()) == {"done"}


def sources(*cues: int, language: str = "de") -> list[Source]:
    return [
        Source(n, Item(f"{n}.srt", f"{n}.{language}.srt", language), b"", count)
        for n, count in enumerate(cues)
    ]


def test_a_long_file_is_a_group_by_itself() -> None:
    found = grouped(sources(100, 5000, 100, 50), 1000)
    assert [[source.cues for source in group] for group in found] == [
        [100],
        [5000],
        [100, 50],
    ]
