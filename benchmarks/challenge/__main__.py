"""Translates the challenge set and says what passed.

python -m benchmarks.challenge --model models/en-multi -t de --json out.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.challenge.cases import LANGUAGES, read_cases
from benchmarks.challenge.results import Verdict, count, describe, judge, table
from benchmarks.challenge.run import GUIDELINE, answers
from subfit.decoding.loading import load_translator
from subfit.errors import SubfitError, UsageError
from subfit.limits.guideline import Guideline
from subfit.model.bundled import Directions, find_model
from subfit.model.config import EXACT, read_config


def verdicts_on(model: str | None, language: str, threads: int) -> tuple[Verdict, ...]:
    """Translate the set as ``subfit translate`` does, with all that comes with a model, and judge.

    Args:
        model: A folder or name; None for the model that comes with subfit.
        language: The target language.
        threads: To compute with.

    Raises:
        SubfitError: There is no such model, or it translates into other languages.
    """
    guideline = Guideline.load(GUIDELINE, language)
    translator = load_translator(
        find_model(model, "en", language),
        source_language="en",
        target_language=language,
        counting=guideline.counting,
        computing=replace(EXACT, threads=threads),
    )
    return judge(answers(read_cases(), translator, language, guideline))


def languages_of(model: str | None) -> list[str]:
    """Return the languages of the set that a model translates into.

    Args:
        model: A folder or name.

    Raises:
        SubfitError: There is no such model, none is named, or it does not tell.
    """
    if model is None:
        raise UsageError("name a model, or the languages to translate into")
    values = read_config(Path(find_model(model, "und", "und")))
    names = "source_language", "target_language", "language_tokens"
    known = Directions.of(*map(values.get, names))
    found = [language for language in LANGUAGES if known.serves("en", language)]
    if not found:
        raise UsageError(f"{model} does not translate from English into {', '.join(LANGUAGES)}")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.challenge", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--model", help="a model folder or name (default: the one for the language)"
    )
    parser.add_argument(
        *("-t", "--target-language"),
        nargs="+",
        choices=LANGUAGES,
        metavar="TAG",
        help=f"languages to translate into, of {', '.join(LANGUAGES)} (default: those of --model)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="file to write the counts to")
    parser.add_argument("--threads", type=int, default=2, help="CPU threads (default: 2)")
    options = parser.parse_args(arguments)
    try:
        found = [
            verdict
            for language in options.target_language or languages_of(options.model)
            for verdict in verdicts_on(options.model, language, options.threads)
        ]
    except SubfitError as error:
        parser.error(str(error))
    counts = count(found)
    if options.json:
        options.json.write_text(json.dumps(counts, indent=2) + "\n", encoding="utf-8")
    failures = [describe(verdict) for verdict in found if not verdict.passed]
    print("\n\n".join([*failures, table(counts)]))


if __name__ == "__main__":
    main()
