"""Put spans that must stay into cues, translate them badly, and see that each is kept or told.

    python -m tests.fuzz_spans --cues 2000 -t de
    python -m tests.fuzz_spans --cues 40 -t fr --model en-multi     (with a real model)
    python -m tests.fuzz_spans --cues 2000 --file film.en.srt       (into the cues of a film)

Without a model what translates is a script that copies, drops, doubles and garbles words, and
loses the signs that a small vocabulary lacks. A span is kept if its cues have it as their source
has it, or as the target language writes it, as often as there; told if a term of the cue is
reported as missing, or the cue as having lost or got a number.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from subfit import load_translator
from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.fitting.outcomes import CueOutcome
from subfit.limits.guideline import Guideline, override
from subfit.localization import localize
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import read_track
from subfit.terms.glossary import plain_characters
from subfit.terms.protected import find_spans
from subfit.text.counting import EVERYTHING, Counting, count_characters
from tests.scripted import ScriptedTranslator

EXAMPLE = Path(__file__).parent.parent / "examples" / "lighthouse.en.srt"
_NAMES = ("harbor", "index", "total", "user", "report", "tower")


def _figure(source: random.Random) -> str:
    digits = source.choice((1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 10))
    return f"{source.randrange(10 ** (digits - 1), 10**digits):,}"


KINDS: dict[str, Callable[[random.Random], str]] = {
    "number": lambda source: _figure(source),
    "decimal": lambda source: f"{source.randrange(1, 90)}.{source.randrange(1, 100)}",
    "round": lambda source: f"{source.randrange(1, 9)}" + ",000" * source.randrange(1, 4),
    "fraction": lambda source: source.choice(("½", "¼", "¾", "1½", "2 ¾")),
    "no": lambda source: f"{source.choice(('No. ', 'no. ', 'No.', '№ '))}{source.randrange(2, 99)}",
    "roman": lambda source: source.choice(("Henry VIII", "Elizabeth II", "Part IV", "Chapter XI")),
    "money": lambda source: (
        source.choice("$£€") + _figure(source) + source.choice(("", "", " million"))
    ),
    "share": lambda source: f"{source.randrange(2, 100)}%",
    "measure": lambda source: (
        f"{source.randrange(2, 200)} " + source.choice(("km", "kg", "mph", "°C", "km/h", "lbs"))
    ),
    "time": lambda source: (
        f"{source.randrange(1, 12)}:{source.randrange(10, 59)}"
        + source.choice((" p.m.", " a.m.", "", "pm"))
    ),
    "phone": lambda source: f"555-{source.randrange(1000, 9999):04d}",
    "thing": lambda source: source.choice(("PyTorch", "GPT-4", "MP3", "get_text", "F-16", "B12")),
    "dotted": lambda source: source.choice(("U.K.", "U.N.", "U.S.", "F.B.I.")),
    "address": lambda source: source.choice(
        (
            f"https://www.{source.choice(_NAMES)}.org/a?b={source.randrange(99)}",
            f"{source.choice(_NAMES)}.example.com",
            f"{source.choice(_NAMES)}@example.org",
            f"@{source.choice(_NAMES)}_{source.randrange(99)}",
        )
    ),
    "path": lambda source: source.choice(
        (
            rf"C:\new\{source.choice(_NAMES)}\Notes.txt",
            f"/home/{source.choice(_NAMES)}/notes.txt",
            f"{source.choice(_NAMES)}-{source.randrange(9)}.jpg",
        )
    ),
    "code": lambda source: source.choice(
        ("List<String>", "print()", "{name}", "${total}", "--no-join", "`x = 1`", "{{user}}", "%s")
    ),
    "sign": lambda source: source.choice(
        ("🎉", "👍🏽", "★", "→", "≤", "❤️", "<3", "™", "†", "^", "|")
    ),
    "foreign": lambda source: source.choice(("Привет", "こんにちは", "שלום")),
    "label": lambda source: source.choice(
        ("[sighs]", "(SIGHS)", "{laughs}", "<laughter>", "[clears throat]", "*sighs*", "[bleep]")
    ),
}
"""Spans by kind, each made at random."""


@dataclass(frozen=True)
class Placed:
    """A span in a text."""

    kind: str
    text: str
    cue: int


def with_spans(track: Track, count: int, seed: int) -> tuple[Track, list[Placed]]:
    """Return as many cues as are wanted, of texts of a track with one span each, or with two."""
    source = random.Random(seed)
    texts = [" ".join(cue.text.split()) for cue in track.cues]
    texts = [text for text in texts if len(text.split()) > 2 and not regex.search(r"[♪<{\[]", text)]
    cues: list[Cue] = []
    placed: list[Placed] = []
    for number in range(count):
        words = source.choice(texts).split()
        for _ in range(source.choice((1, 1, 1, 2))):
            kind = source.choice(tuple(KINDS))
            span = KINDS[kind](source)
            at = source.randrange(len(words) + 1)
            if at and words[at - 1] in {one.text for one in placed if one.cue == number}:
                continue
            words.insert(at, span)
            placed.append(Placed(kind, span.split()[-1] if kind == "roman" else span, number))
        start = 4000 * number
        cues.append(Cue(start, start + 3900, " ".join(words), str(number + 1)))
    return Track(tuple(cues), format="srt"), placed


class Careless(ScriptedTranslator):
    """Copies what it is given, and drops, doubles or garbles some of it."""

    bars_words = False

    def __init__(self, language: str, seed: int, counting: Counting = EVERYTHING) -> None:
        super().__init__({}, counting)
        self.language = self.target_language = language  # type: ignore[assignment]
        self._seed = seed

    def _answers(self, request: Request) -> list[Hypothesis]:
        made = [
            damaged(request.text, random.Random(f"{self._seed} {request.text} {n}")) for n in (1, 2)
        ]
        return [
            Hypothesis(text, count_characters(text, self.counting), -0.1 * rank, -0.1 * rank)
            for rank, text in enumerate(made, start=1)
            if text and count_characters(text, self.counting) <= request.ceiling
        ]


def damaged(text: str, source: random.Random) -> str:
    """Return a text as a bad translator copies it: words gone, doubled, garbled, out of order."""
    words = regex.sub(r"[\\{}<>|~^`]|\p{Emoji_Presentation}", "", text).split()
    level = source.choice((0.0, 0.1, 0.3))
    made: list[str] = []
    for word in words:
        what = source.random()
        if what < level / 4:
            continue
        if what < level / 2:
            made += [word, word]
        elif what < 3 * level / 4:
            at = source.randrange(len(word))
            made.append(word[:at] + word[at + 1 :] or word)
        elif what < level:
            made.append(regex.sub(r"\d", lambda _: str(source.randrange(10)), word.lower()))
        else:
            made.append(word)
    if source.random() < level:
        source.shuffle(made)
    return " ".join(made)


def faults(
    track: Track, placed: Sequence[Placed], outcomes: Sequence[CueOutcome], language: str
) -> Iterator[tuple[Placed, str]]:
    """Yield spans that are neither kept nor told, each with what is wrong."""
    for span in placed:
        near = outcomes[max(0, span.cue - 5) : span.cue + 6]
        joined = {at for one in near if span.cue in one.joined for at in one.joined}
        group = [outcomes[at] for at in sorted({span.cue, *joined})]
        source = " ".join(one.cue.text for one in group)
        target = " ".join(one.target.replace("\n", " ") for one in group)
        forms = accepted(span.text, language)
        counts = [
            (occurrences(source, (span.text,), mixed=one), occurrences(target, forms, mixed=one))
            for one in (True, False)
        ]
        wanted, found = counts[0]
        if any(one == other for one, other in counts) or all(
            one.status in ("passed", "untranslated") for one in group
        ):
            continue
        if any(told(one, span.text) for one in group):
            continue
        yield span, "missing" if found < wanted else "doubled"


def told(outcome: CueOutcome, span: str) -> bool:
    """Whether a cue is reported as lacking a span, or as having lost or got a number."""
    plain = plain_characters(span)
    lacking = (plain_characters(use.source) for use in outcome.terms if not use.placed)
    return (
        any(one and (one in plain or plain in one) for one in lacking) or "number" in outcome.losses
    )


def accepted(span: str, language: str) -> tuple[str, ...]:
    """What may stand for a span: itself, or as the target language writes it."""
    spans = find_spans(f"They said {span} here.", "en", language)
    if spans and spans[0].source.strip() == span:
        return span, *spans[0].targets
    forms = {span, *(form for one in spans for form in one.targets if one.source in span)}
    if len(spans) == 1 and spans[0].source != span:
        forms |= {span.replace(spans[0].source, form) for form in spans[0].targets}
        forms -= set(spans[0].targets)
    return tuple(forms)


def occurrences(text: str, forms: Sequence[str], *, mixed: bool) -> int:
    """How often forms stand in a text, of those that overlap the longest.

    With ``mixed``, a figure before a fraction is one number with it.
    """
    gaps = r"\s+%(?!\w)" + r"|(?<=(?<![\w.,:$£€-])\d+) (?=[½¼¾])" * mixed
    text = regex.sub(gaps, lambda gap: gap[0].strip(), plain_characters(text))
    found = 0
    for form in sorted(map(plain_characters, forms), key=len, reverse=True):
        edge, case = (
            r"[\p{L}\p{N}]",
            "" if form.isalpha() and (form.isupper() or len(form) < 3) else "(?i)",
        )
        form = regex.sub(r"(?<=\d) (?=[½¼¾])", "", form)
        pattern = rf"{case}(?<!{edge}|\d[.,]){regex.escape(form)}(?!{edge}|[.,]\d)"
        text, times = regex.subn(pattern, "\ufffc", text)
        found += times
    return found


def main() -> int:
    """Translate, and print what is neither kept nor told."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cues", type=int, default=200)
    parser.add_argument("-t", "--target", default="de")
    parser.add_argument("--file", type=Path, default=EXAMPLE, help="whose cues get the spans")
    parser.add_argument("--model", help="a real model; without one a script translates")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="faults to print")
    options = parser.parse_args()
    track, placed = with_spans(
        read_track(options.file, source_language="en"), options.cues, options.seed
    )
    guideline = override(Guideline.load("netflix", options.target), cps=None)
    translator: AnyTranslator = Careless(options.target, options.seed, guideline.counting)
    if options.model:
        translator = load_translator(
            options.model,
            source_language="en",
            target_language=options.target,
            counting=guideline.counting,
        )
    outcomes = localize(track, translator, guideline).outcomes
    found = list(faults(track, placed, outcomes, options.target))
    for span, what in found[: options.show]:
        outcome = outcomes[span.cue]
        uses = [(use.source, use.placed) for use in outcome.terms]
        print(
            f"{what} {span.kind} {span.text!r}\n  {outcome.cue.text}\n  {outcome.target}\n  {uses}"
        )
    kinds = Counter(f"{span.kind} {what}" for span, what in found)
    print(f"{len(placed)} spans in {len(track.cues)} cues, {len(found)} neither kept nor told")
    print(", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
