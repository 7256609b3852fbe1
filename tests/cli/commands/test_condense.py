"""The golden film is written for these tests."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli

FILM = """\
1
00:00:01,000 --> 00:00:03,000
<i>Where   is everybody?</i>

2
00:00:03,200 --> 00:00:04,800
Well, I think that we are
going to miss the ferry.

3
00:00:05,500 --> 00:00:07,000
♪ la la la la la la la la la la la la la la ♪

4
00:00:07,500 --> 00:00:09,700
- It is not my fault, Captain.
- <i>However,</i> you are late.

5
00:00:10,000 --> 00:00:11,500
Bergen is 40 miles from here, not four.

6
00:00:12,000 --> 00:00:13,000
[BELL RINGS]
"""
SHORTENED = FILM.replace(
    "Well, I think that we are\ngoing to miss the ferry.", "I think we'll miss the ferry."
).replace(
    "- It is not my fault, Captain.\n- <i>However,</i> you",
    "- It is not my fault.\n- <i>But</i> you",
)
BUDGET = ("--cps", "20")


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.en.srt"
    path.write_bytes(FILM.encode())
    return path


def test_only_what_is_over_changes(film: Path, cli: Cli) -> None:
    done = cli("condense", film, *BUDGET)
    assert done.code == 3  # cue 5 would lose a number or a denial
    assert film.read_bytes() == FILM.encode()
    assert (film.parent / "film.condensed.en.srt").read_text() == SHORTENED
    assert "2 shortened" in done.out and "left out: Well" in done.out
    assert "Bergen is 40 miles from here, not four." in done.out.split("Still over:")[1]


def test_the_report_has_every_text_before_and_after(film: Path, cli: Cli) -> None:
    document = cli("condense", film, *BUDGET, "--json").json
    (file,) = document["files"]
    assert document["exit_code"] == 3
    assert file["settings"]["model"] == "rules" and file["settings"]["shortens"]
    second, fifth = file["cues"][1], file["cues"][4]
    assert second["source"].startswith("Well, I think that we are")
    assert second["target"] == "I think we'll miss the ferry."
    assert second["omitted"] == ["Well"] and second["status"] == "fits"
    assert fifth["status"] == "overflow" and fifth["withheld"]
    assert file["totals"]["overflow"]["before"]["over"] == 3


def test_a_strict_budget_leaves_nothing_over(film: Path, cli: Cli) -> None:
    done = cli("condense", film, *BUDGET, "--strict-budget", "--json")
    (file,) = done.json["files"]
    assert done.code == 0 and file["totals"]["overflow"]["after"]["over"] == 0
    assert file["cues"][4]["losses"]


def test_names_to_keep_are_kept(film: Path, cli: Cli) -> None:
    cli("condense", film, *BUDGET, "--keep", "Captain", "-o", "kept.srt")
    assert "Captain" in (film.parent / "kept.srt").read_text()


@pytest.mark.parametrize("suffix", [".html", ".json", ".csv", ".xlsx"])
def test_every_kind_of_report_is_written(film: Path, cli: Cli, suffix: str) -> None:
    assert cli("condense", film, *BUDGET, "--report", f"report{suffix}").code == 3
    assert (film.parent / f"report{suffix}").stat().st_size > 500


def test_encoding_line_ends_and_byte_order_mark_stay(film: Path, cli: Cli) -> None:
    film.write_bytes(FILM.replace("\n", "\r\n").encode("utf-16"))
    assert cli("condense", film, *BUDGET, "-o", "out.srt").code == 3
    written = (film.parent / "out.srt").read_bytes()
    assert written.decode("utf-16") == SHORTENED.replace("\n", "\r\n")


def test_standard_input_goes_to_standard_output(cli: Cli) -> None:
    done = cli("condense", "-", *BUDGET, stdin=FILM.encode())
    assert done.code == 3 and done.out == SHORTENED


def test_lines_of_text_keep_a_share_of_their_length(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "lines.txt").write_text("Well, we are going to miss it.\nIt is.\n")
    assert cli("condense", "lines.txt", "--length-ratio", ":0.6", "-o", "-").code == 3
    assert cli("condense", "lines.txt", "--length-ratio", ":0.6", "-o", "-").out == (
        "We'll miss it.\nIt is.\n"
    )


def test_labels_are_removed_where_that_is_asked(film: Path, cli: Cli) -> None:
    cli("condense", film, *BUDGET, "--sdh", "remove", "-o", "out.srt")
    assert "BELL" not in (film.parent / "out.srt").read_text()


def test_cues_may_end_later_before_words_are_changed(film: Path, cli: Cli) -> None:
    options = ("--timing", "extend", "--out-slack", "1", "-o", "out.srt")
    cli("condense", film, *BUDGET, *options)
    text = (film.parent / "out.srt").read_text()
    assert "Bergen is 40 miles from here, not four." in text
    assert "00:00:10,000 --> 00:00:11,500" not in text


def test_folders_are_mirrored_resumed_and_one_bad_file_stops_nothing(film: Path, cli: Cli) -> None:
    folder = film.parent / "season"
    folder.mkdir()
    film.rename(folder / "one.en.srt")
    (folder / "two.en.srt").write_text("no cue here")
    (folder / "one.de.srt").write_text(FILM)
    done = cli("condense", "season", *BUDGET, "-o", "out/")
    assert done.code == 1 and "two.en.srt" in done.err
    assert (film.parent / "out" / "one.en.srt").read_text() == SHORTENED
    assert not (film.parent / "out" / "one.de.srt").exists()
    again = cli("condense", "season", *BUDGET, "-o", "out/")
    assert "shortened earlier" in again.out


def test_nothing_is_replaced_unasked(film: Path, cli: Cli) -> None:
    (film.parent / "film.condensed.en.srt").write_text("mine")
    done = cli("condense", film)
    assert done.code == 1 and "exists" in done.err
    assert (film.parent / "film.condensed.en.srt").read_text() == "mine"
    done = cli("condense", film, "-o", film)
    assert done.code == 2 and film.read_text() == FILM
    assert cli("condense", film, *BUDGET, "-o", film, "--overwrite").code == 3
    assert film.read_text() == SHORTENED


def test_a_dry_run_writes_nothing(film: Path, cli: Cli) -> None:
    before = {each.name for each in film.parent.iterdir()}
    assert cli("condense", film, "--dry-run").code == 0
    assert {each.name for each in film.parent.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("film.de.srt",), "no rules for shortening de"),
        (("film.en.srt", "--no-rules"), "--model"),
        (("film.en.srt", "--model", "nowhere"), "nowhere: no model here"),
        (("film.en.srt", "--guideline", "nowhere"), "nowhere"),
        (("film.en.srt", "film.de.srt", "-o", "out/"), "several languages (de, en); pass -t"),
        (("film.en.srt", "--length-ratio", "x"), "needs a colon"),
        (("film.en.srt", "--json", "-o", "-"), "stdout"),
        (("film.en.srt", "--cue-reports", "reports"), "--cue-reports"),
    ],
)
def test_wrong_use_is_told_in_a_line(
    film: Path, cli: Cli, arguments: tuple[str, ...], told: str
) -> None:
    (film.parent / "film.de.srt").write_text(FILM)
    done = cli("condense", *arguments)
    assert done.code in (1, 2) and told in done.err + done.out
    assert "Traceback" not in done.err


def test_scripts_are_refused(film: Path, cli: Cli) -> None:
    (film.parent / "script.csv").write_text("start,end,source\n00:00:01,00:00:03,Come here.\n")
    done = cli("condense", "script.csv")
    assert done.code == 2 and "dubbing script" in done.err
    done = cli("condense", "missing.en.srt")
    assert done.code == 1 and "missing.en.srt" in done.err
