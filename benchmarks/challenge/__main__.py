"""Translates the challenge set and says what passed.

python -m benchmarks.challenge --model models/en-multi -t de --json out.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import torch

from benchmarks.challenge.cases import LANGUAGES, read_cases
from benchmarks.challenge.results import Verdict, count, describe, judge, table
from benchmarks.challenge.run import GUIDELINE, answers
from subfit.decoding.translator import Translator
from subfit.errors import SubfitError, UsageError
from subfit.limits.guideline import Guideline
from subfit.model.bundled import find_model
from subfit.model.checkpoint import load_checkpoint


def verdicts_on(model: str | None, language: str) -> tuple[Verdict, ...]:
    """Translate the set with a model and judge it.

    Args:
        model: A folder or name; None for the model that comes with subfit.
        language: The target language.

    Raises:
        SubfitError: There is no such model, or it translates into other languages.
    """
    guideline = Guideline.load(GUIDELINE, language)
    checkpoint = load_checkpoint(find_model(model, "en", language))
    own = getattr(checkpoint.model.config, "target_language", None)
    if own not in (None, language):
        raise UsageError(f"{checkpoint.name} translates into {own}, not {language}")
    translator = Translator(checkpoint, guideline.counting, target_language=language)
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
    checkpoint = load_checkpoint(find_model(model, "und", "und"))
    config = checkpoint.model.config
    own = getattr(config, "language_tokens", None) or [getattr(config, "target_language", None)]
    found = [language for language in LANGUAGES if language in own]
    if not found:
        raise UsageError(f"{checkpoint.name} does not translate into {', '.join(LANGUAGES)}")
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
    torch.set_num_threads(options.threads)
    try:
        found = [
            verdict
            for language in options.target_language or languages_of(options.model)
            for verdict in verdicts_on(options.model, language)
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
