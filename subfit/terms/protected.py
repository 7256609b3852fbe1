"""What of a text a translation has as its source has it, or as its language writes it.

Addresses, paths and code, placeholders, signs that no model spells, labels, numbers of any size,
money, measures, times, numerals, names of things (`PyTorch`, `GPT-4`). A small model garbles most
of them. For some it reads what it knows instead ("Google", "9 o'clock", "20 dollars"), and what it
makes of that becomes the span again; others are taken out and put back (`subfit.terms.restore`);
the rest it reads, and is asked for again where a translation lacks it. Only what can hardly be
meant otherwise counts: `24/7` becomes a phrase and `the 1990s` a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import localcontext
from functools import cache, lru_cache
from typing import Any, Literal
from unicodedata import numeric

import regex

from subfit.terms import renderings as say
from subfit.terms.glossary import Occurrence, disjoint, name, plain_characters
from subfit.terms.numbers import find_spelt_numbers, find_times
from subfit.terms.renderings import LANGUAGES, words_of
from subfit.text.languages import closest_language, same_language
from subfit.text.non_speech import SOUND
from subfit.text.sound_labels import is_usual_label

Kind = Literal["address", "amount", "label", "measure", "number", "sign", "thing", "time"]


@dataclass(frozen=True, slots=True)
class Span(Occurrence):
    """A part of a text that is to stay, which a model may read something else for."""

    placeable: bool = True
    kind: Kind = "thing"
    read: str | None = None
    """What the model reads in its place: nothing where it is taken out; None for the span."""
    made: str = ""
    """An expression for what the model makes of that, or of the span itself."""
    usual: str = ""
    """The most usual of these."""

    @property
    def written(self) -> str:
        """What a translation is to have."""
        return self.targets[0]

    def places_in(self, translation: str) -> list[tuple[int, int]]:
        """Return where the model's translation has what it made of what it read."""
        return [match.span() for match in _whole(self.made).finditer(translation)]

    def as_written(self, made: str) -> str:
        """Return what to write for what the model made of it."""
        if self.kind == "time" and made.endswith("-Uhr"):  # der 9-Uhr-Zug
            return str(regex.sub(r"\sUhr", "-Uhr", self.written))
        capital = made[:1].isupper() and self.kind == "number"  # a sentence begins
        return self.written[:1].upper() + self.written[1:] if capital else self.written


@lru_cache(maxsize=4096)
def _whole(pattern: str) -> regex.Pattern[str]:
    return regex.compile(rf"(?<![\p{{L}}\p{{N}}])(?:{pattern})(?![\p{{L}}\p{{N}}])", regex.I)


_DASHES = r"(?<=\s)[-–—](?=\s)"
_ADDRESS = regex.compile(
    r"(?P<web>(?:https?://|ftp://|www\.)[^\s<>\"'“”„«»]*[\w/])"
    r"|(?P<person>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<path>(?<!\w)(?:[A-Za-z]:[\\/]|\\\\|~/|\.{1,2}/)[^\s\"“”«»]*[\w\\/]|(?<![\w/])(?:/[\w.-]+){2,}/?"
    r"|(?<![\w.-])[\w.-]+(?:\\[\w.-]+)+)"
    rf"|(?P<domain>(?<![\w@./-])(?:[\w-]+\.){{1,20}}(?:{words_of('domains')})\b(?:/[^\s<>\"'“”]*[\w/])?(?![\w-]))"
    rf"|(?P<file>(?<![\w./-])[\w-]+(?:\.[\w-]+){{0,20}}\.(?:{words_of('files')})(?:[#?][\w=&,;:%.-]*\w)?(?![\w-]))"
    r"|(?P<file>(?<![\w./-])[A-Za-z][\w-]*-\d+(?=(?<=[\"“„«][\w-]+)[\"”“»]|\s(?:folder|directory|file)\b))"
    r"|(?P<person>(?<![\w.])@\w[\w.]*\w)"
    r"|(?P<tag>(?<=\s)#(?=\d*[^\W\d])\w+)"
    r"|(?P<code>(?<!\w)(?<!\w\.)\w[\w.]*(?:<(?:[\w, .]|<[\w, .]*>)+>|\((?:\"[^\"\n]*\")?\)|\[\w*\])"
    r"|\$\{\w+\}|\$[A-Z_]{2,}\b|%[sdif]\b|%\(\w+\)s"
    r"|(?<![\w-])(?:-[a-z] \"[^\"\n]*\"|--?[a-z][\w-]+=\S*\w|--[a-z][\w-]+)"
    r"|`[^`\n]+`|\{\{[^{}]+\}\}"
    r"|(?<=\p{L} )(?:\{\w[\w.:-]*\}|<[\w/][\w.:/-]*(?: [\w-]+=\"[^\"<>]*\")*>))"
)
_PERSONS = ("Peter", "Anna", "Tom", "Robert")
_PLACES = ("Google", "Facebook", "Twitter", "Amazon", "BMW")
"""Names that models keep as they are, in any language."""
_ELSEWHERE = r"(?:(?!\p{Latin})\p{L}\p{M}*)+"
_FOREIGN = regex.compile(rf"{_ELSEWHERE}(?:[\s\p{{Po}}]+{_ELSEWHERE})*[。！？]?")
_PICTURE = r"(?![\d#*©®™♪♫♬♩])\p{Emoji}[\p{M}\u200d\p{Emoji}--[\d#*]]*"
_SIGN = regex.compile(
    r"(?<![\p{L}\p{M}\p{N}'’.-])[\p{Latin}--[A-Za-zàáâèéêìíòóôùúÀÁÈÉÌÒÓÙ]](?![\p{L}\p{M}'’.-])|"
    rf"(?P<picture>{_PICTURE}|<3(?!\d)|(?<=\s)[`´](?=\s))|<<|>>|[-=]{{1,2}}>|<[-=]{{1,2}}|[<>]=?|[≤≥≠≈→⇒➔➜➝]+"
    r"|(?<![\d\p{Sc}]\s?)[%\p{Sc}]+(?!\s?\d)|[[\p{S}\\{}|~^†‡•§¶]--[+=\p{Sc}°©♪♫♬♩´`¨]]+",
    regex.V1,
)
"""What vocabularies of subword pieces mostly lack."""
_ASIDE = regex.compile(
    rf"(?:{SOUND}:?\s*)+(?:(?<=,\s*{SOUND}\s*),\s*)?"
    r"|(?<=\s)\*(?P<starred>[^\s*]+(?: [^\s*]+){0,2})\*"
)
_ROUND = regex.compile(r"\(([^()]+)\)")
_ENGLISH = (
    r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"
    r"|[0-9]{1,3}(?:(?:[. \u00a0\u202f][0-9]{3}){2,}|[ \u00a0\u202f][0-9]{3})(?![0-9])"
    r"|[0-9]+(?:\.[0-9]+)?"
)
_GROUPS = "|".join(rf"(?:{mark}[0-9]{{3}})+" for mark in (r"\.", ",", "['’]", "[ \u00a0\u202f]"))
_OTHER = rf"[0-9]{{1,3}}(?:{_GROUPS})(?:[.,][0-9]+)?(?![0-9])|[0-9]+(?:[.,][0-9]+)?"
_NO_REST = r"(?!(?<=(?:^|[^:.,/\d])[0-9]{1,3} )[0-9]{3}(?![0-9.,]))"
"""Not the last part of 10 000."""
_BEFORE = rf"(?<![\w.,$£€¥/:'’<–-]){_NO_REST}"
_FRACTION = regex.compile(
    r"(?:(?<![\w.,:$£€¥-])(?P<whole>[0-9]+ ?))?(?P<sign>[¼-¾⅐-⅞])(?: (?:of )?an?\b)?"
)
_NUMBERED = regex.compile(
    r"(?<![\w.])(?:(?i:nos?\.|nr\.|núm\.|n\.?[º°]|n\. ?(?=\d))|№)\s?#?(?P<figure>[0-9]+)"
    r"(?!\w|[.,/]\d)"
)
_SIGNS = r"(?:US|AU|CA|NZ|HK|[ACS])?\$|[£€¥₹₩₽]"
_MADE_MONEY = r"(?:US-)?d[oó]l+ar\w*"
_UNIT = regex.compile(
    r"\s?(?P<unit>km/h|kph|kmh|mph|km|cm|mm|kg|mg|lbs?|oz|ft|yd|mi|[°º]\s?[CF]|ml|[mglL](?=[\s.,!?]|$)"
    r"|[\"″](?<=^(?:[^\"]|(?<=\d)\")*)(?=\s\p{Ll}))(?![\w'’])"
)
_HEIGHT = regex.compile(
    r"(?<![\w.,'’])(?P<feet>[1-8])\s?['’′]\s?(?P<inches>1[01]|[0-9])\s?(?:[\"”″]|''|(?![\w'’]))"
)
_FRENCH_HEIGHT = regex.compile(r"(?<![\w.,])([12])\s?m\s?([0-9]{2})(?!\w|[.,]\d)")
_HOUR = r"(?i:\s?[ap]\.?\s?m\b|\s?Uhr\b|\s?h(?:eures?)?\b)"
_DATE = r"(?![0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2}|[0-9]{4})(?![0-9]))"
_NUMBER = {
    english: regex.compile(
        rf"{_BEFORE}(?:(?P<version>{_DATE}[0-9]+(?:\.[0-9]+){{2,}}(?<!\.[0-9]{{3}})"
        r"|[0-9]+(?::[0-9]+)+(?:[-–][0-9]+)?)"
        rf"|(?P<figure>{figure})(?P<share>\s?%)?)"
        r"(?!\w|[:/.,'′″\"–-][0-9]|(?<=(?<!\d)\d)-\p{L}|'s\b"
        r"|(?<![.,]\d+|\d{4})[ \u00a0\u202f][0-9]{3}(?![0-9-])"
        rf"|{_HOUR}|\s(?:to|and|or|bis|und|oder|a|y|o|à|et|ou|e|-|–)\s[0-9]{{1,2}}{_HOUR})"
    )
    for english, figure in ((True, _ENGLISH), (False, _OTHER))
}
_TIME_BEFORE = regex.compile(r"\b(?:at|um|las|alle|ore)\s$", regex.I)
_ROMAN = regex.compile(r"(?<=\p{Lu}[\p{L}.]+ )(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})(?![\w'’-])")
_THING = (
    r"\w*[^\W\d_]_\w+"  # get_text
    r"|(?!WW[12])(?:[A-Za-z]+[0-9][0-9A-Z]*|[A-Z]+-[0-9][0-9A-Z]*)(?:\.[0-9]+)*"  # MP3, GPT-4, v2.0
    r"|(?!([A-Z])(?:-\1)+\b)(?:[A-Z]-){{2,}}[A-Z]"  # W-A-R
    r"|[A-Za-z]+(?:\*+[A-Za-z]+|\*{{2,}})|\*{{3,}}"  # f***
    r"|(?!(?:PhDs?|WiFi|mRNA)\b){}\p{{L}}*[a-z][A-Z]\w*"  # PyTorch
)
_GERMAN_WORDS = (
    r"(?!\w*In(?:nen)?(?![\w-]))"  # LehrerInnen
    r"(?!(?:g?GmbHs?|mbH|StVO|StGB|StPO|BaföG|KfW|BGBl|KiTas?)\b)"
)
_DOTTED = regex.compile(r"(?<![\p{L}.])(?:\p{Lu}\.){2,}(?<!A\.D\.|B\.C\.|P\.S\.)")
_ABROAD = r"\+[0-9]{1,3}(?:[ -][0-9]{1,8}){2,6}"
_STAND_INS = ("500", "300", "700", "800", "200", "600", "400", "900")
"""Numbers that models keep in digits, which they read for those from a million up."""
_THOUSAND = "1,000"
"""What is said in words as often."""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text in which spans are looked for."""

    text: str
    tag: str
    """Of its language."""
    language: str
    """Tag of the target language."""
    source: str
    """Which of `LANGUAGES` it is in."""
    target: str
    """Which of them is the target's."""

    @property
    def own(self) -> Any:
        """What is known of its language."""
        return words_of(self.source)

    @property
    def theirs(self) -> Any:
        """What is known of the target's."""
        return words_of(self.target)

    def as_read(self, figure: str) -> str:
        """A number as the source's language writes it; English with a comma for a decimal point,
        but for French, into which models take that for a space."""
        if self.source != "en":
            return say.written_figure(figure, self.tag).replace("\u00a0", " ")
        return figure if "," in figure or self.target == "fr" else figure.replace(".", ",")


def find_spans(text: str, source_language: str, language: str) -> tuple[Span, ...]:
    """Return what of a text is to stay, in order, none of it overlapping.

    Args:
        text: Plain text in one line.
        source_language: Its tag. What separators, units and times mean is known of `LANGUAGES`.
        language: Tag of the target language, which decides how numbers are written.
    """
    source = closest_language(source_language, LANGUAGES)
    target = closest_language(language, LANGUAGES)
    finders = [_addresses(text), _asides(text, source_language)]
    if source is not None and target is not None:
        known = _Text(text, source_language, language, source, target)
        rules = [_foreign, _phones, _numerals, _numbers]
        if not same_language(source_language, language):
            rules[1:1] = [_couples, _times, _heights, _amounts_and_measures, _numbered, _fractions]
        finders += (rule(known) for rule in rules)
    else:
        finders.append(_plain_numbers(text))
    finders += (_things(text, language if source and target else "", source), _signs(text))
    with localcontext(prec=len(text) + 40):  # of no number a digit is lost
        return tuple(disjoint(span for spans in finders for span in spans))


def _span(
    kind: Kind,
    match: regex.Match[str],
    forms: tuple[str, ...] = (),
    read: str | None = None,
    made: str = "",
    usual: str = "",
    *,
    end: int | None = None,
    held: bool = True,
) -> Span:
    """What stands from a match to its end or another; without forms it stays as it is."""
    source = match.string[match.start() : match.end() if end is None else end]
    told = Span(source, match.start(), forms or (source,), held=held, kind=kind)
    return replace(told, read=read, made=made, usual=usual)


def _addresses(text: str) -> Iterator[Span]:
    names = {person: _unused(own, text) for person, own in ((True, _PERSONS), (False, _PLACES))}
    for match in _ADDRESS.finditer(text):
        read = next(names[match["person"] is not None], "")
        yield _span("address", match, (), read, rf"{read}s?", read)


def _unused(stand_ins: Sequence[str], text: str) -> Iterator[str]:
    return (one for one in stand_ins if one not in text)


def _couples(known: _Text) -> Iterator[Span]:
    """Mr. and Mrs. Reed, whom a model takes for two women: it reads two names."""
    couple, written = known.own["couple"], known.theirs["couple"]["written"]
    for match in regex.finditer(rf"\b(?:{couple['said']})\s(\p{{Lu}}[\p{{L}}'’-]+)", known.text):
        form, read = f"{written} {match[1]}", f"Peter {couple['and']} Anna"
        yield _span("thing", match, (form,), read, r"Peter \w+ Anna", form)


def _foreign(known: _Text) -> Iterator[Span]:
    """Words in a script that neither side is written in."""
    names = _unused(_PERSONS, known.text)
    for match in _FOREIGN.finditer(known.text):
        said = match[0][-1] in "。！？" or match.start() == 0 or " " in match[0]
        read = "" if said else next(names, "")
        yield _span("sign", match, (), read, rf"{read}s?", read, held=False)


def _asides(text: str, language: str) -> Iterator[Span]:
    """Sound descriptions with words before and behind them."""
    for match in _ASIDE.finditer(text):
        before, inside = text[: match.start()].rstrip(), _ROUND.findall(match[0])
        if not any(map(str.isalnum, text[match.end() :])) or not regex.search(
            r"[\p{L}\p{N}]|[\"“„«']$", before
        ):
            continue
        if match["starred"] and not is_usual_label(match["starred"], language):
            continue
        usual = [is_usual_label(one, language) for one in inside]
        ended = before.rstrip("'’”»").endswith((".", "!", "?", "…", '"', ","))
        # Two of three tell a label: a capital, usual words, an end before it.
        sure = (
            bool(regex.match(r"\p{Lu}\S+(?: \p{Lu}\S+)*$", one)) + known + ended > 1
            for one, known in zip(inside, usual, strict=True)
        )
        read = "" if all(sure) else None
        if read is not None or any(usual):
            yield _span("label", match, (match[0].rstrip(" ,"),), read, held=False)


def _signs(text: str) -> Iterator[Span]:
    """Signs: between words the model reads a dash for them, elsewhere nothing."""
    for match in regex.finditer(r"(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])", text):
        yield _span("sign", match, held=False)
    dashed = regex.search(r"(?<!\S)[-–—]+(?!\S)", text) is not None
    for match in _SIGN.finditer(text):
        start, end = match.span()
        spaced = text[start - 1 : start] == " " == text[end : end + 1]
        if match["picture"] or not spaced or dashed:
            yield _span("sign", match, (), "", held=False)
        else:
            yield _span("sign", match, (), "-", _DASHES, "-", held=False)


def _times(known: _Text) -> Iterator[Span]:
    for time in find_times(known.text, known.source, known.language, known.target):
        source, start, forms, read, made, usual = time
        yield Span(source, start, forms, kind="time", read=read, made=made, usual=usual)


def _heights(known: _Text) -> Iterator[Span]:
    for match in _HEIGHT.finditer(known.text):
        forms = say.height_forms(match["feet"], match["inches"], known.language)
        yield _measure(known, match, "2", "long", (*forms, match[0]))
    for match in _FRENCH_HEIGHT.finditer(known.text) if known.source == "fr" else ():
        figure = f"{match[1]}.{match[2]}"
        yield _measure(known, match, figure, "long", say.measure_forms(figure, "m", known.language))


def _measure(
    known: _Text,
    match: regex.Match[str],
    figure: str,
    kind: str,
    forms: tuple[str, ...],
    end: int | None = None,
) -> Span:
    made = rf"(?:{say.figure_pattern(figure, known.target)})[ \u00a0-]?(?:{words_of('made')[kind]})"
    usual = f"{say.written_figure(figure, known.language)} {known.theirs['units'][kind]}"
    read = f"{known.as_read(figure)} {known.own['units'][kind]}"
    return _span("measure", match, forms, read, made, usual, end=end)


def _amounts_and_measures(known: _Text) -> Iterator[Span]:
    """Numbers with the sign of a currency or of a unit."""
    text, digits = known.text, _ENGLISH if known.source == "en" else _OTHER
    pattern = (
        rf"(?<![\w.,$£€¥/:-])(?:(?P<sign>{_SIGNS})\s?|{_NO_REST})(?P<figure>{digits})"
        rf"(?:\s?[-–]\s?(?:{_SIGNS})?(?P<to>{digits}))?"
    )
    for match in regex.finditer(pattern, text):
        figure, to = (say.english_figure(match[end] or "", known.tag) for end in ("figure", "to"))
        end, sign = match.end(), match["sign"]
        many = _many(known.source).match(text, end)
        after = many.end() if many else end
        behind = regex.compile(rf"\s?(?P<sign>{_SIGNS})").match(text, after)
        if sign is not None:
            end = after
        elif behind is not None:
            sign, end = behind["sign"], behind.end()
        elif not to and (unit := _UNIT.match(text, end)) is not None:
            key = unit["unit"].replace("º", "°").replace(" ", "")
            forms = say.measure_forms(figure, key, known.language)
            kind = words_of("signs")[key][0]
            yield _measure(known, match, figure, kind, forms, unit.end())
        if sign is not None and not regex.match(r"[\w%]|[.,:'/-][0-9]", text[end:]):
            scale = 10 ** _scales(known.source)[many["scale"].lower()] if many else 1
            yield _amount(known, match, end, (figure, to), scale, sign)


@cache
def _scales(language: str) -> Mapping[str, int]:
    """The words and signs behind a number that multiply it, with their noughts."""
    scales = words_of(language)["scales"].items()
    return {word.replace("_", " "): noughts for noughts, words in scales for word in words.split()}


@cache
def _many(language: str) -> regex.Pattern[str]:
    words = "|".join(sorted(_scales(language), key=len, reverse=True))
    of = r"(?:(?<=(?i:mio|mrd|tsd|ml[nd]))\.)?(?:\sd(?:[ei](?=\s)|['’]))?"
    return regex.compile(rf"\s?-?(?P<scale>(?i:{words}))(?!\p{{L}}){of}")


def _amount(
    known: _Text,
    match: regex.Match[str],
    end: int,
    ends: tuple[str, str],
    scale: int,
    sign: str,
) -> Span:
    figure, to = ends
    sign = sign.removeprefix("US")
    if scale == 1000:  # $20k: in digits
        figure, to = (f"{say.value_of(end) * 1000:,.0f}" if end else "" for end in ends)
        scale = 1
    span = f"{figure}–{to}" if to else figure
    forms = say.amount_forms(span, scale, sign, known.language)
    digits = say.figure_pattern(figure, known.target)
    read, gap = f"{known.as_read(figure)} ", r"[ \u00a0-]?"
    if scale > 1:
        read += f"{say.scale_word(figure, scale, known.source)} {known.own['of']}"
        gap = r" \w+\.?(?: millones)?(?: d[ei])? "
    made = rf"(?:{digits}){gap}(?:{_MADE_MONEY})|(?:{digits})[ \u00a0]?\$"
    made += rf"|\$ ?(?:{digits})(?: \w+illion)?"
    single = say.value_of(figure) == 1 and scale == 1
    read += known.own["dollar"] if single else known.own["units"]["money"]
    usual = f"{say.written_figure(figure, known.language)} {known.theirs['units']['money']}"
    return _span("amount", match, forms, read, made, usual, end=end)


def _numbered(known: _Text) -> Iterator[Span]:
    """No. 5, which a model takes for a no: Nr. 5, n.º 5, n° 5, n. 5."""
    for match in _NUMBERED.finditer(known.text):
        figure = match["figure"]
        digits = say.figure_pattern(figure, known.target)
        made = rf"(?:number|nummer|n[uú]m[eé]ro|nr|no|n)\.?[ \u00a0]?(?:{digits})"
        gaps, signs = (say.NO_BREAK_SPACE, " ", ""), known.theirs["numero"]
        forms = tuple(f"{sign}{gap}{figure}" for gap in gaps for sign in signs)
        read, usual = (f"{words['numero'][1]} {figure}" for words in (known.own, known.theirs))
        yield _span("number", match, forms, read, made, usual)


def _fractions(known: _Text) -> Iterator[Span]:
    for match in _FRACTION.finditer(known.text):
        whole = (match["whole"] or "").strip()
        figure = f"{int(whole or 0) + numeric(match['sign']):.3f}".rstrip("0")
        shown = whole + match["sign"]
        made = say.figure_pattern(figure, known.target)
        usual = say.written_figure(figure, known.language)
        half = known.theirs["half"].split() if match[0].startswith("½") else ()
        forms = (shown, usual, *half, f"{whole} {match['sign']}".strip())
        yield _span("number", match, forms, known.as_read(figure), made, usual)


def _phones(known: _Text) -> Iterator[Span]:
    form = known.own["phones"]
    apart = "" if known.source == "en" else r"(?<![0-9] )"
    behind = r"[\w-]" if known.source == "en" else r"[\w-]| ?[0-9€$%]"
    pattern = rf"(?<![\w.,'/+$£€-]){apart}(?:{_ABROAD}|{form})(?!{behind})"
    for match in regex.finditer(pattern, known.text):
        plain = (regex.sub(r" ?[/.-] ?", " ", match[0]), regex.sub(r"\D", "", match[0]))
        forms = tuple(dict.fromkeys((match[0], *plain)))
        yield _span("thing", match, forms)


def _things(text: str, language: str, source: str | None) -> Iterator[Span]:
    but = _GERMAN_WORDS if source == "de" else ""
    pattern = rf"(?<![\w.'*/-])(?:{_THING.format(but)})(?![\w*-])"
    letters = words_of(closest_language(language, LANGUAGES) or "en")["letters"]
    for match in _DOTTED.finditer(text):
        bare = match[0].replace(".", "")
        forms = (match[0], bare, *letters.get(bare, ()))
        yield _span("thing", match, forms, held=False)
    for match in regex.finditer(pattern, text):
        bare = regex.sub(r"-(?=[0-9])", "", match[0])  # COVID-19
        spelt = regex.sub(r"(?<=[A-Za-z])(?=[0-9])", "-", bare, count=1)
        singular = match[0].removesuffix("s")
        forms = (match[0], *name(match[0]).targets_in(language), singular, bare, spelt)
        masked = regex.sub(r"(?:\\\*)+", r"(?<!\\*)\\*++", regex.escape(match[0]))
        read, made = (match[0], masked) if "*" in match[0] else (None, "")
        yield _span("thing", match, tuple(dict.fromkeys(forms)), read, made, match[0])


def _numerals(known: _Text) -> Iterator[Span]:
    for match in _ROMAN.finditer(known.text):
        yield _span("number", match, say.numeral_forms(match[0], known.language))


def _plain_numbers(text: str) -> Iterator[Span]:
    """Numbers of a language whose separators are not known."""
    for match in _NUMBER[True].finditer(text):
        if (match[0].isdecimal() and len(match[0]) > 1) or match["version"]:
            yield _span("number", match)


def _numbers(known: _Text) -> Iterator[Span]:
    """Numbers in digits: those from a million up are stood in for."""
    text = known.text
    free = _unused(_STAND_INS, text)
    for match in _NUMBER[known.source == "en"].finditer(text):
        figure = say.english_figure(match["figure"], known.tag) if match["figure"] else ""
        if not figure:
            yield _span("number", match)
            continue
        if "." in figure and _TIME_BEFORE.search(text[max(0, match.start() - 8) : match.start()]):
            continue
        forms = say.figure_forms(figure, known.language)
        forms += (match[0],) if "." in figure and not {",", "."} <= {*match[0]} else ()
        forms += say.number_forms(1000, known.language) if figure == _THOUSAND else ()
        if match["share"]:
            signs = ("%", "\u00a0%", *(f" {word}" for word in known.theirs["percent"]))
            forms = tuple(figure + sign for sign in signs for figure in forms or (match["figure"],))
        forms = tuple(dict.fromkeys(forms))
        if not forms:
            continue
        large = say.value_of(figure) >= 1_000_000 and "." not in figure
        if read := next(free, "") if large else "":
            yield _span("number", match, forms, read, read, read)
        else:
            yield _span("number", match, forms, held=figure != _THOUSAND)


def find_placeables(text: str, source_language: str, language: str) -> tuple[Occurrence, ...]:
    """Return what a translation of a text is to have, each once, in the order of their places.

    Args:
        text: In the source language.
        source_language: Its tag.
        language: Tag of the target language.
    """
    plain = plain_characters(text)
    spans = find_spans(plain, source_language, language)
    # What is the same each time can be counted: numerals and fractions too.
    times = Counter(
        span.source
        for span in spans
        if span.kind in ("address", "label", "sign")
        or (span.kind == "number" and not any(map(str.isdigit, span.source)))
    )
    kept: dict[str | int, Occurrence] = {}
    for span in spans:
        source = span.source.strip() if span.kind == "label" else span.source
        told = replace(span, source=source, language=language, times=max(times[span.source], 1))
        kept.setdefault(span.source, told)
    for words, start, value in find_spelt_numbers(plain, source_language):
        if forms := say.number_forms(value, language):
            digits = say.in_digits(value, source_language)
            one = Occurrence(words, start, forms, True, language=language, digits=digits)
            kept.setdefault(value, one)
    return tuple(disjoint(kept.values()))
