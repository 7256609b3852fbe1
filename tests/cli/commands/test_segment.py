"""``subfit segment``, and automatic captions wherever subtitles are read."""

import json
from pathlib import Path

import pytest

from subfit.subtitles.formats import read_track

LINES = [
    "The ferry leaves before noon,",
    "and nobody waits for it.",
    "I have seen the keeper",
    "climb the stairs to light the lamp.",
]
WORDS = " ".join(LINES).split()


def rolling() -> str:
    """YouTube's WebVTT: a line is spoken under the one before it, and then stands alone."""
    blocks, before = ["WEBVTT\nKind: captions"], " "
    for number, line in enumerate(LINES):
        begin, words = 3 * number, line.split()
        timed = "".join(
            f"<00:00:{begin + at * 2.9 / len(words):06.3f}><c> {word}</c>"
            for at, word in enumerate(words[1:], 1)
        )
        times = f"00:00:{begin:02}.000 --> 00:00:{begin + 2:02}.990"
        blocks.append(f"{times} align:start position:0%\n{before}\n{words[0]}{timed}")
        times = f"00:00:{begin + 2:02}.990 --> 00:00:{begin + 3:02}.000"
        blocks.append(f"{times} align:start position:0%\n{line}\n ")
        before = line
    return "\n\n".join(blocks) + "\n"


def whisper() -> str:
    """JSON of Whisper: two segments of two lines with their words."""
    segments = []
    for number in (0, 2):
        words = " ".join(LINES[number : number + 2]).split()
        start, each = 3.0 * number, 6.0 / len(words)
        spoken = [
            {"word": f" {word}", "start": start + at * each, "end": start + (at + 1) * each}
            for at, word in enumerate(words)
        ]
        text = " ".join(words)
        segments.append({"start": start, "end": start + 6, "text": text, "words": spoken})
    return json.dumps({"text": " ".join(LINES), "segments": segments, "language": "en"})


CAPTIONS = {"talk.en.vtt": rolling, "talk.en.json": whisper}


@pytest.fixture(params=CAPTIONS)
def talk(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / request.param).write_text(CAPTIONS[request.param]())
    return str(request.param)


def test_captions_become_cues_within_limits_that_say_every_word_once(talk, cli, tmp_path):
    outcome = cli("segment", talk, "-o", "out.en.srt")
    assert outcome.code == 0, outcome.err
    assert "automatic captions; read as" in outcome.out
    cues = read_track(tmp_path / "out.en.srt").cues
    assert " ".join(cue.text for cue in cues).split() == WORDS
    assert (cues[0].start, cues[0].text) == (0, LINES[0])
    assert any(cue.text.startswith("I have seen") for cue in cues)
    again = cli("segment", talk, "-o", "out.en.srt")
    assert (again.code, "exists already" in again.err) == (1, True)


def test_every_command_reads_captions_as_the_same_cues_and_tells_it(talk, cli, tmp_path):
    cli("segment", talk, "-o", "cues.en.srt")
    starts = [cue.start for cue in read_track(tmp_path / "cues.en.srt").cues]
    fitted = f"fit.en{'.vtt' if talk.endswith('vtt') else '.srt'}"
    for command in (("budget", talk), ("check", talk), ("fit", talk, "-t", "en", "-o", fitted)):
        told = cli(*command, "--json").json
        told = told["files"][0] if "files" in told else told
        assert [cue["start"] for cue in told["cues"]] == starts, command
        assert any("automatic captions" in each["problem"] for each in told["repairs"]), command
    made = read_track(tmp_path / fitted).cues
    assert [cue.start for cue in made] == starts


def test_a_translation_is_paired_with_the_cues_that_captions_became(talk, cli, tmp_path):
    cli("segment", talk, "-o", "talk.de.srt", "-t", "en")
    outcome = cli("check", "talk.de.srt", "--source", talk, "--json")
    assert {cue["source"]["text"] == cue["text"] for cue in outcome.json["cues"]} == {True}


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["lines.txt", "-o", "x.srt"], 2, "no times to make cues of"),
        (["scene.en.srt", "-o", "x.docx"], 2, ".docx"),
        (["broken.json", "-o", "x.srt"], 1, "broken.json"),
    ],
)
def test_what_cannot_be_segmented_is_one_line(arguments, code, told, cli, tmp_path) -> None:
    (tmp_path / "lines.txt").write_text("Where is it?\n")
    (tmp_path / "broken.json").write_text("{")
    outcome = cli("segment", *arguments)
    assert (outcome.code, told in outcome.err) == (code, True), outcome.err
    assert outcome.err.count("\n") == 1 and not (tmp_path / "x.srt").exists()
