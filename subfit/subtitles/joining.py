"""Which cues are one sentence.

A sentence is followed into the next cue where the text visibly goes on: its end is open, at a
comma, or in dots, and the next cue starts as the rest of a sentence does (`Seam.runs_on`). A cue
that closes one sentence and begins another is joined with all it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from subfit.subtitles.cues import Cue
from subfit.subtitles.markup.cuetext import CueText
from subfit.subtitles.seams import LONGEST_PAUSE, Utterance, habits_of, seams_of, utterances_of
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.non_speech import split_non_speech
from subfit.text.recasing import names_in, uncapitalised
from subfit.text.sentence_ends import end_of, sentences_in, without_dots

MOST_CUES = 6
"""Cues that one sentence is followed over."""
MOST_CHARACTERS = 240
"""Characters of a joined sentence: about what translation models see in training."""
LONGEST_CHAIN = 24
"""Cues over which several sentences are followed that do not end where cues do."""


def join_cues(
    cues: Sequence[Cue],
    texts: Sequence[CueText],
    *,
    translate_sounds: bool = False,
    across_cues: bool = True,
    language: str = "en",
) -> tuple[Sentence, ...]:
    """Make sentences of the cues that have something to translate.

    Empty cues, cues of music only and (unless ``translate_sounds``) of sounds only give none.

    Args:
        cues: The track's cues.
        texts: Their payloads, from `subfit.subtitles.sentences.parse_cues`.
        translate_sounds: Also translate ``[DOOR SLAMS]``.
        across_cues: Follow sentences over cues; otherwise every cue stands alone.
        language: The cues' language tag.

    Returns:
        Sentences in the order of their first cue; every turn that is spoken is in exactly one. Dots
        that only show that a sentence runs on are not in its text but beside it
        (`Part.opening`, `Part.closing`), as is what is not said (`Part.lead`, `Part.tail`).
    """
    kinds = frozenset({"speech", "sound"} if translate_sounds else {"speech"})
    turns = list(utterances_of(cues, texts, kinds))
    chains = _chains(turns, language) if across_cues else [[turn] for turn in turns]
    sentences = [
        _sentence(bound, language, sounds=not translate_sounds)
        for chain in chains
        for bound in _within_bounds(chain, language)
    ]
    return _with_names(sentences, turns)


def _chains(turns: Sequence[Utterance], language: str) -> list[list[Utterance]]:
    """Turns that run on, together."""
    seams = seams_of(turns, language)
    habits = habits_of(turns, seams, language)
    chains = [[turn] for turn in turns[:1]]
    for seam in seams:
        if seam.runs_on(habits):
            chains[-1].append(seam.after)
        else:
            chains.append([seam.after])
    return chains


def _with_names(sentences: Sequence[Sentence], turns: Sequence[Utterance]) -> tuple[Sentence, ...]:
    """Tell sentences in capitals which words are names in the rest of the file."""
    if not any(sentence.shouted for sentence in sentences):
        return tuple(sentences)
    names = names_in(turn.part.text for turn in turns)
    return tuple(
        replace(sentence, names=names) if sentence.shouted else sentence for sentence in sentences
    )


def is_chain(cues: int, characters: int) -> bool:
    """Whether what runs over so many cues is longer than one sentence may be.

    If it is several sentences, none of which ends at the end of a cue, each is translated alone.
    """
    return cues > MOST_CUES or characters > MOST_CHARACTERS


def _within_bounds(chain: list[Utterance], language: str) -> Iterator[list[Utterance]]:
    """Cut a chain of turns where one sentence of it is too long, at the best places."""
    characters = sum(len(turn.part.text) + 1 for turn in chain) - 1
    if len(chain) == 1 or not is_chain(len(chain), characters):
        yield chain
        return
    text = " ".join(turn.part.text for turn in chain)
    sentences = sentences_in(text, language)
    parted = len(sentences) > 1 and max(map(len, sentences)) <= MOST_CHARACTERS
    if parted and len(chain) <= LONGEST_CHAIN:
        yield chain  # to be translated sentence by sentence
        return

    def badness(cut: int) -> float:
        before, after = chain[cut - 1], chain[cut]
        end = end_of(before.part.text, after.part.text, language)
        begun = sum(len(turn.part.text) + 1 for turn in chain[:cut])
        pause = min(after.cue.start - before.cue.end, LONGEST_PAUSE) / LONGEST_PAUSE
        return abs(begun / characters - 0.5) - 0.2 * (end in ("clause", "trails")) - 0.2 * pause

    cut = min(range(1, len(chain)), key=badness)
    yield from _within_bounds(chain[:cut], language)
    yield from _within_bounds(chain[cut:], language)


def _sentence(chain: Sequence[Utterance], language: str, *, sounds: bool) -> Sentence:
    """A sentence of turns; dots where it runs on, and what is no speech, stand beside its text."""
    named = language if chain[0].cue.duration > 0 else None
    parts = [_without_non_speech(turn.part, sounds=sounds, language=named) for turn in chain]
    for number in range(len(parts) - 1):
        before, after = parts[number], parts[number + 1]
        text, closing = without_dots(before.text, at_end=True)
        rest, opening = without_dots(after.text, at_end=False)
        if end_of(before.text, after.text, language) in ("clause", "trails"):
            rest = uncapitalised(rest, language)
        parts[number] = replace(before, text=text, closing=closing)
        parts[number + 1] = replace(after, text=rest, opening=opening)
    return Sentence(tuple(parts), language, keeps_sounds=sounds)


def _without_non_speech(part: Part, *, sounds: bool, language: str | None) -> Part:
    """A part with what is not said of it beside its text; sound descriptions only if ``sounds``."""
    lead, text, tail = split_non_speech(part.text, sounds=sounds, language=language)
    return replace(part, text=text, lead=lead, tail=tail)
