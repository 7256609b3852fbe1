"""Files that memories are made of, and are written as."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from subfit.errors import InputFileError, UsageError
from subfit.memory.files import LONGEST, read_entries, write_entries
from subfit.memory.store import Entry, Languages, create

GERMAN = Languages("en", "de")
TMX = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en-US"/><body>
<tu><tuv xml:lang="en-US"><seg>Mind the <bpt i="1">&lt;b&gt;</bpt>step<ept i="1">&lt;/b&gt;</ept>.
</seg></tuv><tuv xml:lang="de-DE"><seg>Vorsicht, <hi>Stufe</hi>!</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Bread</seg></tuv><tuv xml:lang="fr"><seg>Pain</seg></tuv></tu>
<tu><tuv xml:lang="DE"><seg>Brot</seg></tuv><tuv xml:lang="EN"><seg>Bread</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Salt &amp; oil</seg></tuv><tuv xml:lang="de"><seg/></tuv></tu>
</body></tmx>"""
XLIFF = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file source-language="en" target-language="de" original="a" datatype="plaintext"><body>
<trans-unit id="1"><source>Open <g id="1">the</g> gate<x id="2"/>.</source>
<target>Mach das Tor auf.</target></trans-unit>
<trans-unit id="2"><source>Not yet.</source></trans-unit></body></file></xliff>"""
XLIFF2 = """<xliff version="2.0" srcLang="en" trgLang="de"
xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f"><unit id="u"><segment>
<source>Wait.</source><target>Warte.</target></segment></unit></file></xliff>"""


def entries(folder: Path, name: str, text: str) -> list[tuple[str, str]]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return [(entry.source, entry.target) for entry in read_entries(str(path), GERMAN)]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.tmx", TMX, [("Mind the step.", "Vorsicht, Stufe!"), ("Bread", "Brot")]),
        ("a.xlf", XLIFF, [("Open the gate.", "Mach das Tor auf.")]),
        ("a.xlf", XLIFF.replace('"de"', '"fr"'), []),
        (
            "a.xlf",
            XLIFF.replace('"en" target-language="de"', '"de" target-language="en"'),
            [("Mach das Tor auf.", "Open the gate.")],
        ),
        ("a.xliff", XLIFF2, [("Wait.", "Warte.")]),
        ("a.tsv", "one\teins\n\ntwo\tzwei\tnote\n", [("one", "eins"), ("two", "zwei")]),
        ("a.tsv", "x" * (LONGEST + 1) + "\ty\n", []),
        ("a.tsv", "x" * 200_000 + "\ty\nOne.\tEins.\n", [("One.", "Eins.")]),
    ],
)
def test_files_are_read(tmp_path, name, text, expected):
    assert entries(tmp_path, name, text) == expected


def test_a_memory_is_read_if_it_is_of_the_same_languages(tmp_path: Path) -> None:
    create(tmp_path / "a.memory", [Entry("one", "eins")], GERMAN)
    assert len(list(read_entries(str(tmp_path / "a.memory"), Languages("en-GB", "de-AT")))) == 1
    with pytest.raises(UsageError, match="en to de, not en to fr"):
        list(read_entries(str(tmp_path / "a.memory"), Languages("en", "fr")))


BOMB = """<?xml version="1.0"?><!DOCTYPE tmx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;">]><tmx version="1.4"><body><tu><tuv xml:lang="en"><seg>x &c;</seg></tuv>
<tuv xml:lang="de"><seg>y</seg></tuv></tu></body></tmx>"""
BOMBED_TAG = (
    BOMB.replace('"y"', "y")
    .replace('xml:lang="en"', 'xml:lang="&c;"')
    .replace('"aaaaaaaaaa"', '"' + 30_000 * "a" + '"')
    .replace("&a;", 40 * "&a;")
)
NESTED = TMX.replace("<hi>Stufe</hi>", 400 * "<hi>" + "Stufe" + 400 * "</hi>")
OUTSIDE = BOMB.replace('"aaaaaaaaaa"', 'SYSTEM "http://127.0.0.1:9/a"').replace("x &c;", "x &a;")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.tmx", BOMB, "entity of its own"),
        ("a.tmx", OUTSIDE, "entity of its own"),
        ("a.tmx", BOMBED_TAG, "damaged XML"),
        ("a.tmx", NESTED, "damaged XML"),
        ("a.tmx", TMX.replace("Vorsicht", 11_000_000 * "x"), "damaged XML"),
        ("a.tmx", TMX[:300], "damaged XML"),
        ("a.tmx", "", "damaged XML"),
        ("a.tsv", "only one\n", "one column"),
    ],
)
def test_damaged_and_hostile_files_are_one_clear_line(tmp_path, name, text, problem):
    with pytest.raises(InputFileError, match=problem) as caught:
        entries(tmp_path, name, text)
    assert "\n" not in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)


def test_no_break_spaces_stay_where_they_are(tmp_path: Path) -> None:
    assert entries(tmp_path, "a.tsv", "Who?\tQui\u00a0 ?\n") == [("Who?", "Qui\u00a0 ?")]


@pytest.mark.parametrize("name", ["a.docx", "nothing", "a.srt:b.srt"])
def test_unknown_files_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="use one of"):
        list(read_entries(str(tmp_path / name), GERMAN))


ENTRIES = (Entry("Go\ton.", "Weiter."), Entry("Stop.", "Halt."))


def test_a_table_has_an_entry_a_line(tmp_path: Path) -> None:
    path = tmp_path / "memory.tsv"
    count = write_entries(path, iter(ENTRIES), GERMAN, overwrite=False)
    assert count == 2
    assert path.read_text(encoding="utf-8") == "Go on.\tWeiter.\nStop.\tHalt.\n"


def test_tmx_has_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "memory.tmx"
    assert write_entries(path, iter(ENTRIES), GERMAN, overwrite=False) == 2
    text = path.read_text(encoding="utf-8")
    assert text.count("<tu>") == 2 and 'srclang="en"' in text and "Halt." in text


def test_another_suffix_is_no_memory() -> None:
    with pytest.raises(UsageError, match=r"written as \.tmx or \.tsv"):
        write_entries(Path("memory.docx"), iter(ENTRIES), GERMAN, overwrite=False)


def test_what_is_written_as_tmx_is_read_again(tmp_path: Path) -> None:
    given = [Entry('"A" & <b>', "„A“ & <b>"), Entry("bell\a", "Glocke")]
    assert write_entries(tmp_path / "out.tmx", iter(given), GERMAN, overwrite=False) == 2
    back = list(read_entries(str(tmp_path / "out.tmx"), GERMAN))
    assert [(entry.source, entry.target) for entry in back] == [
        ('"A" & <b>', "„A“ & <b>"),
        ("bell", "Glocke"),
    ]


def test_a_definition_outside_the_file_is_not_fetched(tmp_path, monkeypatch):
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("a connection was opened"))
    text = TMX.replace('SYSTEM "tmx14.dtd"', '[<!ENTITY % d SYSTEM "http://127.0.0.1:9/d">%d;]')
    assert len(entries(tmp_path, "a.tmx", text)) == 2


ENGLISH = """1
00:00:01,000 --> 00:00:02,000
- Who is it?
- <i>The postman.</i>

2
00:00:03,000 --> 00:00:04,000
He waited,

3
00:00:04,100 --> 00:00:05,000
but nobody came.
"""
GERMAN_SRT = """1
00:00:01,000 --> 00:00:02,000
- Wer ist da?
- Der Postbote.

2
00:00:03,000 --> 00:00:04,000
Er wartete,

3
00:00:04,100 --> 00:00:05,000
aber niemand kam.
"""


def test_a_pair_of_subtitle_files_gives_sentences_and_turns(tmp_path: Path) -> None:
    (tmp_path / "film.de.srt").write_text(GERMAN_SRT, encoding="utf-8")
    (tmp_path / "film.en.srt").write_text(ENGLISH, encoding="utf-8")
    pair = f"{tmp_path / 'film.en.srt'}:{tmp_path / 'film.de.srt'}"
    assert [(entry.source, entry.target) for entry in read_entries(pair, GERMAN)] == [
        ("Who is it?", "Wer ist da?"),
        ("The postman.", "Der Postbote."),
        ("He waited, but nobody came.", "Er wartete, aber niemand kam."),
    ]


def test_half_a_pair_says_which_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "film.en.srt").write_text(ENGLISH, encoding="utf-8")
    with pytest.raises(InputFileError, match=r"film\.de\.srt: there is no such file"):
        list(read_entries(f"{tmp_path / 'film.en.srt'}:{tmp_path / 'film.de.srt'}", GERMAN))


def read(folder: Path, document: Any) -> list[tuple[str, str]]:
    path = folder / "film.de.srt.edits.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return [(entry.source, entry.target) for entry in read_entries(str(path), GERMAN)]


def edits(*sentences: list[tuple[str, str]]) -> dict[str, Any]:
    """A document as the page hands it out."""
    cues = [
        {"cues": [{"number": 1, "source": ours, "target": theirs} for ours, theirs in sentence]}
        for sentence in sentences
    ]
    languages = {"source": "en", "target": "de"}
    return {"output": "out/film.de.srt", "languages": languages, "edits": [], "sentences": cues}


def test_a_sentence_over_several_cues_is_whole_and_without_its_dots(tmp_path: Path) -> None:
    document = edits(
        [("She opened the box...", "Sie öffnete\ndie Kiste …"), ("and laughed.", "… und lachte.")]
    )
    assert read(tmp_path, document) == [
        ("She opened the box and laughed.", "Sie öffnete die Kiste und lachte.")
    ]


def test_every_speaker_of_a_cue_has_an_entry(tmp_path: Path) -> None:
    two = ("- Is it late?\n- No.", "- Ist es spät?\n- Nein.")
    uneven = ("- Is it late?\n- No.", "Es ist nicht spät.")
    assert read(tmp_path, edits([two], [uneven])) == [
        ("Is it late?", "Ist es spät?"),
        ("No.", "Nein."),
    ]


def test_what_is_not_said_is_left_out(tmp_path: Path) -> None:
    document = edits([("[sighs] Not again.", "[seufzt] Nicht schon wieder.")])
    assert read(tmp_path, document) == [("Not again.", "Nicht schon wieder.")]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ([], "no edits"),
        ({"files": []}, "no edits"),
        ({"edits": [], "sentences": [{"cues": [{"number": 1}]}]}, "no edits"),
        ({"edits": [], "sentences": 3}, "no edits"),
        ({"edits": []}, "no edits of a report"),
    ],
)
def test_other_documents_are_one_clear_line(tmp_path: Path, document: Any, problem: str) -> None:
    with pytest.raises(InputFileError, match=problem):
        read(tmp_path, document)


def test_edits_of_other_languages_are_refused(tmp_path: Path) -> None:
    document = edits([("Yes.", "Oui.")]) | {"languages": {"source": "en", "target": "fr"}}
    with pytest.raises(UsageError, match="en to fr, not of en to de"):
        read(tmp_path, document)
