"""What speaks against a translation that was chosen: the features of its risk, cue by cue."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import TypeGuard

from subfit.condensing.words import word_classes
from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Hypothesis, RatedPiece
from subfit.fitting.risk import MOST_NATS, RiskFeatures
from subfit.fitting.state import Fitted, Setup
from subfit.text.alignment import Alignment, Word, WordScores, align, words_of
from subfit.text.languages import CAPITALISED, primary_language
from subfit.text.linebreak_lists import word_lists

SURE, UNSURE = 0.6, 0.3
"""How sure it must be that a translation says a word of its source, and how unsure that it does
not."""
_SHORT = 3
"""Words with no more letters hardly carry meaning, where nothing else tells."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class CuePart:
    """What a cue has of a sentence."""

    source: str
    text: str
    """The part of the translation, in one line."""
    omitted: tuple[str, ...] = ()
    """What was left out of the source before it was translated."""
    missing: int = 0
    """Terms, numbers and the like of this source that the translation lacks."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the features of a sentence are worked out of."""

    source: str
    """The source in one line."""
    language: str
    """The language of the source."""
    parts: tuple[CuePart, ...]
    chosen: Hypothesis
    natural: Hypothesis
    """The best translation had nothing limited it."""
    pieces: Sequence[RatedPiece]
    """The pieces of the chosen translation."""
    words: WordScores | None
    """Knows which words translate each other."""
    rates_ends: bool
    """Whether `Hypothesis.closing` is known of what was shortened."""
    returned: Sequence[RatedPiece] | None = None
    """The pieces of the source, given the translation; None where no model tells that."""


def with_risks(fitted: Sequence[Fitted | None], setup: Setup) -> list[Fitted | None]:
    """Return sentences with the features of their risk.

    What a memory translated has none, nor what was translated by a model that does not tell how
    probable its pieces are.

    Args:
        fitted: The sentences, with what has become of their terms; None for those without a
            translation.
        setup: Its translator says what the model can tell.
    """
    over_cues = [one for one in fitted if _has_risk(one) and len(one.lines) > 1]
    rated = setup.translator.rate_pieces(
        [_translated_source(one) for one in over_cues],
        [one.candidate.hypothesis for one in over_cues],
        [one.task.formality for one in over_cues],
    )
    if rated is None:
        return list(fitted)
    pieces = dict(zip(map(id, over_cues), rated, strict=True))
    returned = _given_back([one for one in fitted if _has_risk(one)], setup.translator)
    with_features: list[Fitted | None] = []
    for one in fitted:
        if _has_risk(one):
            own = pieces.get(id(one)) or _alike(one.candidate.hypothesis)
            parts = features_of(_evidence(one, own, returned.get(id(one)), setup))
            one = replace(one, risk_features=tuple((part,) for part in parts))
        with_features.append(one)
    return with_features


def _given_back(
    fitted: Sequence[Fitted], translator: AnyTranslator
) -> dict[int, list[RatedPiece] | None]:
    """How probable the pieces of sources are given their translations; sentences by `id`."""
    texts = [one.task.sentence.spoken for one in fitted]
    translations = [_line(one.candidate.hypothesis.text) for one in fitted]
    rated = translator.given_back(texts, translations) or [None] * len(fitted)
    return dict(zip(map(id, fitted), rated, strict=True))


def _has_risk(fitted: Fitted | None) -> TypeGuard[Fitted]:
    """Whether the model translated a sentence, and not somebody before."""
    return fitted is not None and not fitted.candidate.recalled


def _alike(hypothesis: Hypothesis) -> list[RatedPiece]:
    """As many pieces as a translation in one cue has, each of the mean probability."""
    many = len(hypothesis.token_ids) + 1
    return [RatedPiece(1.0, -hypothesis.log_probability / many)] * many


def _translated_source(fitted: Fitted) -> str:
    condensation = fitted.candidate.condensation
    return fitted.task.sentence.spoken if condensation is None else condensation.text


def _evidence(
    fitted: Fitted,
    pieces: Sequence[RatedPiece],
    returned: Sequence[RatedPiece] | None,
    setup: Setup,
) -> Evidence:
    task, sentence = fitted.task, fitted.task.sentence
    nothing = ((),) * len(sentence.parts)
    parts = zip(
        sentence.parts,
        fitted.lines,
        fitted.candidate.omitted or nothing,
        fitted.terms or nothing,
        strict=True,
    )
    return Evidence(
        source=sentence.spoken,
        language=sentence.language,
        parts=tuple(
            CuePart(
                part.text,
                " ".join(lines),
                tuple(part.text[start:end] for start, end in omitted),
                sum(not term.placed for term in terms),
            )
            for part, lines, omitted, terms in parts
        ),
        chosen=fitted.candidate.hypothesis,
        natural=fitted.natural.hypothesis,
        pieces=pieces,
        words=task.words,
        rates_ends=setup.translator.can_rate,
        returned=returned,
    )


def features_of(evidence: Evidence) -> list[RiskFeatures]:
    """Return the features of each cue that has a part of a sentence."""
    one, natural = evidence.chosen, evidence.natural
    shortened = _line(one.text) != _line(natural.text)
    whole = RiskFeatures(
        loss=max(natural.score - one.score, 0.0),
        early_end=0.0 if evidence.rates_ends else None,
        shortening=max(math.log(max(natural.characters, 1) / max(one.characters, 1)), 0.0),
    )
    features = [
        _of_part(said, part, shares, evidence)
        for part, said, *shares in zip(
            evidence.parts,
            _said(evidence, whole),
            shares_of([part.source for part in evidence.parts]),
            shares_of([part.text for part in evidence.parts]),
            strict=True,
        )
    ]
    if shortened and evidence.rates_ends:
        features[-1] = replace(features[-1], early_end=min(-one.closing, MOST_NATS))
    return features


def _of_part(
    whole: RiskFeatures, part: CuePart, shares: Sequence[Share], evidence: Evidence
) -> RiskFeatures:
    """Add the features that need no alignment; shares of the source and of the translation."""
    said, pieces = shares[0], _pieces_in(evidence.pieces, shares[1])
    returned = None if evidence.returned is None else _pieces_in(evidence.returned, said)
    left_out = words_of(" ".join(part.omitted))
    return replace(
        whole,
        improbability=sum(pieces) / max(len(pieces), 1),
        surprise=math.log1p(sum(pieces)),
        omitted=float(len(_content(left_out, evidence.language))),
        missing=float(part.missing),
        names=_names_lost(part, evidence),
        length=math.log1p(len(words_of(part.source))),
        unreturned=sum(returned) / len(returned) if returned else None,
        unreturned_piece=max(returned) if returned else None,
    )


Share = tuple[float, float]
"""Where a part of a text begins and ends, in shares of the text."""


def _names_lost(part: CuePart, evidence: Evidence) -> float | None:
    """How many words that look like names the translation does not have."""
    if primary_language(evidence.language) in CAPITALISED:
        return None
    if part.source.isupper():
        return 0.0
    words, said = words_of(part.source), evidence.chosen.text.lower()
    opens = part is evidence.parts[0]
    capital = [words[n] for n in _content(words, evidence.language) if n > 0 or not opens]
    capital = [word for word in capital if word.text[0].isupper()]
    return float(sum(word.text.lower() not in said for word in capital))


def shares_of(parts: Sequence[str]) -> list[Share]:
    """Return where the parts of a text begin and end, a space between each two."""
    ends = list(accumulate(len(part) + 1 for part in parts))
    most = max(ends[-1], 1)
    return list(pairwise([0.0, *(end / most for end in ends)]))


def _pieces_in(pieces: Sequence[RatedPiece], share: Share) -> list[float]:
    """The nats of the pieces that are printed in a part."""
    start, end = share
    return [max(one.nats, 0.0) for one in pieces if start + _ROUNDING < one.end <= end + _ROUNDING]


def _said(evidence: Evidence, whole: RiskFeatures) -> Iterator[RiskFeatures]:
    """Add the features that an alignment with the source tells; none without a lexical table."""
    if evidence.words is None:
        yield from [whole] * len(evidence.parts)
        return
    text, natural = _line(evidence.chosen.text), _line(evidence.natural.text)
    ours = align(evidence.source, text, evidence.words)
    free = ours if natural == text else align(evidence.source, natural, evidence.words)
    content = _content(ours.source, evidence.language)
    sources = shares_of([part.source for part in evidence.parts])
    targets = shares_of([part.text for part in evidence.parts])
    for source, target in zip(sources, targets, strict=True):
        own = [n for n in content if _is_in(ours.source[n], evidence.source, source)]
        theirs = [n for n, word in enumerate(ours.target) if _is_in(word, text, target)]
        yield replace(
            whole,
            dropped=_dropped(ours, free, own),
            unsaid=_share_unsure([ours.source_sure[number] for number in own]),
            unfounded=_share_unsure([ours.target_sure[number] for number in theirs]),
        )


def _is_in(word: Word, text: str, share: Share) -> bool:
    start, end = share
    return start <= (word.start + word.end) / 2 / max(len(text), 1) < end


def _dropped(ours: Alignment, natural: Alignment, content: Sequence[int]) -> float:
    pairs = [(natural.source_sure[number], ours.source_sure[number]) for number in content]
    return sum(there - here for there, here in pairs if there > SURE and there - here > UNSURE)


def _share_unsure(sure: Sequence[float]) -> float:
    return sum(share < UNSURE for share in sure) / len(sure) if sure else 0.0


def _content(words: Sequence[Word], language: str) -> list[int]:
    """Which words carry meaning: those of no closed class, or the longer ones without a list."""
    lists = word_classes(language)
    if lists is not None:
        empty = lists.function | lists.fillers
    else:  # l', d', qu' stand apart
        own = word_lists(language)
        empty = own.function_words | own.elided
    if not empty:
        return [number for number, word in enumerate(words) if len(word.text) > _SHORT]
    bare = [word.text.lower().rstrip("'’") for word in words]
    return [number for number, word in enumerate(bare) if word not in empty]


def _line(text: str) -> str:
    return text.replace("\n", " ")
