"""Memories as files: TMX, XLIFF, tab-separated text, our own, corrections, subtitle pairs.

XML is read an entry at a time; nothing outside a file is fetched and no entity expanded.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from lxml import etree

from subfit.errors import InputFileError, UsageError, reason_of
from subfit.files import output_file, read_bytes
from subfit.hub.names import digest_of
from subfit.memory.store import SUFFIX, Entry, Languages, Memory
from subfit.subtitles.encoding import decode
from subfit.subtitles.formats import read_track
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.subtitles.pairing import pair_tracks
from subfit.subtitles.sentences import join_cues, parse_cues
from subfit.text.languages import closest_language, same_language
from subfit.text.non_speech import split_non_speech
from subfit.text.sentence_ends import without_dots


def read_subtitle_pair(source: Path, target: Path, languages: Languages) -> Iterator[Entry]:
    """Pair the sentences of a track with what the cues of its translation say.

    A sentence over several cues is paired with all of theirs; a cue in which several speak, turn
    by turn where both sides have as many. What cannot be paired so gives no entry.

    Raises:
        InputFileError: A file cannot be read.
        UsageError: The files cannot be paired.
    """
    ours, theirs = (
        read_track(path, source_language=language)
        for path, language in ((source, languages.source), (target, languages.target))
    )
    if ours.spoken or theirs.spoken:
        raise UsageError(f"{source}:{target}: dubbing scripts are no pair; name subtitle files")
    texts, others = (parse_cues(track.cues, track.format) for track in (ours, theirs))
    sentences = join_cues(ours.cues, texts, language=languages.source)
    said_in = [sorted({part.cue for part in sentence.parts}) for sentence in sentences]
    sentences_of = Counter(cue for cues in said_in for cue in cues)
    turns = _translated_turns(pair_tracks(theirs, ours).sources, others, len(texts))
    for sentence, cues in zip(sentences, said_in, strict=True):
        said = [turns[cue] for cue in cues]
        if all(sentences_of[cue] == 1 for cue in cues) and all(len(one) == 1 for one in said):
            yield Entry(sentence.text, " ".join(one[0] for one in said), target.name)
        elif len(cues) == 1 and len(said[0]) == len(texts[cues[0]].turns) > 1:
            yield Entry(sentence.text, said[0][sentence.parts[0].turn], target.name)


def _translated_turns(
    sources: Sequence[Sequence[int]], others: Sequence[CueText], cues: int
) -> list[list[str]]:
    """What each speaker says in the translation of every cue, if that is one cue of its own."""
    targets: list[list[int]] = [[] for _ in range(cues)]
    for translated, own in enumerate(sources):
        if len(own) == 1:
            targets[own[0]].append(translated)
    return [
        [turn.text for turn in others[own[0]].turns] if len(own) == 1 else [] for own in targets
    ]


def read_edits(path: Path, languages: Languages) -> Iterator[Entry]:
    """Read the sentences of edited cues, as they were left.

    A sentence over several cues is whole, whichever of them were edited; of a cue in which several
    speak there is an entry for each, where both sides have as many.

    Raises:
        InputFileError: It is no such file.
        UsageError: It is of other languages.
    """
    try:
        document = json.loads(read_bytes(path))
        stated, _ = document.get("languages") or {}, document["edits"]
        source, target = stated.get("source"), stated.get("target")
        origin = Path(document.get("output") or path).name
        said = [
            [(_turns(cue["source"]), _turns(cue["target"])) for cue in sentence["cues"]]
            for sentence in document["sentences"]
            if sentence["cues"]
        ]
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:
        raise InputFileError(
            path,
            "has no edits of a report's page",
            remedy="download them there with 'Edits as JSON'",
        ) from error
    if source and target and not Languages(source, target).like(languages):
        raise UsageError(
            f"{path} has edits of {source} to {target}, not of {languages.source} to"
            f" {languages.target}"
        )
    for cues in said:
        ours, theirs = zip(*cues, strict=True)
        if len(cues) == 1 and len(ours[0]) == len(theirs[0]):
            pairs = list(zip(ours[0], theirs[0], strict=True))
        elif len(cues) > 1 and all(len(turns) == 1 for turns in ours + theirs):
            pairs = [(_joined(ours), _joined(theirs))]
        else:
            continue
        yield from (Entry(*pair, origin) for pair in pairs)


def _turns(text: str) -> list[str]:
    """What each speaker of a cue says, without what is not said."""
    turns = parse_cue_text(text, "srt").turns
    return [split_non_speech(turn.text)[1] for turn in turns]


def _joined(turns: Sequence[Sequence[str]]) -> str:
    """The texts of a sentence's cues in one, without the dots that show it running on."""
    *others, last = (text for (text,) in turns)
    first, *later = [*(without_dots(text, at_end=True)[0] for text in others), last]
    return " ".join([first, *(without_dots(text, at_end=False)[0] for text in later)])


_NO_TEXT = [f"{{*}}{name}" for name in ("bpt", "ept", "ph", "it", "ut", "bx", "ex", "x")]
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

    Raises as `read_entries` does. A file of other languages has none.
    """
    for unit in _elements(path, "trans-unit", "segment"):
        source, target = unit.find("{*}source"), unit.find("{*}target")
        if source is None or target is None:
            continue
        around = list(unit.iterancestors("{*}file", "{*}xliff"))
        ours, theirs = (
            next(filter(None, (node.get(name) for node in around for name in names)), None)
            for names in (("source-language", "srcLang"), ("target-language", "trgLang"))
        )
        if not (_same(ours, languages.source) and _same(theirs, languages.target)):
            if not (_same(ours, languages.target) and _same(theirs, languages.source)):
                continue
            source, target = target, source
        yield Entry(_text(source, path), _text(target, path), path.name)


def _same(stated: str | None, language: str) -> bool:
    return stated is None or same_language(stated, language)


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
            xml.write(etree.Element("header", header))
            with xml.element("body"):
                for count, entry in enumerate(entries, 1):  # noqa: B007
                    xml.write(_unit(entry, languages), pretty_print=True)
    return count


def _unit(entry: Entry, languages: Languages) -> etree._Element:
    unit = etree.Element("tu")
    for tag, text in ((languages.source, entry.source), (languages.target, entry.target)):
        variant = etree.SubElement(unit, "tuv", {_LANGUAGE: tag})
        # XML has no way to write other control characters.
        legal = "".join(char for char in text if char >= " " or char in "\t\n\r")
        etree.SubElement(variant, "seg").text = legal
    return unit


def _elements(path: Path, *names: str) -> Iterator[etree._Element]:
    """Yield the elements of some names, each dropped when the next one is read."""
    try:
        with path.open("rb") as file:
            parser = etree.iterparse(
                file,
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
    except OSError as error:
        raise InputFileError(path, f"cannot be read ({reason_of(error)})") from error
    except etree.XMLSyntaxError as error:
        problem = str(error.msg or error).partition(", line")[0]
        raise InputFileError(path, f"damaged XML: {problem}", line=error.lineno) from error


def _text(element: etree._Element, path: Path) -> str:
    """The text of an element, without the codes of other programs."""
    notes = (etree.Comment, etree.ProcessingInstruction)
    etree.strip_elements(element, *notes, *_NO_TEXT, with_tail=False)
    for entity in element.iter(etree.Entity):
        problem = f"has an entity of its own ({entity.text}), which is not expanded"
        remedy = "write the characters themselves"
        raise InputFileError(path, problem, line=entity.sourceline, remedy=remedy)
    return "".join(map(str, element.itertext()))


def _chosen(texts: dict[str, str], language: str) -> str | None:
    """The tag among some that is nearest to a language."""
    tags = [tag for tag in texts if tag and same_language(tag, language)]
    return closest_language(language, tags) or (tags[0] if tags else None)


_SPACES = re.compile(r"[^\S\u00a0\u202f]+")
"""White space, but for the spaces that keep French marks with their words."""
LONGEST = 2000
"""Characters of a side; what is longer is no sentence, and is left out."""

Reader = Callable[[Path, Languages], Iterator[Entry]]


def read_entries(name: str, languages: Languages) -> Iterator[Entry]:
    """Read what was translated before.

    Args:
        name: A file (``.tmx``, ``.xliff``, ``.xlf``, ``.tsv``, ``.memory``), the edits
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
    if not (has := memory.languages).like(languages):
        raise UsageError(
            f"{path} translates {has.source} to {has.target}, not {languages.source} to"
            f" {languages.target}"
        )
    return iter(memory)


READERS: dict[str, Reader] = {
    ".tmx": read_tmx,
    ".xliff": read_xliff,
    ".xlf": read_xliff,
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
        for count, entry in enumerate(entries, 1):  # noqa: B007
            sides = map(single_spaced, (entry.source, entry.target))
            file.write(("\t".join(sides) + "\n").encode())
    return count
