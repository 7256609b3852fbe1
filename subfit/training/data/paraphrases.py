"""Pairs of texts of one language that say the same in other lengths, to train shortening on.

Where several sources of a corpus have the same translation, they are paraphrases of each other (as
in Bannard and Callison-Burch 2005, of whole sentences): "How's it going?" and "How are you doing?"
are both "Wie geht's?". What a target language leaves open, such as whether he or she is there in
Italian, is no paraphrase, so words that make it another statement must be the same. What rules can
shorten (`subfit.condensing`) gives pairs besides.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

from subfit.condensing.shortenings import Passage
from subfit.evaluation.corpus import Pair
from subfit.fitting.losses import Loss
from subfit.shortening.losses import losses_between, losses_by_edits

PARAPHRASES, SHORTENED, COPIED = "paraphrases", "shortened", "copied"
"""Names of the corpora."""
MOST = 6
"""Sources with one translation that are paired with each other; more are drawn from."""
_SHARES = (0.9, 0.8, 0.7, 0.6)
"""Shares of their length to which texts are shortened by rules."""
_SAME = re.compile(r"[^\w]+")
_PERSONS = (
    frozenset(("i", "me", "my", "mine", "myself", "i'm", "i'll", "i've", "i'd")),
    frozenset(("he", "him", "his", "himself", "he's", "he'll", "he'd")),
    frozenset(("she", "her", "hers", "herself", "she's", "she'll", "she'd")),
    frozenset(("it", "its", "itself", "it's", "it'll")),
    frozenset(("we", "us", "our", "ours", "ourselves", "we're", "we'll", "we've")),
    frozenset(("they", "them", "their", "theirs", "they're", "they'll", "they've")),
    frozenset(("you", "your", "yours", "yourself", "you're", "you'll", "you've")),
)
_ANOTHER = frozenset({Loss.NEGATION, Loss.NUMBER, Loss.NAME})
"""What makes two sources with one translation two statements."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What pairs were made of."""

    groups: int
    """Translations with several sources."""
    pairs: int
    refused: int
    """Pairs of sources that are two statements."""
    shorter: int
    """Pairs whose target has at most 0.9 times the characters of the source."""


def paraphrases(
    pairs: Iterable[Pair], language: str, *, seed: int = 1
) -> tuple[list[Pair], Counts]:
    """Return pairs of sources that have the same translation, both ways round.

    Args:
        pairs: Of any corpora and target languages.
        language: Tag of the sources' language.
        seed: Draws from translations with more than `MOST` sources.

    Returns:
        Each pair once, and their counts.
    """
    sources: dict[tuple[str, str], dict[str, str]] = {}
    for pair in pairs:
        key = pair.language, _key(pair.target)
        if key[1] and pair.source:
            sources.setdefault(key, {}).setdefault(_key(pair.source), pair.source)
    chooser = random.Random(seed)
    rewordings: dict[tuple[str, str], None] = {}
    refused = groups = 0
    for variants in sources.values():
        texts = list(variants.values())
        if len(texts) < 2:
            continue
        groups += 1
        for one, other in permutations(_some(texts, chooser), 2):
            if same_statement(one, other, language):
                rewordings[one, other] = None
            else:
                refused += 1
    made = [Pair(PARAPHRASES, *texts) for texts in rewordings]
    shorter = sum(len(target) <= 0.9 * len(source) for source, target in rewordings)
    return made, Counts(groups, len(made), refused, shorter)


def same_statement(one: str, other: str, language: str) -> bool:
    """Tell whether two texts with one translation are about the same persons, numbers and names."""
    if _persons(one) != _persons(other) or one.endswith("?") != other.endswith("?"):
        return False
    return not _ANOTHER & (
        losses_between(one, other, language) | losses_between(other, one, language)
    )


def shortened(
    texts: Iterable[str], language: str, *, least: int = 30, most: int = 20_000, seed: int = 1
) -> Iterator[Pair]:
    """Yield texts with what rules shorten them to, one each.

    Args:
        texts: To shorten.
        language: Their language.
        least: Characters from which on a text is shortened.
        most: How many pairs.
        seed: Draws to which share of its length each is shortened.
    """
    chooser, made, seen = random.Random(seed), 0, set[str]()
    for text in texts:
        if made >= most:
            return
        if len(text) < least or text in seen:
            continue
        seen.add(text)
        passage = Passage(text, language)
        share = chooser.choice(_SHARES)
        for shortening in passage.shortenings(0, len(text), share * len(text), ways=3):
            if not losses_by_edits(passage, 0, len(text), shortening.edits):
                made += 1
                yield Pair(SHORTENED, text, shortening.text)
                break


def copied(texts: Iterable[str], *, least: int = 30, most: int = 5_000) -> Iterator[Pair]:
    """Yield texts with themselves: what need not be shorter stays as it is.

    Args:
        texts: To copy.
        least: Characters from which on a text is.
        most: How many pairs.
    """
    long = (text for text in dict.fromkeys(texts) if len(text) >= least)
    yield from (Pair(COPIED, text, text) for text in islice(long, most))


def _some(texts: Sequence[str], chooser: random.Random) -> Sequence[str]:
    return texts if len(texts) <= MOST else chooser.sample(texts, MOST)


def _key(text: str) -> str:
    """A text without case, marks and spaces: sources that differ in these are one."""
    return _SAME.sub(" ", text).strip().casefold()


def _persons(text: str) -> Counter[int]:
    words = re.findall(r"[\w']+", text.replace("’", "'").lower())
    return Counter(
        number for number, forms in enumerate(_PERSONS) if any(word in forms for word in words)
    )
