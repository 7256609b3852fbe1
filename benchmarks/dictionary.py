"""Shows what dictionaries of rare words are worth: lines that have such words, with and without.

Natural translations of the lines of a file whose sources have words that the model's dictionary
knows, by several rewards (``0`` is without the dictionary). A reward is that of every piece, or of
the first and of each after it; behind ``+`` is what it is worth, in nats per token, to say a word
that was put into the source, without which none is put there.

    python -m benchmarks.dictionary models/en-multi mixed.en-de.tsv -t de --rewards 0 1.5 1.5+0.1

With ``--names`` the same of names, and how many of them translations have.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.measuring import markdown
from subfit.decoding import dictionary_bias, switched_search
from subfit.decoding.hypotheses import Request
from subfit.decoding.rare_words import RareWords
from subfit.decoding.search_types import RareWord, TokenHypothesis
from subfit.decoding.switched_search import SwitchedSearch
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import read_pairs
from subfit.evaluation.metrics import translation_quality
from subfit.model.dictionary_file import find_dictionary

TITLES = ("reward", "lines", "changed", "BLEU", "chrF", "names kept", "processor seconds")


@dataclass(frozen=True, slots=True)
class Worth:
    """What it is worth to say a rare word."""

    first: float
    """Nats for the first piece; 0 for a model without a dictionary."""
    more: float
    """For each after it."""
    given: float | None
    """Nats per token for a word that was put into the source; None where none is."""

    @classmethod
    def read(cls, text: str) -> Worth:
        """Read ``FIRST[,MORE][+GIVEN]``."""
        rewards, _, given = text.partition("+")
        first, *more = map(float, rewards.split(","))
        return cls(first, more[0] if more else first, float(given) if given else None)


def translated(
    translator: Translator, sources: Sequence[str], worth: Worth, *, names: bool
) -> list[str]:
    """Translate without limits."""
    find, switched = RareWords.of, SwitchedSearch.search

    def found(rare: RareWords, text: str, terms: Iterable[str] = ()) -> tuple[RareWord, ...]:
        return tuple(word for word in find(rare, text, terms) if is_rewarded(word))

    def is_rewarded(word: RareWord) -> bool:
        return bool(worth.first) and is_name(word) == names

    def searched(own: SwitchedSearch, *given: Any) -> list[list[TokenHypothesis]]:
        return given[-1] if worth.given is None else switched(own, *given)

    with (
        patch.multiple(dictionary_bias, FIRST=worth.first, NEXT=worth.more),
        patch.object(switched_search, "GIVEN", worth.given),
        patch.object(SwitchedSearch, "search", searched),
        patch.object(RareWords, "of", found),
    ):
        nbest = translator.translate([Request(source) for source in sources])
    return [hypotheses[0].text if hypotheses else "" for hypotheses in nbest]


def is_name(word: RareWord) -> bool:
    """Whether a word is a name, and not also a word that the dictionary has."""
    return bool(word.name) and not word.stems


def words_of(translator: Translator, told: str | None) -> RareWords:
    """What finds the rare words and names of sources."""
    checkpoint = translator.checkpoint
    dictionary = find_dictionary(checkpoint, told)
    if dictionary is None:
        raise SystemExit(f"{checkpoint.name} has no dictionary")
    languages = translator.source_language, translator.language
    return RareWords(dictionary, checkpoint.tokenizer, None, languages)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("file", type=Path)
    parser.add_argument("-t", "--target-language")
    parser.add_argument("-s", "--source-language")
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--lines", type=int)
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--rewards", nargs="+", default=["0", "1.5", "1.5+0.1"])
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    languages = options.source_language, options.target_language
    translator = Translator.load(
        options.model,
        source_language=languages[0],
        target_language=languages[1],
        channel_model=None,
    )
    pairs = list(read_pairs(options.file, turned=options.turned))[: options.lines]
    told = languages[0] if options.turned else languages[1]
    rare = words_of(translator, told)
    wanted = [
        [word for word in rare.of(pair.source) if is_name(word) == options.names] for pair in pairs
    ]
    own = [pair for pair, words in zip(pairs, wanted, strict=True) if words]
    wanted = [words for words in wanted if words]
    print(f"{len(own)} of {len(pairs)} lines have {'names' if options.names else 'rare words'}")
    sources, references = [pair.source for pair in own], [pair.target for pair in own]
    rows: list[tuple[str, ...]] = []
    plain: list[str] = []
    for reward in options.rewards:
        begun = time.process_time()
        outputs = translated(translator, sources, Worth.read(reward), names=options.names)
        seconds = time.process_time() - begun
        plain = plain or outputs
        quality = translation_quality(outputs, references)
        changed = sum(map(str.__ne__, outputs, plain))
        said = [
            word.is_in(text) for words, text in zip(wanted, outputs, strict=True) for word in words
        ]
        kept = f"{sum(said)} of {len(said)}" if options.names else "-"
        figures = (f"{quality.bleu.value:.2f}", f"{quality.chrf.value:.2f}")
        rows.append((reward, str(len(own)), str(changed), *figures, kept, f"{seconds:.0f}"))
    print(markdown(TITLES, rows))
    different = [each for each in zip(sources, plain, outputs, strict=True) if each[1] != each[2]]
    for source, before, after in different[: options.show]:
        print(f"\n{source}\n- {before}\n+ {after}")


if __name__ == "__main__":
    main()
