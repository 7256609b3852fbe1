"""A released model on test sets: its figures under every wish."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from subfit.evaluation.asking import Wish
from subfit.evaluation.corpus import Pair
from subfit.evaluation.evaluation import Setup, measure
from subfit.evaluation.evaluation_set import EvaluationSet, read_evaluation_set
from subfit.evaluation.outputs import Outputs, translate_pairs
from subfit.limits.guideline import EVERYTHING, count_characters
from subfit.localization import OnProgress
from subfit.reporting.lengths import SHORT_SOURCE, length_compliance, one_line, overflow, plain_data
from subfit.training.release.by_reference import compliant_references, cut_references
from subfit.training.release.measurements import Slot
from subfit.training.release.steps import Step
from subfit.training.release.translators import Bench
from subfit.training.release.wishes import WISHES, options_for

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
        data: Its folder ``test`` has files ``NAME.SOURCE-TARGET.tsv``, plain or packed.
        source_language: Tag of the source language.
        language: Tag of the target language.
        limit: Take the first lines only.

    Raises:
        InputFileError: One cannot be read.
    """
    ends = tuple(f".{source_language}-{language}.tsv{packed}" for packed in ("", ".gz", ".xz"))
    files = {
        path.name.removesuffix(end): path
        for end in ends
        for path in (data / FOLDER).glob(f"*{end}")
    }
    return [TestSet(name, read_evaluation_set(files[name], limit), limit) for name in sorted(files)]


def steps_on(bench: Bench, language: str, test: TestSet) -> Iterator[Step]:
    """Yield the measuring of one test set under each of `WISHES`.

    Args:
        bench: The model.
        language: Tag of the language to translate into.
        test: What to translate.
    """
    for label, wish in WISHES.items():
        words = ["subfit", "evaluate", bench.checkpoint.name, test.file, "-t", language]
        words += [*options_for(wish), *([] if test.limit is None else ["--limit", str(test.limit)])]
        yield Step(
            Slot("test", language, test.name, label),
            {"lines": test.lines.checksum},
            shlex.join(words),
            len(test.pairs),
            partial(_figures, bench, language, test, wish),
        )


def _figures(
    bench: Bench, language: str, test: TestSet, wish: Wish, on_progress: OnProgress
) -> dict[str, Any]:
    translator = bench.translator(language, test.name)
    outputs = translate_pairs(translator, test.pairs, wish, on_progress=on_progress)
    found = measure(outputs, test.pairs, Setup.of(translator, wish)).to_dict()
    # A row that goes on with the translations of another took less time than by itself.
    del found["seconds"], found["sentences_per_second"]
    return {
        **found,
        "file": test.file,
        "file_lines": test.lines.lines,
        "long": _long(outputs, test.pairs),
        "compliant_references": compliant_references(outputs.texts, test.pairs),
        "cut_references": cut_references(test.pairs, outputs.ceilings)
        if wish.length_ratio and outputs.ceilings
        else None,
    }


def _long(outputs: Outputs, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Measure the lines alone whose sources are long enough for ten percent to be a character."""
    numbers = [
        number
        for number, pair in enumerate(pairs)
        if count_characters(one_line(pair.source), EVERYTHING) > SHORT_SOURCE
    ]
    texts = [outputs.texts[number] for number in numbers]
    compliance = length_compliance([pairs[number].source for number in numbers], texts)
    lengths = [count_characters(text, EVERYTHING) for text in texts]
    ceilings = [outputs.ceilings[number] for number in numbers] if outputs.ceilings else None
    over = None if ceilings is None else asdict(overflow(lengths, ceilings))
    figures = {"lines": len(numbers), "strict": compliance.strict, "overflow": over}
    return dict(plain_data(figures))
