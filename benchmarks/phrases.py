"""How often breaks part words that belong together: defined once, for every figure.

A *break* is a place where a text goes on in the next line of its cue, or in the next cue of its
sentence. It is *broken* where the rules of line breaks (`subfit.text.linebreak_rules`) give it 50
or more demerits: after an article, possessive, preposition or conjunction, between pronoun,
auxiliary or negation and the verb, within a name or a fixed phrase, between a number and what it
counts. Netflix's Timed Text Style Guide tells to avoid such breaks ("Line Treatment": article and
noun, noun and adjective, first and last name, verb and subject pronoun, prepositional verb and
preposition, verb and auxiliary, reflexive pronoun or negation). The words are those of lists, so
rates of one language compare, those of different languages do not.

A *false stop* is a full stop, question mark or exclamation mark that ends a cue whose sentence runs
on in the source: what is translated piece by piece is closed where it does not end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import regex

from subfit.reporting.lengths import plain_data
from subfit.subtitles.sentences import Sentence
from subfit.text.linebreak_rules import split_pieces
from subfit.text.sentence_ends import without_dots

PARTS_A_PHRASE = 50.0
"""Demerits from which on a break parts what belongs together."""

_STOP = regex.compile(r"(?<!\.)[.!?。！？](?!\.)[\s\p{Pe}\p{Pf}\"'»”’*]*$")
_NEW_TURN = regex.compile(r"\s*[-–—]\s?\w")


@dataclass(frozen=True, slots=True)
class PhraseBreaks:
    """Breaks of a track, and how many of them are broken."""

    lines: int = 0
    """Breaks between the lines of a cue, those before another speaker's line left out."""
    broken_lines: int = 0
    cues: int = 0
    """Breaks between the cues of a sentence."""
    broken_cues: int = 0
    false_stops: int = 0
    """Of these, those behind a mark that closes the sentence."""

    @property
    def share(self) -> float:
        """Share of all breaks that are broken; NaN of none."""
        total = self.lines + self.cues
        return (self.broken_lines + self.broken_cues) / total if total else math.nan

    @property
    def share_of_cues(self) -> float:
        """Share of the breaks between cues that are broken; NaN of none."""
        return self.broken_cues / self.cues if self.cues else math.nan

    @property
    def share_of_stops(self) -> float:
        """Share of the breaks between cues that are false stops; NaN of none."""
        return self.false_stops / self.cues if self.cues else math.nan

    def __add__(self, other: PhraseBreaks) -> PhraseBreaks:
        """Return the breaks of two tracks together."""
        mine, theirs = asdict(self), asdict(other)
        return PhraseBreaks(**{name: mine[name] + theirs[name] for name in mine})

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        shares = {"share": self.share, "share_of_cues": self.share_of_cues}
        found = {**asdict(self), **shares, "share_of_stops": self.share_of_stops}
        return dict(plain_data(found))


def cue_breaks(sentences: Iterable[Sentence]) -> frozenset[int]:
    """Return the cues, by index, whose last sentence runs on into the next cue."""
    return frozenset(part.cue for sentence in sentences for part in sentence.parts[:-1])


def phrase_breaks(texts: Sequence[str], run_on: Iterable[int], language: str) -> PhraseBreaks:
    """Count the breaks of a translated track.

    Args:
        texts: Per cue its plain text with its line breaks; empty for what is not to be judged.
        run_on: Cues, by index, whose sentence runs on into the next one; from `cue_breaks` of the
            source, so that all translations of it are judged by the same breaks.
        language: The translation's language tag.
    """
    within = [
        is_broken(above, below, language)
        for text in texts
        for above, below in _pairs(text.split("\n"))
        if not _NEW_TURN.match(below)
    ]
    between = [
        (texts[index].split("\n")[-1], texts[index + 1].split("\n")[0])
        for index in sorted(run_on)
        if index + 1 < len(texts) and texts[index].strip() and texts[index + 1].strip()
    ]
    return PhraseBreaks(
        lines=len(within),
        broken_lines=sum(within),
        cues=len(between),
        broken_cues=sum(is_broken(above, below, language) for above, below in between),
        false_stops=sum(bool(_STOP.search(above)) for above, _ in between),
    )


def is_broken(above: str, below: str, language: str) -> bool:
    """Tell whether a break between two texts parts what belongs together.

    Args:
        above: The line before the break; dots that show the sentence running on do not count.
        below: The line behind it.
        language: Their language tag.
    """
    above, below = without_dots(above, at_end=True)[0], without_dots(below, at_end=False)[0]
    above = " ".join(above.split())
    end = 0
    for piece in split_pieces(f"{above} {below}", language):
        end += len(piece.text)
        if end >= len(above):
            return end > len(above) or piece.demerits >= PARTS_A_PHRASE
        end += len(piece.glue)
    return False


def _pairs(lines: Sequence[str]) -> Iterable[tuple[str, str]]:
    kept = [line for line in lines if line.strip()]
    return pairwise(kept)
