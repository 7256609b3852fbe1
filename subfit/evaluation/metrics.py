"""Metrics of translations, each one object that says how it is computed and signs its figures.

A metric turns every line into a row of numbers (`Metric.statistics`), and sums of such rows into a
figure (`Metric.values`), as sacreBLEU's do. So one piece of code resamples lines for the intervals
and p-values of all of them (`subfit.evaluation.evaluation`).
"""

from __future__ import annotations

import re
import tempfile
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from subfit.errors import UsageError
from subfit.reporting.lengths import is_compliant_iwslt, is_compliant_strict, length_ratio_of
from subfit.text.counting import EVERYTHING, Counting, count_characters

Floats = NDArray[np.float64]
_BREAK = re.compile(r"\s*<eo[bl]>\s*")
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Lines:
    """A test set and what a system made of it: what metrics are taken of, one entry a line."""

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    """Of every line one or more."""
    hypotheses: Sequence[str]
    language: str = "und"
    """Of the translations."""
    counting: Counting = EVERYTHING
    """What a character is."""
    asked: Sequence[int] = ()
    """Lengths asked for, 0 for none; empty where none was asked for at all."""
    ceilings: Sequence[float] = ()
    """Most characters allowed; empty without ceilings."""
    tokens: Sequence[int] = ()
    """Tokens that the model wrote; empty where they are not known."""
    reference_tokens: Sequence[int] = ()
    """Tokens of the first references; empty likewise."""
    unit: str = "characters"
    """What lengths were asked for in: characters or tokens."""

    def without_breaks(self) -> Lines:
        """Return the lines with ``<eol>`` and ``<eob>`` as spaces, as most metrics want them."""
        if not any("<eo" in text for line in self.references for text in line):
            return self
        references = [[_plain(text) for text in line] for line in self.references]
        return replace(
            self, references=references, hypotheses=[_plain(text) for text in self.hypotheses]
        )

    def characters(self, texts: Iterable[str]) -> list[float]:
        """Return the lengths of texts."""
        return [count_characters(text, self.counting) for text in texts]


class Metric(ABC):
    """A figure of translations."""

    name: str
    digits: int = 2
    """Decimals it is shown with."""
    best: Literal["high", "low", "one", ""] = "high"
    """Which values are good ones: high, low, near one; nothing where none is by itself."""
    signature: str = ""
    """The settings that make it, in sacreBLEU's manner; complete once something was measured."""
    takes_breaks: bool = False
    """Whether it wants ``<eol>`` and ``<eob>`` in the texts."""

    def prepare(self, systems: Sequence[Lines]) -> None:  # noqa: B027
        """Learn what it needs from all systems that are compared; most metrics need nothing."""

    @abstractmethod
    def statistics(self, lines: Lines) -> Floats | None:
        """Return a row of numbers for every line; None where there is nothing to measure."""

    @abstractmethod
    def values(self, sums: Floats) -> Floats:
        """Return a figure for each of several sums of rows, shape (sums, numbers in a row)."""

    def of(self, lines: Lines) -> Floats | None:
        """Return the rows of statistics of a system, with the texts as the metric wants them."""
        return self.statistics(lines if self.takes_breaks else lines.without_breaks())

    def value(self, rows: Floats) -> float:
        """Return the figure of all rows together; NaN of nothing."""
        return float(self.values(rows.sum(axis=0, keepdims=True))[0])


class Surface(Metric):
    """BLEU, chrF and TER as sacreBLEU computes them."""

    def __init__(self, name: str, kind: str, settings: Mapping[str, Any]) -> None:
        self.name, self.best, self._star = name, "low" if kind == "TER" else "high", name[-1] == "*"
        self._kind, self._settings = kind, settings

    @cached_property
    def _metric(self) -> Any:
        import sacrebleu.metrics

        return getattr(sacrebleu.metrics, self._kind)(**self._settings)

    def statistics(self, lines: Lines) -> Floats:
        """Return sacreBLEU's counts of every line."""
        references = [list(one) for one in zip(*lines.references, strict=True)]
        rows = self._metric._extract_corpus_statistics(list(lines.hypotheses), references)
        self.signature = str(self._metric.get_signature()) + ("|bp:no" if self._star else "")
        return np.asarray(rows, dtype=float)

    def values(self, sums: Floats) -> Floats:
        """Return the scores; BLEU* is BLEU divided by its brevity penalty (Lakew 2019)."""
        scores = [self._metric._compute_score_from_stats(row.tolist()) for row in sums]
        if self._star:
            return np.array([one.score / one.bp if one.bp else 0.0 for one in scores])
        return np.array([one.score for one in scores])


class Mean(Metric):
    """The mean of what every line has by itself, over the lines that have it."""

    def __init__(
        self,
        name: str,
        each: Callable[[Lines], Iterable[float | None] | None],
        best: Literal["high", "low", "one", ""],
        digits: int,
        signature: str,
    ) -> None:
        self.name, self.best, self.digits, self.signature = name, best, digits, signature
        self._each, self._deviation = each, name.startswith("sd")

    def statistics(self, lines: Lines) -> Floats | None:
        """Return value, square and 1 of every line; zeros where it has none."""
        each = self._each(lines)
        if each is None:
            return None
        rows = [(0.0, 0.0, 0.0) if one is None else (one, one * one, 1.0) for one in each]
        found = np.asarray(rows, dtype=float).reshape(-1, 3)
        return found if found[:, 2].any() else None

    def values(self, sums: Floats) -> Floats:
        """Return the means, or the population standard deviations."""
        with np.errstate(divide="ignore", invalid="ignore"):
            means: Floats = sums[:, 0] / sums[:, 2]
            if self._deviation:
                return np.sqrt(np.maximum(sums[:, 1] / sums[:, 2] - means**2, 0.0))
        return means


class BreakF1(Metric):
    """F1 of ``<eob>`` and ``<eol>`` behind words that hypothesis and reference have in common.

    Words are matched in order by their longest common parts; a break counts as right where the
    reference has the same one behind the word that matches.
    """

    name = "break F1"
    signature = "case:lc|match:lcs|breaks:eob,eol"
    takes_breaks = True

    def statistics(self, lines: Lines) -> Floats | None:
        """Return right breaks, breaks of the hypothesis and of the first reference."""
        references = [line[0] for line in lines.references]
        if not any("<eo" in text for text in references):
            return None
        pairs = zip(lines.hypotheses, references, strict=True)
        return np.asarray([break_counts(*pair) for pair in pairs], dtype=float)

    def values(self, sums: Floats) -> Floats:
        """Return F1 in per cent."""
        total = sums[:, 1] + sums[:, 2]
        return np.asarray(100 * 2 * sums[:, 0] / np.where(total, total, 1.0))


def break_counts(hypothesis: str, reference: str) -> tuple[int, int, int]:
    """Return how many breaks are right, and how many both texts have."""
    from difflib import SequenceMatcher

    (ours, own), (theirs, wanted) = _words_and_breaks(hypothesis), _words_and_breaks(reference)
    matched = SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()
    right = sum(
        own.get(block.a + at, "") == wanted.get(block.b + at)  # "" and None: no break
        for block in matched
        for at in range(block.size)
    )
    return right, len(own), len(wanted)


def _words_and_breaks(text: str) -> tuple[list[str], dict[int, str]]:
    """The words in lower case, and the breaks by the index of the word before them."""
    words: list[str] = []
    breaks: dict[int, str] = {}
    for token in text.replace("<eo", " <eo").replace(">", "> ").split():
        if token in ("<eob>", "<eol>"):
            breaks[len(words) - 1] = token
        else:
            words.append(token.strip(".,;:!?…\"'").lower())
    return words, breaks


class Rouge(Mean):
    """ROUGE recall by the package rouge-score, English words stemmed (Lin 2004).

    Outputs may be cut at a number of bytes, 75 as in DUC 2004, which Takase and Okazaki 2019
    report; of several references the one that is said most of counts.
    """

    def __init__(self, kind: str, cut: int | None = None) -> None:
        name = f"ROUGE-{kind}" + (f"@{cut}" if cut else "")
        super().__init__(name, self._recalls, "high", 2, "")
        self._kind, self._cut = f"rouge{kind}", cut

    def _recalls(self, lines: Lines) -> list[float]:
        """The recall of every line in per cent."""
        try:
            from rouge_score.rouge_scorer import RougeScorer
        except ImportError as error:
            raise UsageError(
                f"{self.name} needs the package rouge-score; install subfit[metrics]"
            ) from error
        stems = lines.language.startswith("en")  # its own words are those of ASCII alone
        words = None if stems else SimpleNamespace(tokenize=plain_words)
        scorer = RougeScorer([self._kind], use_stemmer=stems, tokenizer=words)
        stemmed = "porter" if stems else "no"
        self.signature = f"case:lc|stem:{stemmed}|bytes:{self._cut or 'all'}|recall|refs:best"
        return [
            100 * max(scorer.score(one, cut_at(text, self._cut))[self._kind].recall for one in line)
            for text, line in zip(lines.hypotheses, lines.references, strict=True)
        ]


def plain_words(text: str) -> list[str]:
    """Return the runs of letters and digits of a text, in lower case."""
    import regex

    return [str(word) for word in regex.findall(r"[\p{L}\p{M}\p{N}]+", text.lower())]


def cut_at(text: str, count: int | None) -> str:
    """Return the first bytes of a text in UTF-8, without a character that stands across the cut."""
    return text if not count else text.encode()[:count].decode(errors="ignore")


def _plain(text: str) -> str:
    return _BREAK.sub(" ", text).strip()


def _ratios(lines: Lines, texts: Sequence[str]) -> list[float | None]:
    pairs = zip(texts, lines.hypotheses, strict=True)
    return [length_ratio_of(*pair, lines.counting) for pair in pairs]


def _squares(written: Sequence[float], wanted: Sequence[float]) -> list[float | None]:
    """Squared differences of lengths: VAR is their mean (Takase & Okazaki 2019, equation 8)."""
    pairs = zip(written, wanted, strict=True)
    return [(one - other) ** 2 if other else None for one, other in pairs]


def _first(lines: Lines) -> list[str]:
    return [line[0] for line in lines.references]


def _variance_asked(lines: Lines, unit: str) -> list[float | None] | None:
    if not any(lines.asked) or lines.unit != unit:
        return None
    if unit == "tokens":
        return _squares(lines.tokens, lines.asked) if lines.tokens else None
    return _squares(lines.characters(lines.hypotheses), lines.asked)


def _variance_reference(lines: Lines) -> list[float | None]:
    written, wanted = lines.characters(lines.hypotheses), lines.characters(_first(lines))
    return [(one - other) ** 2 for one, other in zip(written, wanted, strict=True)]


def _token_ratios(lines: Lines) -> list[float | None] | None:
    if lines.unit != "tokens" or not lines.tokens:
        return None
    pairs = zip(lines.tokens, lines.reference_tokens, strict=True)
    return [one / other if other else None for one, other in pairs]


def _variance_tokens(lines: Lines) -> list[float | None] | None:
    if lines.unit != "tokens" or not lines.tokens:
        return None
    return _squares(lines.tokens, lines.reference_tokens)


def _compliant(lines: Lines, keeps: Callable[[str, str, Counting], bool]) -> list[float] | None:
    if not any(lines.sources):
        return None
    pairs = zip(lines.sources, lines.hypotheses, strict=True)
    return [100.0 * keeps(*pair, lines.counting) for pair in pairs]


def _over(lines: Lines) -> list[float] | None:
    if not lines.ceilings:
        return None
    lengths = lines.characters(lines.hypotheses)
    return [100.0 * (n > most + _ROUNDING) for n, most in zip(lengths, lines.ceilings, strict=True)]


_SURFACE: dict[str, tuple[str, dict[str, Any]]] = {
    "BLEU": ("BLEU", {}),
    "BLEU*": ("BLEU", {}),
    "chrF": ("CHRF", {}),
    "chrF++": ("CHRF", {"word_order": 2}),
    "TER": ("TER", {}),
}
"""sacreBLEU's classes and settings."""
_MEANS: dict[str, tuple[Callable[[Lines], Iterable[float | None] | None], Any, int, str]] = {
    "LR source": (lambda lines: _ratios(lines, lines.sources), "one", 3, "characters"),
    "sd LR": (lambda lines: _ratios(lines, lines.sources), "low", 3, "population|LR source"),
    "LR reference": (lambda lines: _ratios(lines, _first(lines)), "one", 3, "characters"),
    "VAR asked": (lambda lines: _variance_asked(lines, "characters"), "low", 2, "characters|asked"),
    "VAR reference": (_variance_reference, "low", 2, "characters|reference"),
    "LC IWSLT": (lambda n: _compliant(n, is_compliant_iwslt), "high", 1, "10 %|spaces:no|free:10"),
    "LC strict": (lambda n: _compliant(n, is_compliant_strict), "high", 1, "10 %|spaces:yes"),
    "over budget": (_over, "low", 1, "lines over their ceilings, %"),
    "VAR asked tokens": (lambda lines: _variance_asked(lines, "tokens"), "low", 2, "tokens|asked"),
    "VAR tokens": (_variance_tokens, "low", 2, "tokens|reference"),
    "LR tokens": (_token_ratios, "one", 3, "tokens|reference"),
}
"""Of every line its figure; which are good; decimals; signature."""
METRICS = (*("BLEU", "BLEU*", "chrF"), *_MEANS, *("chrF++", "TER", "REP", "DROP", "break F1"))
METRICS = (*METRICS, "ROUGE-1", "ROUGE-2", "ROUGE-L", "SubER", "SubER-cased")
"""All metrics by name; ``ROUGE-1@75`` and the like besides, cut at so many bytes. SubER is for
subtitle files. ``BERTScore:FOLDER`` and ``COMET:FILE`` are models of the user's."""
ALWAYS = METRICS[: METRICS.index("chrF++")]
"""Those that are measured without being asked for, where there is something to measure."""


def metrics_of(names: Sequence[str] = ()) -> list[Metric]:
    """Return the metrics that are always measured, and those of some names.

    Raises:
        UsageError: There is no such metric.
    """
    return [_metric(name) for name in dict.fromkeys([*ALWAYS, *names])]


def _metric(name: str) -> Metric:
    cut = re.fullmatch(r"ROUGE-([12L])(?:@([1-9]\d{0,5}))?", name)
    if name in _SURFACE:
        kind, settings = _SURFACE[name]
        return Surface(name, kind, settings)
    if name in _MEANS:
        return Mean(name, *_MEANS[name])
    if cut:
        return Rouge(cut[1], int(cut[2]) if cut[2] else None)
    others: dict[str, type[Metric]] = {"REP": Rep, "DROP": Drop, "break F1": BreakF1}
    if name in others:
        return others[name]()
    if name.startswith(("BERTScore:", "COMET:")):
        from subfit.evaluation.learned import Learned

        return Learned(name)
    if name in ("SubER", "SubER-cased"):
        from subfit.evaluation.timed import SubER  # it stands on all that measures

        return SubER(name)
    raise UsageError(
        f"there is no metric {name!r}; there are {', '.join(METRICS)}, and"
        " BERTScore:FOLDER and COMET:FILE"
    )


def digits_of(name: str) -> int:
    """Return the decimals that figures of a metric are shown with."""
    return _metric(name).digits


def translation_quality(hypotheses: Sequence[str], references: Sequence[str]) -> dict[str, float]:
    """Return BLEU, BLEU* and chrF of translations by name, from 0 to 100, one reference each.

    Raises:
        ValueError: There is nothing to compare, or the numbers differ.
    """
    if not hypotheses or len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses and {len(references)} references")
    lines = Lines(references, [[one] for one in references], hypotheses)
    metrics = map(_metric, ("BLEU", "BLEU*", "chrF"))
    return {one.name: one.value(np.asarray(one.of(lines))) for one in metrics}


ITERATIONS = 5


class FastAligner:
    """Aligns words by the tables that `learn_alignment` has learned."""

    def __init__(self, aligner: Any) -> None:
        self._aligner = aligner

    def links(self, source: Words, target: Words) -> list[tuple[int, int]]:
        """Return the pairs of a source word and a target word, by index, that are aligned."""
        if not source or not target:
            return []
        return list(self._aligner.align(list(source), list(target))["alignments"])

    def aligned_sources(self, source: Words, target: Words) -> frozenset[int]:
        """Return the indices of the source words that are aligned with any target word."""
        return frozenset(index for index, _ in self.links(source, target))


def learn_alignment(pairs: Iterable[tuple[Words, Words]], what: str = "DROP") -> FastAligner:
    """Learn alignment tables, in both directions, joined as grow-diag-final.

    Args:
        pairs: Words of sources and targets. What is to be aligned should be among them: all
            systems that are compared, and the references, so that none has words of its own.
        what: What it is learned for, to tell where it cannot be.

    Raises:
        UsageError: systran-align is not installed.
    """
    try:
        import systran_align
    except ImportError as error:
        raise UsageError(
            f"{what} needs the package systran-align; install subfit[adequacy]"
        ) from error
    with tempfile.TemporaryDirectory() as name:
        text, forward, backward = (Path(name) / part for part in ("text", "forward", "backward"))
        with text.open("w", encoding="utf-8", newline="\n") as file:
            for source, target in pairs:
                if source and target:
                    file.write(f"{_in_a_line(source)} ||| {_in_a_line(target)}\n")
        systran_align.generate_alignment_probabilities(
            str(text), str(forward), str(backward), iterations=ITERATIONS, favor_diagonal=True
        )
        return FastAligner(systran_align.Aligner(str(forward), str(backward)))


def _in_a_line(words: Words) -> str:
    """The words in a line, with none that would read as the bar between the sides."""
    return " ".join("|" if word == "|||" else word for word in words)


REPEATED_BIGRAM = 1.0
"""λ1 of equation 10: a bigram that the hypothesis has more often than the reference."""
REPEATED_WORD = 2.0
"""λ2 of equation 10: a word that stands twice in a row."""

Words = tuple[str, ...]


def scored_words(text: str) -> Words:
    """Return the words of a text, as both scores count them."""
    return tuple(_tokenizer()(text.lower()).split())


@cache
def _tokenizer() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return cast(Callable[[str], str], Tokenizer13a())


class Rep(Metric):
    """REP, how much is said more often than in the reference (equations 10 and 11).

    Ferreira & Martins 2018, Improving the Quality of Neural Machine Translation, section III.

    Of several references the one that a line repeats least beside counts, as in the authors'
    program; for length the one nearest in words.
    """

    name = "REP"
    best = "low"
    signature = "case:lc|tok:13a|ngram:2|weights:1,2|penalty:yes|refs:least"

    def statistics(self, lines: Lines) -> Floats:
        """Return σ, and the words of hypothesis and reference."""
        rows = []
        for text, line in zip(lines.hypotheses, lines.references, strict=True):
            words, references = scored_words(text), [scored_words(one) for one in line]
            least = min(repetition(words, reference) for reference in references)
            rows.append((least, len(words), _nearest(len(words), references)))
        return np.asarray(rows, dtype=float)

    def values(self, sums: Floats) -> Floats:
        """Return per cent of the references' words."""
        repeated, written, wanted = sums.T
        score = 100 * _penalty(wanted, written) * repeated / np.where(wanted, wanted, 1.0)
        return np.asarray(score)


class Drop(Metric):
    """DROP, how many source words the references say and the hypotheses do not (equation 12).

    The share is that of all lines together, as the authors' program has it; the paper prints a
    sum of the lines' shares. A source word counts where at least one reference says it.

    Args:
        learn: Learns to align from sources and targets, as `learn_alignment` does.
    """

    name = "DROP"
    best = "low"
    signature = "case:lc|tok:13a|penalty:yes|align:fast_align"

    def __init__(
        self, learn: Callable[[Iterable[tuple[Words, Words]]], FastAligner] = learn_alignment
    ) -> None:
        self._learn = learn
        self._aligner: FastAligner | None = None

    def prepare(self, systems: Sequence[Lines]) -> None:
        """Learn one alignment for all systems, from the references and all translations."""
        first = systems[0]
        texts = [*zip(*first.references, strict=True), *(one.hypotheses for one in systems)]
        self._aligner = self._learn(
            (scored_words(source), scored_words(text))
            for targets in texts
            for source, text in zip(first.sources, targets, strict=True)
        )

    def statistics(self, lines: Lines) -> Floats:
        """Return dropped and said source words, and the words of hypothesis and reference."""
        if self._aligner is None:
            self.prepare([lines])
        assert self._aligner is not None
        aligned = self._aligner.aligned_sources
        rows = []
        for source, text, line in zip(
            map(scored_words, lines.sources), lines.hypotheses, lines.references, strict=True
        ):
            words, references = scored_words(text), [scored_words(one) for one in line]
            wanted = frozenset[int]().union(*(aligned(source, one) for one in references))
            dropped = wanted - aligned(source, words)
            rows.append((len(dropped), len(wanted), len(words), _nearest(len(words), references)))
        return np.asarray(rows, dtype=float)

    def values(self, sums: Floats) -> Floats:
        """Return per cent of the source words that the references say."""
        dropped, said, written, wanted = sums.T
        score = 100 * _penalty(written, wanted) * dropped / np.where(said, said, 1.0)
        return np.asarray(score)


def repetition(text: Words, reference: Words) -> float:
    """σ of equation 10, for one line and one reference."""
    bigrams, most = Counter(pairwise(text)), Counter(pairwise(reference))
    extra = {pair: max(0, count - most[pair]) for pair, count in bigrams.items()}
    too_often = sum(count for pair, count in extra.items() if bigrams[pair] >= 2)
    in_a_row = sum(count for (one, other), count in extra.items() if one == other)
    return REPEATED_BIGRAM * too_often + REPEATED_WORD * in_a_row


def _nearest(length: int, references: Sequence[Words]) -> int:
    return min((len(words) for words in references), key=lambda n: (abs(n - length), n))


def _penalty(longer: Floats, shorter: Floats) -> Floats:
    """e^(longer/shorter − 1) where the first is longer, else 1.

    REP's brevity penalty, since a short text repeats less; DROP's length penalty, since a long one
    has more words for the source to align with. Without any words there is nothing to punish.
    """
    ratios = longer / np.where(shorter > 0, shorter, np.maximum(longer, 1.0))
    return np.asarray(np.exp(np.maximum(ratios, 1.0) - 1))
