"""How much markup inside sentences lands on the words that a subtitler would put it on.

    python benchmarks/markup.py [MODEL]

The sentences are those of tests/data/markup: English with markup, and a translation with the
markup where it belongs. It is right when all of it stands exactly so. Nothing is translated: of
the model only the lexical tables are used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from subfit.decoding.word_table import WordTable
from subfit.fitting.spans import SpanPlacer
from subfit.model.bundled import find_model
from subfit.model.checkpoint import load_tokenizer
from subfit.model.lexicon import load_lexicon
from subfit.subtitles.markup.payload import parse_cue_text, plain_text
from subfit.subtitles.markup.restore import render_cue_text

CASES = Path(__file__).parents[1] / "tests" / "data" / "markup"


def cases(kind: str, language: str) -> Iterator[tuple[str, str]]:
    """Yield source and translation with their markup.

    Args:
        kind: ``tuned``: the rules were made with them; ``unseen``: they were written afterwards.
        language: Of the translations.
    """
    for line in (CASES / kind / f"{language}.tsv").read_text(encoding="utf-8").splitlines():
        source, target = line.split("\t")
        yield source, target


def placed(source: str, target: str, placer: SpanPlacer | None) -> str:
    """Return a translation with the markup of its source, put there by a placer or by position."""
    text = plain_text(target, "vtt")
    original = parse_cue_text(source, "vtt")
    place = None if placer is None else placer.place
    return render_cue_text(original, [(text,)], "vtt", place).text


def main() -> None:
    folder = Path(find_model(sys.argv[1] if len(sys.argv) > 1 else "en-multi", "en", "de"))
    tokenizer = load_tokenizer(folder, shared=True)
    lexicon = load_lexicon(folder, tokenizer)
    wrong = []
    print("sentences  language  number  by position  alignment without table  alignment")
    for file in sorted(CASES.glob("*/*.tsv")):
        kind, language = file.parent.name, file.stem
        found = list(cases(kind, language))
        table = WordTable(lexicon[language], tokenizer)
        placers = (None, SpanPlacer("en", language), SpanPlacer("en", language, table))
        right = [
            sum(placed(source, target, placer) == target for source, target in found)
            for placer in placers
        ]
        columns = zip((len(found), *right), (6, 11, 23, 9), strict=True)
        figures = "  ".join(f"{number:{width}}" for number, width in columns)
        print(f"{kind:9}  {language:8}  {figures}")
        for source, target in found:
            if (got := placed(source, target, placers[2])) != target:
                wrong.append(f"{source}\n  wanted {target}\n  placed {got}")
    print("", *wrong, sep="\n")


if __name__ == "__main__":
    main()
