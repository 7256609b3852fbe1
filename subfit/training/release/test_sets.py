"""A released model on test sets: its figures under every length control."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from subfit.evaluation.adequacy import adequacy_of
from subfit.evaluation.corpus import Pair
from subfit.evaluation.evaluation import Evaluation, EvaluationSetup, measure
from subfit.evaluation.evaluation_set import EvaluationSet, read_evaluation_set
from subfit.evaluation.length_control import NATURAL, LengthControl
from subfit.evaluation.metrics import translation_quality
from subfit.evaluation.outputs import translate_pairs
from subfit.evaluation.weaknesses import MeasuredLine, least_like_references, most_like_references
from subfit.evaluation.word_alignment import has_aligner, learn_alignment
from subfit.limits.budget import LengthRatio
from subfit.localization import OnProgress
from subfit.model.config import MEASURING
from subfit.reporting.lengths import (
    SHORT_SOURCE,
    is_compliant_strict,
    joined_lines,
    length_compliance,
    overflow,
    plain_data,
)
from subfit.text.counting import EVERYTHING, count_characters
from subfit.training.release.card_text import table
from subfit.training.release.measurements import Slot, Step
from subfit.training.release.model_under_test import ModelUnderTest

FOLDER = "test"
"""Where test sets are within the folder of the data."""


@dataclass(frozen=True, slots=True)
class TestSet:
    """A test set of one language pair."""

    name: str
    """The file's, without language pair and suffix."""
    lines: EvaluationSet
    limit: int | None
    """The first lines only, if not None."""

    @property
    def pairs(self) -> Sequence[Pair]:
        """Sources and references."""
        return self.lines.pairs

    @property
    def file(self) -> str:
        """The file, in the folder of the data."""
        return f"{FOLDER}/{self.lines.file.name}"


def find_test_sets(
    data: Path, source_language: str, language: str, limit: int | None
) -> list[TestSet]:
    """Read the test sets of a language pair, in the order of their names.

    Args:
        data: Its folder ``test`` has files ``NAME.SOURCE-TARGET.tsv``, plain or packed; or such of
            the other way round, which are turned.
        source_language: Tag of the source language.
        language: Tag of the target language.
        limit: Take the first lines only.

    Raises:
        InputFileError: One cannot be read.
    """
    straight = _files(data / FOLDER, f"{source_language}-{language}")
    other = _files(data / FOLDER, f"{language}-{source_language}")
    return [
        TestSet(
            name,
            read_evaluation_set(
                straight.get(name) or other[name], limit, turned=name not in straight
            ),
            limit,
        )
        for name in sorted({**other, **straight})
    ]


def _files(folder: Path, pair: str) -> dict[str, Path]:
    """The test sets of a pair of languages in a folder, by their names."""
    ends = tuple(f".{pair}.tsv{packed}" for packed in ("", ".gz", ".xz"))
    return {path.name.removesuffix(end): path for end in ends for path in folder.glob(f"*{end}")}


def steps_on(tested: ModelUnderTest, language: str, test: TestSet) -> Iterator[Step]:
    """Yield the measuring of one test set under each of `LENGTH_CONTROLS`."""
    for label, control in LENGTH_CONTROLS.items():
        words = ["subfit", "evaluate", tested.checkpoint.name, test.file, *tested.options(language)]
        words += [
            *options_for(control),
            *(["--turned"] if test.lines.turned else []),
            *([] if test.limit is None else ["--limit", str(test.limit)]),
            *(["--adequacy"] if has_aligner() else []),
            *_precision(tested.checkpoint.precision),
        ]
        yield Step(
            Slot("test", language, test.name, label),
            {"lines": test.lines.checksum},
            shlex.join(words),
            len(test.pairs),
            partial(_figures, tested, language, test, control),
        )


def _precision(precision: str) -> list[str]:
    """The option that computes as the model was measured, where nothing else would."""
    return [] if precision == MEASURING.precision else ["--precision", precision]


def _figures(
    tested: ModelUnderTest,
    language: str,
    test: TestSet,
    control: LengthControl,
    on_progress: OnProgress,
) -> dict[str, Any]:
    translator = tested.translator(language, test.name)
    outputs = translate_pairs(translator, test.pairs, control, on_progress=on_progress)
    evaluation = measure(outputs, test.pairs, EvaluationSetup.of(translator, control))
    return {
        **figures_of(evaluation, test.pairs, outputs.ceilings),
        "adequacy": adequacy_on(test.pairs, outputs.texts),
        "file": test.file,
        "file_lines": test.lines.lines,
        "compliant_references": compliant_references(outputs.texts, test.pairs),
        "cut_references": cut_references(test.pairs, outputs.ceilings)
        if control.length_ratio and outputs.ceilings
        else None,
    }


def adequacy_on(pairs: Sequence[Pair], texts: Sequence[str]) -> dict[str, Any] | None:
    """Return REP and DROP of translations; None where systran-align is not installed."""
    if not has_aligner():
        return None
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    return asdict(adequacy_of({"": texts}, sources, references, learn_alignment)[""])


def figures_of(
    evaluation: Evaluation, pairs: Sequence[Pair], ceilings: Sequence[float] = ()
) -> dict[str, Any]:
    """Return an evaluation as a row of a card has it, as JSON values.

    Args:
        evaluation: Its figures.
        pairs: What was translated.
        ceilings: The most characters of each line, where there were such.
    """
    figures = evaluation.to_dict()
    # A row that goes on with the translations of another took less time than by itself.
    del figures["seconds"], figures["sentences_per_second"]
    return {**figures, "long": _long(evaluation.hypotheses, ceilings, pairs)}


def _long(
    outputs: Sequence[str], all_ceilings: Sequence[float], pairs: Sequence[Pair]
) -> dict[str, Any]:
    """Measure the lines alone whose sources are long enough for ten percent to be a character."""
    numbers = [
        number
        for number, pair in enumerate(pairs)
        if count_characters(joined_lines(pair.source), EVERYTHING) > SHORT_SOURCE
    ]
    texts = [outputs[number] for number in numbers]
    compliance = length_compliance([pairs[number].source for number in numbers], texts)
    lengths = [count_characters(text, EVERYTHING) for text in texts]
    ceilings = [all_ceilings[number] for number in numbers] if all_ceilings else None
    over = None if ceilings is None else asdict(overflow(lengths, ceilings))
    figures = {"lines": len(numbers), "strict": compliance.strict, "overflow": over}
    return dict(plain_data(figures))


ISOMETRIC = LengthRatio(0.9, 1.1)

REFERENCE = "the reference's length"
"""The name in the card of what a model is asked for on the dev set of its run."""

LENGTH_CONTROLS: Mapping[str, LengthControl] = {
    "natural": LengthControl(NATURAL),
    "isometric": LengthControl(NATURAL, length_ratio=ISOMETRIC),
    "−15 %": LengthControl(NATURAL, natural_ratio=0.85),
    "−30 %": LengthControl(NATURAL, natural_ratio=0.7),
    "−30 %, whole": LengthControl(NATURAL, natural_ratio=0.7, strict_budget=False),
}
"""By their names in the card.

The two shorter ones have a ceiling that is a share of the model's own natural translation, not of
the source: this is how much has to go when a subtitler finds a cue too long, and it is as hard in
every language, while 0.85 times the source is more than a quarter less in German and hardly less
than natural in a terse language. The last one goes over its ceiling rather than end a sentence too
early, which tells what such endings are worth.
"""


def options_for(control: LengthControl) -> list[str]:
    """Return the options of ``subfit evaluate`` that ask for one of `LENGTH_CONTROLS`."""
    if control.length_ratio is not None:
        ratio = control.length_ratio
        return ["--length-ratio", f"{ratio.minimum:g}:{ratio.maximum:g}"]
    whole = [] if control.strict_budget else ["--no-strict-budget"]
    if control.natural_ratio is not None:
        return ["--natural-ratio", f"{control.natural_ratio:g}", *whole]
    return whole


def compliant_references(texts: Sequence[str], pairs: Sequence[Pair]) -> dict[str, Any] | None:
    """Compare translations with references on the lines whose reference is isometric.

    Returns:
        The number of lines whose reference has 0.9 to 1.1 times the source's characters, and the
        quality on them; None if there are none.
    """
    chosen = [
        (text, pair.target)
        for text, pair in zip(texts, pairs, strict=True)
        if is_compliant_strict(pair.source, pair.target)
    ]
    if not chosen:
        return None
    quality = translation_quality(*zip(*chosen, strict=True))
    return {"lines": len(chosen), "quality": quality.to_dict()}


def cut_references(pairs: Sequence[Pair], ceilings: Sequence[float]) -> dict[str, Any]:
    """Compare references with themselves, each cut after a word so that it keeps to its ceiling.

    Args:
        pairs: Sources and references, at least one pair.
        ceilings: The most characters of each.

    Returns:
        The quality that words in the best order have, if all that can be done is leaving some out.
    """
    references = [pair.target for pair in pairs]
    cut = [_cut(text, ceiling) for text, ceiling in zip(references, ceilings, strict=True)]
    return translation_quality(cut, references).to_dict()


def _cut(text: str, ceiling: float) -> str:
    words = joined_lines(text).split(" ")
    while words and count_characters(" ".join(words), EVERYTHING) > ceiling:
        words.pop()
    return " ".join(words)


COUNT = 10


def best_and_worst(
    tested: ModelUnderTest, language: str, test: TestSet, on_progress: OnProgress
) -> str:
    """Return the best and the worst natural translations of a test set, as Markdown.

    Args:
        tested: The model.
        language: Tag of one of the model's `ModelUnderTest.languages`.
        test: Sources and references.
        on_progress: Called with the lines that are done and all that there are.
    """
    translator = tested.translator(language, test.name)
    texts = translate_pairs(
        translator, test.pairs, LengthControl(NATURAL), on_progress=on_progress
    ).texts
    best = most_like_references(test.pairs, texts, COUNT)
    worst = least_like_references(test.pairs, texts, COUNT)
    return (
        f"## {language}, {test.name}: best\n\n{_table(best)}\n\n"
        f"## {language}, {test.name}: worst\n\n{_table(worst)}\n"
    )


def _table(lines: Iterable[MeasuredLine]) -> str:
    rows = ((f"{line.value:.1f}", line.source, line.output, line.reference) for line in lines)
    return table(("chrF of the line", "source", "output", "reference"), rows)
