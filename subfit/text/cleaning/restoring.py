"""The translation of a cleaned text as the target language writes what the model did not read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from subfit.text.alignment import WordScores
from subfit.text.casing import capitals
from subfit.text.cleaning.asides import place_before
from subfit.text.cleaning.cleaning import Cleaned
from subfit.text.cleaning.clock_times import tidied_around
from subfit.text.cleaning.edits import Edit, edited
from subfit.text.cleaning.looks import with_look
from subfit.text.cleaning.marks import places_of
from subfit.text.cleaning.rendering import Rendering


def restore(cleaned: Cleaned, translation: str, known: WordScores | None = None) -> str:
    """Return a translation of a cleaned text with everything put back.

    What stands nowhere in the translation cannot be: `StandIn.targets` tell what is missing then.

    Args:
        cleaned: The text as the model read it.
        translation: What it made of it, in one line.
        known: What is known of the words of both languages.
    """
    if not cleaned.changed or not translation:
        return translation
    language = cleaned.language
    edits = [*_stand_in_edits(cleaned, translation)]
    shouted: list[tuple[int, int]] = []
    if cleaned.words or cleaned.asides:
        rendering = Rendering.of(
            cleaned.text,
            translation,
            source_language=cleaned.source_language,
            language=language,
            known=known,
        )
        edits += _word_edits(cleaned, rendering)
        shouted += _shouted(cleaned, rendering)
        for at, aside in cleaned.asides:
            place = place_before(at, rendering)
            edits.append(Edit(place, place, aside.beside(translation, place)))
    places = places_of(cleaned.text, [at for at, _ in cleaned.marks], translation)
    for (_, mark), span in zip(cleaned.marks, places, strict=True):
        if span is not None:
            edits.append(Edit(*span, mark.written))
    text = edited(translation, edits, shouted, partial(capitals, language=language))
    times = any(stand_in.kind == "time" for stand_in in cleaned.stand_ins)
    return cleaned.frame + (tidied_around(text, language) if times else text) + cleaned.frame


def _stand_in_edits(cleaned: Cleaned, translation: str) -> Iterator[Edit]:
    """What the model made of stand-ins, as it is to be written; the last of some takes the rest."""
    taken: list[tuple[int, int]] = []
    for number, stand_in in enumerate(cleaned.stand_ins):
        again = any(other.pattern == stand_in.pattern for other in cleaned.stand_ins[number + 1 :])
        for start, end in stand_in.places_in(translation):
            if any(start < stop and begin < end for begin, stop in taken):
                continue
            taken.append((start, end))
            yield Edit(start, end, stand_in.as_written(translation[start:end]), fixed=True)
            if again or stand_in.kind in ("arrow", "time"):
                break


def _word_edits(cleaned: Cleaned, rendering: Rendering) -> Iterator[Edit]:
    """Words with stutters and drawn-out letters, where they stand for such words."""
    done: set[int] = set()
    for at, word in cleaned.words:
        if not (word.stutter or word.drawn):
            continue
        target = rendering.target_of(at, first=bool(word.stutter))
        if target is None or target in done:
            continue
        done.add(target)
        place = rendering.words.target[target]
        yield Edit(place.start, place.end, with_look(place.text, word, cleaned.language))


def _shouted(cleaned: Cleaned, rendering: Rendering) -> Iterator[tuple[int, int]]:
    """Where a translation is to be in capitals: whole sentences, or words that are sure."""
    ranges = [(at, at + len(word.plain)) for at, word in cleaned.words if word.shouted]
    if not ranges:
        return
    words = rendering.words
    loud = {
        number
        for number, word in enumerate(words.source)
        if any(start <= word.start < end for start, end in ranges)
    }
    for number, (start, end) in enumerate(rendering.source_sentences):
        inside = [n for n, word in enumerate(words.source) if start <= word.start < end]
        whole = all(n in loud or words.source[n].text.isupper() for n in inside)
        if inside and whole and rendering.paired:
            yield rendering.sentences[number]
            loud -= {*inside}
    for source in loud:
        own = rendering.standing_for(source)
        for target in own if len(loud) > 1 else own[-1:]:
            yield words.target[target].start, words.target[target].end
