"""Memories as files: TMX, XLIFF, PO, tab-separated text, our own, corrections, subtitle pairs.

XML is read an entry at a time; nothing outside a file is fetched and no entity expanded.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from lxml import etree

from subfit.errors import InputFileError, UsageError, reason_of
from subfit.files import output_file, read_bytes
from subfit.hub.names import digest_of
from subfit.memory.entry import Entry
from subfit.memory.store import SUFFIX, Languages, Memory
from subfit.subtitles.cues import Track
from subfit.subtitles.encoding import decode
from subfit.subtitles.formats import read_track
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.subtitles.pairing import pair_tracks
from subfit.subtitles.sentences import Sentence, join_cues, parse_cues
from subfit.text.languages import closest_language, same_language
from subfit.text.non_speech import split_non_speech
from subfit.text.sentence_ends import without_dots

_Cue = Mapping[str, Any]


def read_subtitle_pair(source: Path, target: Path, languages: Languages) -> Iterator[Entry]:
    """Pair the sentences of a track with what the cues of its translation say.

    A sentence over several cues is paired with all of theirs; a cue in which several speak, turn
    by turn where both sides have as many. What cannot be paired so gives no entry.

    Raises:
        InputFileError: A file cannot be read.
        UsageError: The files cannot be paired.
    """
    tracks = (
        read_track(source, source_language=languages.source),
        read_track(target, source_language=languages.target),
    )
    if tracks[0].spoken or tracks[1].spoken:
        raise UsageError(f"{source}:{target}: dubbing scripts are no pair; name subtitle files")
    yield from _paired(*tracks, languages, target.name)


def _paired(source: Track, target: Track, languages: Languages, origin: str) -> Iterator[Entry]:
    texts, others = (parse_cues(track.cues, track.format) for track in (source, target))
    targets_of = _targets(source, target)
    sentences = join_cues(source.cues, texts, language=languages.source)
    speaking = _sentences_by_cue(sentences, len(texts))
    for sentence in sentences:
        cues = sorted({part.cue for part in sentence.parts})
        alone = all(len(speaking[cue]) == 1 for cue in cues)
        if alone:
            said = _said(cues, targets_of, others)
        elif len(cues) == 1:
            said = _turn(sentence.parts[0].turn, texts[cues[0]], targets_of[cues[0]], others)
        else:
            said = ""
        if said:
            yield Entry(sentence.text, said, origin)


def _targets(source: Track, target: Track) -> list[tuple[int, ...]]:
    """The translated cues of every source cue; none where they belong to others' too."""
    pairing = pair_tracks(target, source)
    targets: list[tuple[int, ...]] = [()] * len(source.cues)
    for translated, sources in enumerate(pairing.sources):
        if len(sources) == 1:
            targets[sources[0]] += (translated,)
    return targets


def _sentences_by_cue(sentences: Sequence[Sentence], cues: int) -> list[list[Sentence]]:
    speaking: list[list[Sentence]] = [[] for _ in range(cues)]
    for sentence in sentences:
        for cue in {part.cue for part in sentence.parts}:
            speaking[cue].append(sentence)
    return speaking


def _said(
    cues: Sequence[int], targets_of: Sequence[tuple[int, ...]], others: Sequence[CueText]
) -> str:
    """What the translations of some cues say, if each has one in a single turn."""
    turns = [turn.text for cue in cues for other in targets_of[cue] for turn in others[other].turns]
    whole = all(len(targets_of[cue]) == 1 for cue in cues) and len(turns) == len(cues)
    return " ".join(turns) if whole else ""


def _turn(turn: int, text: CueText, targets: tuple[int, ...], others: Sequence[CueText]) -> str:
    """What a speaker says in the translation of a cue with as many speakers."""
    if len(targets) != 1 or len(others[targets[0]].turns) != len(text.turns):
        return ""
    return others[targets[0]].turns[turn].text


def read_edits(path: Path, languages: Languages) -> Iterator[Entry]:
    """Read the sentences of edited cues, as they were left.

    A sentence over several cues is whole, whichever of them were edited; of a cue in which several
    speak there is an entry for each, where both sides have as many.

    Raises:
        InputFileError: It is no such file.
        UsageError: It is of other languages.
    """
    document = _document(path)
    stated = document.get("languages") or {}
    source, target = stated.get("source"), stated.get("target")
    if source and target and not Languages(source, target).like(languages):
        raise UsageError(
            f"{path} has edits of {source} to {target}, not of {languages.source} to"
            f" {languages.target}"
        )
    origin = Path(document.get("output") or path.name).name
    try:
        for sentence in document["sentences"]:
            for ours, theirs in _pairs(sentence["cues"]):
                yield Entry(ours, theirs, origin)
    except (KeyError, TypeError, AttributeError) as error:
        raise _no_edits(path) from error


def _document(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise _no_edits(path) from error
    if not isinstance(document, dict) or "edits" not in document:
        raise _no_edits(path)
    return document


def _pairs(cues: Sequence[_Cue]) -> Iterator[tuple[str, str]]:
    """Yield what is said in some cues that belong together, with its translation."""
    ours, theirs = [_turns(cue["source"]) for cue in cues], [_turns(cue["target"]) for cue in cues]
    if len(cues) == 1:
        if len(ours[0]) == len(theirs[0]):
            yield from zip(ours[0], theirs[0], strict=True)
    elif all(len(turns) == 1 for turns in (*ours, *theirs)):
        yield _joined([turns[0] for turns in ours]), _joined([turns[0] for turns in theirs])


def _turns(text: str) -> list[str]:
    """What each speaker of a cue says, without what is not said."""
    turns = parse_cue_text(text, "srt").turns
    return [split_non_speech(turn.text)[1] for turn in turns]


def _joined(texts: Sequence[str]) -> str:
    """The texts of a sentence's cues in one, without the dots that show it running on."""
    *others, last = texts
    ended = [without_dots(text, at_end=True)[0] for text in others]
    first, *later = [*ended, last]
    return " ".join([first, *(without_dots(text, at_end=False)[0] for text in later)])


def _no_edits(path: Path) -> InputFileError:
    return InputFileError(
        path, "has no edits of a report's page", remedy="download them there with 'Edits as JSON'"
    )


_CODES = {"bpt", "ept", "ph", "it", "ut", "bx", "ex", "x"}
"""Elements that hold codes of another program, and none of the text."""
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


def read_tmx(path: Path, languages: Languages) -> Iterator[Entry]:
    """Read the units of a TMX file that have both languages; raises as `read_entries` does."""
    for unit in _elements(path, "tu"):
        texts: dict[str, str] = {}
        for variant in unit.iter("{*}tuv"):
            tag = variant.get(_LANGUAGE) or variant.get("lang") or ""
            segment = variant.find("{*}seg")
            if segment is not None:
                texts.setdefault(tag, _text(segment, path))
        source, target = _chosen(texts, languages.source), _chosen(texts, languages.target)
        if source is not None and target is not None:
            yield Entry(texts[source], texts[target], path.name)


def read_xliff(path: Path, languages: Languages) -> Iterator[Entry]:
    """Read the translated segments of an XLIFF file (1.2 or 2), in either direction of languages.

    Raises as `read_entries` does; and UsageError where the file is of other languages.
    """
    for unit in _elements(path, "trans-unit", "segment"):
        source, target = unit.find("{*}source"), unit.find("{*}target")
        if source is None or target is None:
            continue
        file = next(unit.iterancestors("{*}file", "{*}xliff"))
        root = next(unit.iterancestors("{*}xliff"), file)
        stated = [
            (
                node.get("source-language") or node.get("srcLang"),
                node.get("target-language") or node.get("trgLang"),
            )
            for node in (file, root)
        ]
        sides = (source, target)
        kinds = [next((pair[side] for pair in stated if pair[side]), None) for side in (0, 1)]
        if kinds[0] and not same_language(kinds[0], languages.source):
            if same_language(kinds[0], languages.target):
                sides = (target, source)
            else:
                continue
        yield Entry(_text(sides[0], path), _text(sides[1], path), path.name)


def write_tmx(
    path: Path, entries: Iterator[Entry], languages: Languages, *, overwrite: bool
) -> int:
    """Write entries as TMX 1.4, and return how many there were.

    Raises:
        OutputFileError: It cannot be written, or is there already.
    """
    count = 0
    with (
        output_file(path, overwrite=overwrite) as file,
        etree.xmlfile(file, encoding="utf-8") as xml,
    ):
        xml.write_declaration()
        with xml.element("tmx", version="1.4"):
            header = {
                "creationtool": "subfit", "creationtoolversion": "1", "segtype": "sentence",
                "o-tmf": "subfit", "adminlang": "en", "srclang": languages.source,
                "datatype": "plaintext",
            }  # fmt: skip
            with xml.element("header", header):
                pass
            with xml.element("body"):
                for entry in entries:
                    xml.write(_unit(entry, languages), pretty_print=True)
                    count += 1
    return count


def _unit(entry: Entry, languages: Languages) -> etree._Element:
    unit = etree.Element("tu")
    for tag, text in ((languages.source, entry.source), (languages.target, entry.target)):
        variant = etree.SubElement(unit, "tuv", {_LANGUAGE: tag})
        etree.SubElement(variant, "seg").text = _legal(text)
    return unit


def _legal(text: str) -> str:
    """A text without the control characters that XML has no way to write."""
    return "".join(char for char in text if char >= " " or char in "\t\n\r")


def _elements(path: Path, *names: str) -> Iterator[etree._Element]:
    """Yield the elements of some names, each dropped when the next one is read."""
    try:
        with path.open("rb") as file:
            yield from _parsed(file, path, names)
    except OSError as error:
        raise InputFileError(path, f"cannot be read ({reason_of(error)})") from error
    except etree.XMLSyntaxError as error:
        problem = str(error.msg or error).partition(", line")[0]
        raise InputFileError(path, f"damaged XML: {problem}", line=error.lineno) from error


def _parsed(file: IO[bytes], path: Path, names: tuple[str, ...]) -> Iterator[etree._Element]:
    parser = etree.iterparse(
        file,
        events=("end",),
        tag=[f"{{*}}{name}" for name in names],
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    for _, element in parser:
        yield element
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def _text(element: etree._Element, path: Path) -> str:
    """The text of an element, without the codes of other programs."""
    texts = [element.text or ""]
    for child in element:
        if isinstance(child, etree._Entity):
            raise InputFileError(
                path,
                f"has an entity of its own ({child.text}), which is not expanded",
                line=child.sourceline,
                remedy="write the characters themselves",
            )
        if isinstance(child.tag, str) and etree.QName(child).localname not in _CODES:
            texts.append(_text(child, path))
        texts.append(child.tail or "")
    return "".join(texts)


def _chosen(texts: dict[str, str], language: str) -> str | None:
    """The tag among some that is nearest to a language."""
    tags = [tag for tag in texts if tag and same_language(tag, language)]
    return closest_language(language, tags) or (tags[0] if tags else None)


_SPACES = re.compile(r"[^\S\u00a0\u202f]+")
"""White space, but for the spaces that keep French marks with their words."""
_PO = re.compile(r'^(msgid|msgstr)[ \t]+((?:"[^\n]*(?:\n|\Z)[ \t]*)+)', re.MULTILINE)
LONGEST = 2000
"""Characters of a side; what is longer is no sentence, and is left out."""

Reader = Callable[[Path, Languages], Iterator[Entry]]


def read_entries(name: str, languages: Languages) -> Iterator[Entry]:
    """Read what was translated before.

    Args:
        name: A file (``.tmx``, ``.xliff``, ``.xlf``, ``.po``, ``.tsv``, ``.memory``), the edits
            of a report's page (``.json``), or two
            subtitle files of the same programme, parted by a colon: ``film.en.srt:film.de.srt``.
        languages: Which of its languages are wanted.

    Yields:
        Entries with text on both sides, white space as single spaces, no-break spaces as they are.

    Raises:
        InputFileError: It cannot be read, is damaged, or refers to what lies outside it.
        UsageError: Its format is not known, or it is a memory of other languages.
    """
    for entry in _read(name, languages):
        source, target = map(single_spaced, (entry.source, entry.target))
        if source and target and max(len(source), len(target)) <= LONGEST:
            yield Entry(source, target, entry.origin)


def single_spaced(text: str) -> str:
    """Return a text with single spaces for its white space, no-break spaces as they are."""
    return " ".join(_SPACES.split(text)).strip()


def _read(name: str, languages: Languages) -> Iterator[Entry]:
    path = Path(name)
    reader = READERS.get(path.suffix.lower())
    if reader is not None and (path.is_file() or ":" not in name):
        return reader(path, languages)
    pair = _subtitle_pair(name)
    if pair is not None:
        return read_subtitle_pair(*pair, languages)
    known = ", ".join(READERS)
    raise UsageError(
        f"{name}: no translation memory is known for {path.suffix or 'a name without a suffix'};"
        f" use one of {known}, or two subtitle files as SOURCE:TRANSLATION"
    )


def files_of(name: str) -> tuple[Path, ...]:
    """Return the files that a name stands for; none if they are not there."""
    path = Path(name)
    return (path,) if path.is_file() else _subtitle_pair(name) or ()


def memory_checksum(names: Iterable[str]) -> str:
    """Return a SHA-256 over the files of translation memories."""
    files = (path for name in names for path in files_of(name))
    return hashlib.sha256(b"".join(map(digest_of, files))).hexdigest()


def _subtitle_pair(name: str) -> tuple[Path, Path] | None:
    """The two files of ``a.srt:b.srt``; a colon may stand in their names, too."""
    cuts = [place for place, char in enumerate(name) if char == ":"]
    pairs = [(Path(name[:cut]), Path(name[cut + 1 :])) for cut in cuts]
    there = [pair for pair in pairs if all(path.is_file() for path in pair)]
    missing = [pair for pair in pairs if pair[0].is_file() and pair[1].suffix]
    if not there and missing:
        raise InputFileError(missing[0][1], "there is no such file")
    return there[0] if there else None


def _read_po(path: Path, languages: Languages) -> Iterator[Entry]:
    """Messages that are translated; not those marked as fuzzy or obsolete, nor those of plurals."""
    text = decode(read_bytes(path), name=str(path), source_language=languages.source).text
    if not _PO.search(text):
        raise InputFileError(path, "is no PO file, or damaged (it has no message)")
    for block in re.split(r"\n\s*\n", text):
        message = {match[1]: _po_text(match[2]) for match in _PO.finditer(block)}
        fuzzy = re.search(r"^#,.*\bfuzzy\b", block, re.MULTILINE)
        if not fuzzy and message.get("msgid") and message.get("msgstr"):
            yield Entry(message["msgid"], message["msgstr"], path.name)


def _po_text(quoted: str) -> str:
    """The text of the quoted lines of a message."""
    text = "".join(re.findall(r'^[^"\n]*"(.*)"\s*$', quoted, re.MULTILINE))
    signs = {"n": "\n", "t": "\t", "r": "\r"}
    return re.sub(r"\\(.)", lambda match: signs.get(match[1], match[1]), text)


def _read_tsv(path: Path, languages: Languages) -> Iterator[Entry]:
    decoded = decode(read_bytes(path), name=str(path), source_language=languages.source)
    for line, text in enumerate(decoded.text.splitlines(), start=1):
        row = text.split("\t")
        if len(row) < 2:
            if any(row):
                raise InputFileError(
                    path, "one column", line=line, remedy="expected source, tab, translation"
                )
            continue
        yield Entry(row[0], row[1], path.name)


def _read_memory(path: Path, languages: Languages) -> Iterator[Entry]:
    memory = Memory.open(path)
    has, wanted = memory.languages, languages
    if not has.like(wanted):
        raise UsageError(
            f"{path} translates {has.source} to {has.target}, not {wanted.source} to"
            f" {wanted.target}"
        )
    return iter(memory)


READERS: dict[str, Reader] = {
    ".tmx": read_tmx,
    ".xliff": read_xliff,
    ".xlf": read_xliff,
    ".po": _read_po,
    ".tsv": _read_tsv,
    ".json": read_edits,
    SUFFIX: _read_memory,
}
"""What reads a file, by its suffix."""
WRITTEN = (".tmx", ".tsv")


def write_entries(
    path: Path, entries: Iterator[Entry], languages: Languages, *, overwrite: bool
) -> int:
    """Write entries in the format that a file's name asks for, and return how many there were.

    Raises:
        OutputFileError: It cannot be written, or is there already.
        UsageError: The name ends in none of `WRITTEN`.
    """
    suffix = path.suffix.lower()
    if suffix not in WRITTEN:
        raise UsageError(f"{path}: a translation memory is written as {' or '.join(WRITTEN)}")
    if suffix == ".tmx":
        return write_tmx(path, entries, languages, overwrite=overwrite)
    return _write_tsv(path, entries, overwrite=overwrite)


def _write_tsv(path: Path, entries: Iterator[Entry], *, overwrite: bool) -> int:
    count = 0
    with output_file(path, overwrite=overwrite) as file:
        for entry in entries:
            sides = map(single_spaced, (entry.source, entry.target))
            file.write(("\t".join(sides) + "\n").encode())
            count += 1
    return count
