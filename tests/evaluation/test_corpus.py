"""What is read from corpus files."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import pytest

from subfit.errors import InputFileError
from subfit.evaluation.corpus import Pair, read_evaluation_set, read_pairs
from subfit.evaluation.outputs import Outputs, translate_pairs
from subfit.evaluation.rows import Row
from tests.evaluation.conftest import FEW
from tests.scripted import ScriptedTranslator

LINES = "games\tHello.\tHallo.\r\n\tSoft\u00adware\tSoft\u00a0 ware\nte\u0301a\tb\n"
PAIRS = [Pair("games", "Hello.", "Hallo."), Pair("", "Software", "Soft ware"), Pair("", "téa", "b")]


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.tsv", lambda data: data),
        ("a.tsv.xz", lzma.compress),
        ("a.tsv.gz", gzip.compress),
        ("bom.tsv", lambda data: b"\xef\xbb\xbf" + data),
    ],
)
def test_plain_and_packed_files_give_the_same_pairs(tmp_path, name, pack):
    path = tmp_path / name
    path.write_bytes(pack(LINES.encode()))
    assert list(read_pairs(path)) == PAIRS


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        (
            "a.tsv",
            b"a\tb\nonly one\n",
            r"a\.tsv:2: 1 column; expected source and target, or corpus, source and target, parted",
        ),
        ("a.tsv", b"a\tb\tc\td\n", r"a\.tsv:1: 4 columns"),
        ("a.tsv", b"a\t\xff\n", "is not UTF-8"),
        ("a.tsv.xz", b"not packed", "cannot be read"),
        ("a.tsv.gz", b"not packed", "cannot be read"),
        ("a.tsv.gz", gzip.compress(b"a\tb\n" * 999, mtime=0)[:-20], "cannot be read"),
        ("a.tsv.xz", lzma.compress(b"a\tb\n" * 999)[:-20], "cannot be read"),
        (None, b"", r"a\.tsv: cannot be read \(no such file"),
    ],
)
def test_broken_files_are_told_in_one_line(tmp_path, name, content, problem):
    path = tmp_path / (name or "a.tsv")
    if name:
        path.write_bytes(content)
    with pytest.raises(InputFileError, match=problem) as caught:
        list(read_pairs(path))
    assert "\n" not in str(caught.value)


def test_two_files_are_pairs_line_by_line(tmp_path):
    (tmp_path / "a.en").write_text("One.\n\nThree.\n", encoding="utf-8")
    (tmp_path / "a.de").write_text("Eins.\n\nDrei.\n", encoding="utf-8")
    both = Path(f"{tmp_path / 'a.en'}:{tmp_path / 'a.de'}")
    assert list(read_pairs(both)) == [Pair("", "One.", "Eins."), Pair("", "Three.", "Drei.")]
    (tmp_path / "a.de").write_text("Eins.\n", encoding="utf-8")
    with pytest.raises(InputFileError, match="1 lines for the 3 lines"):
        list(read_pairs(both))


def test_talks_of_must_c_are_corpora(tmp_path):
    folder = tmp_path / "en-de" / "data" / "tst" / "txt"
    folder.mkdir(parents=True)
    (folder / "tst.yaml").write_text(
        "- {duration: 1.5, offset: 0.1, speaker_id: spk.1, wav: ted_1.wav}\n"
        "- {duration: 2.5, offset: 2.1, speaker_id: spk.2, wav: ted_2.wav}\n"
    )
    (folder / "tst.en").write_text("One <eol> two. <eob>\nThree.\n", encoding="utf-8")
    (folder / "tst.de").write_text("Eins zwei. <eob>\nDrei.\n", encoding="utf-8")
    assert list(read_pairs(folder / "tst.yaml")) == [
        Pair("ted_1", "One <eol> two. <eob>", "Eins zwei. <eob>"),
        Pair("ted_2", "Three.", "Drei."),
    ]
    (folder / "tst.yaml").write_text("a: b\n")
    with pytest.raises(InputFileError, match="no list of segments"):
        list(read_pairs(folder / "tst.yaml"))


XML = """<?xml version="1.0"?><mteval><{0}set setid="x" srclang="en"><doc docid="7">
<title>T & T</title><seg id="1"> {1} </seg><seg id="2">{2}</seg></doc></{0}set></mteval>"""


def test_segments_of_iwslt_and_units_of_tmx(tmp_path):
    source = tmp_path / "IWSLT.tst.en-de.en.xml"
    source.write_text(XML.format("src", "One.", "Two."), encoding="utf-8")
    source.with_name("IWSLT.tst.en-de.de.xml").write_text(
        XML.format("ref", "Eins.", "Zwei."), encoding="utf-8"
    )
    assert list(read_pairs(source)) == [Pair("7", "One.", "Eins."), Pair("7", "Two.", "Zwei.")]
    tmx = tmp_path / "ted.en-de.tmx"
    tmx.write_text(
        '<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>One.</seg>'
        '</tuv><tuv xml:lang="de"><seg>Eins.</seg></tuv></tu></body></tmx>',
        encoding="utf-8",
    )
    assert list(read_pairs(tmx)) == [Pair("", "One.", "Eins.")]
    with pytest.raises(InputFileError, match="does not tell its languages"):
        list(read_pairs(tmx.rename(tmp_path / "ted.tmx")))


def test_lines_by_length_of_the_reference(test_file):
    chosen = read_evaluation_set(test_file, reference_characters=range(16, 24))
    expected = [n for n, pair in enumerate(FEW) if 16 <= len(pair.target) <= 23]
    assert list(chosen.numbers) == expected
    assert chosen.select(range(8), Path("f")) == tuple(expected)
    assert read_evaluation_set(test_file, 1, range(17, 24)).numbers == (expected[1],)


def outputs(script: dict[str, object], language: str = "en") -> tuple[Outputs, ScriptedTranslator]:
    """What becomes of the sources of a script, and the translator that was asked."""
    translator = ScriptedTranslator(script)  # type: ignore[arg-type]
    translator.source_language, translator.language = language, "fr"
    pairs = [Pair("toy", source, "…") for source in script]
    return translate_pairs(translator, pairs, Row("scripted")), translator


@pytest.mark.parametrize(
    ("language", "source", "read"),
    [
        ("en", "It costs €1,234.50.", "It costs 1,234.50 dollars."),
        ("und", "It costs €1,234.50.", "It costs 1,234.50 dollars."),
    ],
)
def test_sources_are_read_by_the_rules_of_their_own_language(language, source, read) -> None:
    made, translator = outputs({source: [], read: "Il coûte 1 234,50 dollars."}, language)
    assert translator.asked[0] == read
    assert made.texts[0] == "Il coûte 1 234,50 €."
