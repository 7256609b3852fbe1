"""Shows what the memory of earlier episodes is worth to the next ones of a series.

Episodes are ``NAME.en.srt`` with human translations ``NAME.de.srt`` beside them, in the order of
their names. Each is translated with nothing, and with the human translations of all before it as
memories. Beside chrF and BLEU of all cues with a translation and the characters over budget it
counts terms kept: of the words of seven letters or more that the human translations of the memory
have at least twice, those in the references that stand in the same cue of the translation.

    python -m benchmarks.memory_series models/en-multi FOLDER/lesson-*.en.srt -t de --skip 3
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from benchmarks.measuring import markdown
from subfit.decoding.translator import Translator
from subfit.evaluation.metrics import translation_quality
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.memory.files import read_entries
from subfit.memory.store import Languages
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import read_track
from subfit.subtitles.markup.payload import plain_text

TITLES = ("memory", "BLEU", "chrF", "terms kept", "cues over", "characters over")
_WORD = re.compile(r"\b[^\W\d_]{7,}\b")


@dataclass(frozen=True, slots=True)
class Episode:
    """One file with its human translation, and the pairs of all before it."""

    source: Track
    reference: Track
    memory: tuple[str, ...]


def episodes(files: Sequence[Path], language: str) -> Iterator[Episode]:
    """Yield the episodes that have a translation with as many cues, in order."""
    before: list[str] = []
    for path in sorted(files):
        translated = path.with_name(path.name.replace(".en.", f".{language}."))
        if translated.is_file():
            source = read_track(path, source_language="en")
            reference = read_track(translated, source_language=language)
            if len(source.cues) == len(reference.cues):
                yield Episode(source, reference, tuple(before))
            before.append(f"{path}:{translated}")


def texts(track: Track) -> list[str]:
    """The words of each cue in one line."""
    return [" ".join(plain_text(cue.text, track.format).split()) for cue in track.cues]


def terms_of(episode: Episode, languages: Languages) -> set[str]:
    """The long words that the memory has in at least two of its translations."""
    counts: Counter[str] = Counter()
    for name in episode.memory:
        for entry in read_entries(name, languages):
            counts.update(set(_WORD.findall(entry.target)))
    return {word for word, count in counts.items() if count >= 2}


def kept(outputs: Sequence[str], references: Sequence[str], terms: set[str]) -> tuple[int, int]:
    """How many of the references' terms their cues have, and how many there are."""
    there = [
        (set(_WORD.findall(reference)) & terms, text)
        for reference, text in zip(references, outputs, strict=True)
    ]
    return sum(word in text for words, text in there for word in words), sum(
        len(w) for w, _ in there
    )


def main() -> None:
    """Print a row without and with memories, over all episodes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("-t", "--target-language", required=True)
    parser.add_argument("--skip", type=int, default=1, help="episodes that are memory only")
    parser.add_argument("--every", type=int, default=1, help="translate every n-th episode only")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    language = given.target_language
    languages = Languages("en", language)
    guideline = Guideline.load("netflix", language)
    translator = Translator.load(given.model, target_language=language, counting=guideline.counting)
    document: dict[str, Any] = {}
    chosen = list(episodes(given.files, language))[given.skip :: given.every]
    for name in ("none", "all episodes before"):
        outputs, references, made = list[str](), list[str](), list[Localization]()
        said = wanted = 0
        for episode in chosen:
            options = Options() if name == "none" else Options(memory=episode.memory)
            done = localize(episode.source, translator, guideline, options)
            made.append(done)
            ours, theirs = texts(done.track), texts(episode.reference)
            part = kept(ours, theirs, terms_of(episode, languages))
            said, wanted = said + part[0], wanted + part[1]
            outputs += ours
            references += theirs
        quality = translation_quality(outputs, references)
        after = [each.report.totals["overflow"]["after"] for each in made]
        matches: Counter[str] = Counter()
        for each in made:
            matches.update(each.report.totals.get("memory", {}))
        document[name] = {
            "episodes": len(chosen), "cues": len(outputs), "bleu": quality["BLEU"],
            "chrf": quality["chrF"], "terms_kept": said, "terms": wanted,
            "over": sum(each["over"] for each in after),
            "characters_over": sum(each["characters"] for each in after), "matches": dict(matches),
        }  # fmt: skip
    rows = [
        [name, f"{row['bleu']:.1f}", f"{row['chrf']:.1f}", f"{row['terms_kept']} of {row['terms']}",
         str(row["over"]), f"{row['characters_over']:.0f}"]
        for name, row in document.items()
    ]  # fmt: skip
    print(
        f"{language}: {len(chosen)} episodes, {document['none']['cues']} cues;"
        f" {document['all episodes before']['matches']}\n"
    )
    print(markdown(TITLES, rows))
    if given.json:
        given.json.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
