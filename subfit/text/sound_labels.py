"""Labels for the deaf and hard of hearing: the usual ones in other languages, or taken out.

Which sounds, manners of speaking and roles are known, ``sound_labels.yaml`` lists in five
languages; each of them may be the source, and each the target. A label is translated if all of it
is known: ``[DOOR SLAMS]``, ``MAN (ON PHONE):``, ``(LAUGHS, SIGHS)``, ``[MAN COUGHS]``. Names and
whatever else is in brackets stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import regex

from subfit.text.casing import capitalised, capitals
from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import packaged
from subfit.text.non_speech import named_speaker

LANGUAGES = ("en", "de", "es", "fr", "it")
"""Whose labels are known."""
_MARKUP = r"(?:<[^<>]*>|\{\\[^{}]*\})"
_BRACKETS = regex.compile(
    r"(?P<open>[\[(（【])(?P<inside>[^\[\]()（）【】<>{}]*\p{L}[^\[\]()（）【】<>{}]*)(?P<close>[\])）】])"
    r"|(?P<open>\{(?!\\))(?P<inside>[^{}\n]*\p{L}[^{}\n]*)(?P<close>\})"
    r"|(?P<open>\*)(?P<inside>[^\s*.!?]+(?:\s[^\s*.!?]+){0,3})(?P<close>\*)"
)
_ONLY_NOTES = regex.compile(rf"(?:{_MARKUP}|[\s♪♫♬♩#*~])+")
_LINE_START = rf"(?:^|(?<=\n))(?:\s|{_MARKUP}|[-‐‑–—♪])*"
_PERSON = r"[(\[]\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?[)\]](?=[^\S\n]+\S)"
"""Who speaks, in brackets before it: (Tom) Go away!"""
_AND = {"en": "and", "de": "und", "es": "y", "fr": "et", "it": "e"}
_LISTS = {
    language: regex.compile(rf"(\s*[,;/]\s*|\s+(?:(?i:{word})|&)\s+)")
    for language, word in _AND.items()
}


@cache
def _named(language: str) -> regex.Pattern[str]:
    """An expression for who speaks, at the start of a line."""
    return regex.compile(rf"(?P<before>{_LINE_START})(?P<name>{named_speaker(language)})(?=\s)")


_Table = Mapping[str, Mapping[str, str]]
_DASHES = "-‐‑–—"
_GAP = r"\ufffc(?:[ \u00a0\u202f]?[:：])?"
"""Where a label stood, and a colon behind it."""


@dataclass(frozen=True, slots=True)
class Relabelled:
    """A text with other labels, or without."""

    text: str
    labels: tuple[str, ...] = ()
    """Those that were translated or taken out, as they stood."""
    kept: tuple[str, ...] = ()
    """Those that are not known, which stay."""


def translated_labels(payload: str, language: str, source_language: str = "en") -> Relabelled:
    """Return a cue's payload with the labels that are known in another language.

    Args:
        payload: With its markup; labels with markup inside stay.
        language: Tag of the language.
        source_language: That of the payload.
    """
    source = closest_language(source_language, LANGUAGES)
    known = closest_language(language, LANGUAGES)
    if known is None or source is None:
        return Relabelled(payload, kept=tuple(match[0] for match in _BRACKETS.finditer(payload)))
    done: list[str] = []
    kept: list[str] = []

    def bracketed(match: regex.Match[str]) -> str:
        words = translated(match["inside"], known, source)
        (kept if words is None else done).append(match[0])
        return str(match[0]) if words is None else f"{match['open']}{words}{match['close']}"

    def named(match: regex.Match[str]) -> str:
        words = _role_in(match["name"], known, source)
        if words is None:
            return str(match[0])
        done.append(match["name"])
        return f"{match['before']}{words}"

    text = _BRACKETS.sub(bracketed, _named(source).sub(named, payload))
    return Relabelled(str(text), tuple(done), tuple(kept))


def translated(words: str, language: str, source: str = "en") -> str | None:
    """Return what a label says in another language; None if it is not known.

    Args:
        words: What stands within its brackets.
        language: One of `LANGUAGES`.
        source: Another, that of the words.
    """
    plain, table = " ".join(words.split()), _table(source, language)
    parts = _LISTS[source].split(plain)
    spoken = [_of_label(part.lower(), table) for part in parts[::2]]
    if None in spoken:
        return None
    joints = (regex.sub(r"\s*&\s*", " & ", part) for part in parts[1::2])
    parts[1::2] = [f" {_AND[language]} " if one.strip().isalpha() else one for one in joints]
    parts[::2] = map(str, spoken)
    return _cased("".join(parts), plain, language)


def _cased(translation: str, label: str, language: str) -> str:
    if label.isupper():
        return capitals(translation, language)
    return capitalised(translation, language) if label[:1].isupper() else translation


def is_usual_label(words: str, language: str) -> bool:
    """Whether words are a label that is known in a language."""
    known = closest_language(language, LANGUAGES) or LANGUAGES[0]
    return translated(words, known, known) is not None


def _of_label(label: str, table: _Table) -> str | None:
    """One sound, manner or role, or a role that makes a sound."""
    sounds = {**table["manners"], **table["sounds"]}
    if known := sounds.get(label) or _of_role(label, table):
        return known
    words = label.split()
    for end in range(len(words) - 1, 0, -1):
        who, sound = _of_role(" ".join(words[:end]), table), sounds.get(" ".join(words[end:]))
        if who and sound:
            return f"{who} {sound}"
    return None


def _of_role(label: str, table: _Table) -> str | None:
    """A role, with a number if it has one: "man 2"."""
    role, number = regex.fullmatch(r"(?s)(.*?)(\s*#?\d+)?", label).groups()
    known = table["roles"].get(role.strip())
    return known and known + (number or "")


@cache
def _table(source: str, language: str) -> _Table:
    """By kind the labels of one language, in small letters, with those of another.

    Of several that are one word in the source's language, the first counts.
    """
    own, theirs = LANGUAGES.index(source), LANGUAGES.index(language)
    rows = {
        kind: [(label, *words) for label, words in labels.items()][::-1]
        for kind, labels in packaged("subfit.text", "sound_labels.yaml").items()
    }
    return {kind: {row[own].lower(): row[theirs] for row in rows[kind]} for kind in rows}


def without_labels(payload: str, source_language: str = "en") -> Relabelled:
    """Return a cue's payload without labels: speech alone, for those who hear.

    Everything in square brackets goes; in round ones and between stars, as they may hold speech,
    what is in capitals and no short word, is a label that is known, or stands alone in its line
    without capital or mark; and who speaks, ``MAN:`` and ``>>``. Two speakers that only labels told
    apart are told apart by dashes. A payload that is nothing else comes back empty.

    Args:
        payload: With its markup.
        source_language: Tag of its language, whose labels are known.
    """
    source = closest_language(source_language, LANGUAGES) or "en"
    if _ONLY_NOTES.fullmatch(payload) and regex.search("[♪♫♬♩]", payload):
        return Relabelled("", (payload.strip(),))
    taken: list[str] = []
    names = [match for match in _speakers(source).finditer(payload) if _is_name(match, source)]
    roles = [
        match
        for match in _BRACKETS.finditer(payload)
        if _seen(payload[payload.rfind("\n", 0, match.start()) + 1 : match.start()]) == ""
        and _role_in(match["inside"], source, source)
    ]
    lines = {payload.count("\n", 0, match.end()) for match in (*names, *roles)}
    who = {match["name"] for match in names} | {match["inside"].lower() for match in roles}
    several = len(who) > 1 or sum(match["name"].startswith(">>") for match in names) > 1
    dashed = several and not any(
        _dash_of(line) for number, line in enumerate(payload.split("\n")) if number in lines
    )
    begun = {match.start() for match in roles} if dashed else set()

    def named(match: regex.Match[str]) -> str:
        if not _is_name(match, source):
            return str(match[0])
        taken.append(match["name"])
        before = match["before"] if match["within"] is None else "\n" if dashed else " "
        return f"{before}{'- ' * dashed}"

    def bracketed(match: regex.Match[str]) -> str:
        if not _is_label(match, source):
            return str(match[0])
        taken.append(match[0])
        return "- \ufffc" if match.start() in begun else "\ufffc"

    text = _BRACKETS.sub(bracketed, _speakers(source).sub(named, payload))
    if not taken:
        return Relabelled(payload)
    return Relabelled(_tidied(str(text)), tuple(taken))


@cache
def _speakers(language: str) -> regex.Pattern[str]:
    """An expression for who speaks, where a line starts or a sentence of it has ended."""
    who = rf"(?P<name>(?:>>+\s*)?{named_speaker(language)}|{_PERSON})\s+"
    return regex.compile(
        rf"(?:(?P<before>{_LINE_START})|(?P<within>(?<=[.!?…\"”])(?<!\b(?:Mr|Mrs|Ms|Dr)\.)[^\S\n]+)){who}"
    )


def _is_name(match: regex.Match[str], source: str) -> bool:
    """Whether a word with a colon names who speaks: of text in capitals only a known role does."""
    shouted = match.string[match.end() :].isupper()
    return not shouted or _role_in(match["name"], source, source) is not None


def _role_in(name: str, language: str, source: str) -> str | None:
    """Who speaks in another language, if that is a known role: MANN 2 (ON PHONE): of MAN 2 …"""
    role = regex.match(r"([^()\[\]:#]*[^()\[\]:#\d\s])(?=\s*(?:#?\d+)?)", name)
    plain = " ".join(role[0].split()) if role else ""
    known = _of_role(plain.lower(), _table(source, language))
    return _cased(known, plain, language) + name[role.end() :] if known else None


def _is_label(match: regex.Match[str], source: str) -> bool:
    inside, text = match["inside"], match.string
    line = text[text.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]
    alone = _seen(line) == match[0] and not regex.search(r"^\p{Lu}|[.!?]", inside)
    loud = inside.isupper() and len(inside) > 3  # (UK) is said
    known = loud or translated(inside, source, source) is not None
    return alone or known or match["open"] in "[【{"


def _tidied(text: str) -> str:
    """A payload without the gaps that labels left in it, and without what is then empty."""
    begins = rf"(?P<before>{_LINE_START}|(?<=[.!?…] )[{_DASHES}])"
    text = regex.sub(rf"{begins}(?:{_GAP}[ \t]*)+", r"\g<before>", text)
    text = regex.sub(rf",[ \t]*(?:{_GAP}[ \t]*)+(?=,)", "", text)  # between two commas
    text = regex.sub(rf"[ \t]*{_GAP}(?=\s|{_MARKUP}|[.,!?]|$)", "", text)
    text = regex.sub(rf",(?=\s*{_GAP}?,)|{_GAP}", "", text)
    dashes = sum(bool(_dash_of(line)) for line in text.split("\n"))
    lines = _seen_lines(text)
    if dashes > 1 and len(lines) == 1:
        lines = [str(regex.sub(rf"^((?:\s|{_MARKUP})*)[{_DASHES}]\s*", r"\1", lines[0]))]
    return str(regex.sub(r"<(\w+)[^<>]*>\s*</\1>", "", "\n".join(lines)))


def _seen_lines(text: str) -> list[str]:
    """The lines of a payload that show anything, the markup of others put at their ends."""
    lines: list[str] = []
    markup = ""
    for line in text.split("\n"):
        if _seen(line):
            lines.append(markup + line.strip())
            markup = ""
        else:
            markup += "".join(regex.findall(_MARKUP, line))
    return [*lines[:-1], lines[-1] + markup] if lines else []


def _seen(line: str) -> str:
    """What of a line is seen beside dashes."""
    return str(regex.sub(_MARKUP, "", line)).strip(f" \t{_DASHES}:.,;…")


def _dash_of(line: str) -> str:
    bare = str(regex.sub(_MARKUP, "", line)).strip()
    return bare[:1] if bare[:1] and bare[0] in _DASHES else ""
