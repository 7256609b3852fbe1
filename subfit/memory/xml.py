"""TMX and XLIFF, an entry at a time; nothing outside a file is fetched and no entity expanded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from lxml import etree

from subfit.errors import InputFileError, reason_of
from subfit.files import output_file
from subfit.memory.entry import Entry
from subfit.memory.store import Languages
from subfit.text.languages import closest_language, same_language

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
