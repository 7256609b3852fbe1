"""``subfit lexicon``: learn the lexical tables and dictionaries of a model, and list its words."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli.failures import print_json
from subfit.cli.options import inference, shared
from subfit.cli.options.models import model_folder, use_threads
from subfit.cli.options.types import FOLDER
from subfit.cli.views.console import Messages
from subfit.cli.views.text import one_line
from subfit.errors import UsageError

if TYPE_CHECKING:
    from subfit.model.lexicon import LexicalTable
    from subfit.training.data.lexicon import LexiconSource


@click.command(epilog="Example: subfit lexicon my-model --data corpora")
@click.argument("model", metavar="MODEL")
@click.option(
    "--data",
    type=FOLDER,
    required=True,
    metavar="FOLDER",
    help="Folder that the recipe's files are in.",
)
@click.option(
    "--recipe",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.yaml",
    help="Says which files, and which of their pairs.  [default: the recipe of MODEL]",
)
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    default=150_000,
    metavar="N",
    help="Sentence pairs of each language to learn tables from, drawn at random.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=5,
    metavar="N",
    help="Of expectation maximisation.",
)
@shared.seed_option
@shared.overwrite_option("Replace the tables, words and dictionaries that MODEL has.")
@inference.threads_option
@shared.json_option
def lexicon(
    model: str,
    data: Path,
    recipe: Path | None,
    pairs: int,
    iterations: int,
    seed: int,
    overwrite: bool,
    threads: int | None,
    json: bool,
) -> None:
    """Learn which pieces of its vocabulary translate each other, which words there are, and what
    translates the rare ones, for every language of a model.

    MODEL is a folder or the name of a model that comes with subfit. Its folder gets
    lexicon.safetensors, words.safetensors, dictionary.safetensors and new checksums; nothing
    else in it changes. All belong to the vocabulary: a model that is trained on keeps them.
    """
    folder = model_folder(model)
    recipe = recipe or folder / "recipe.yaml"
    if not recipe.is_file():
        raise UsageError(f"{recipe}: no recipe here; name one with --recipe")
    # These take seconds to import: wrong arguments are told before.
    from subfit.model.checkpoint import load_checkpoint
    from subfit.model.dictionary_file import DICTIONARY_FILE, save_dictionaries
    from subfit.model.lexicon import LEXICON_FILE, save_lexicon
    from subfit.model.word_list import WORDS_FILE, save_words
    from subfit.training.data.alignment import AlignmentSettings
    from subfit.training.data.lexicon import LexiconSource, learn_lexicon

    for name in (LEXICON_FILE, WORDS_FILE, DICTIONARY_FILE):
        if (folder / name).exists() and not overwrite:
            raise UsageError(f"{folder / name} exists already; --overwrite replaces it")
    use_threads(threads)
    tokenizer = load_checkpoint(str(folder)).tokenizer
    source = LexiconSource.read(recipe, data, pairs, seed)
    settings = AlignmentSettings(iterations=iterations)
    messages = Messages(data_on_stdout=json, quiet=False)
    total = iterations * len(source.pairs)
    with messages.progress(str(folder), total, "iterations") as advance:
        tables = learn_lexicon(source, tokenizer, settings, advance)
    save_lexicon(folder, tokenizer, tables)
    save_words(folder, source.words)
    save_dictionaries(folder, tokenizer, source.dictionaries(tokenizer))
    figures = _figures(source, tables)
    if json:
        files = [str(folder / name) for name in (LEXICON_FILE, WORDS_FILE, DICTIONARY_FILE)]
        print_json({"files": files, "tables": figures})
        return
    rows = [tuple(map(str, row.values())) for row in figures]
    headings = ("language", "pairs", "pieces", "translations", "words", "entries")
    messages.table(headings, rows, texts={"language"})
    click.echo(f"tables, words and dictionaries written to {one_line(str(folder))}")


def _figures(source: LexiconSource, tables: Mapping[str, LexicalTable]) -> list[dict[str, Any]]:
    """What each table was learnt from and holds."""
    of_all = next(iter(source.words.values()))  # one list where the target is one language
    return [
        {
            "language": language,
            "pairs": len(source.pairs[language]),
            "source_pieces": int((table.offsets.diff() > 0).sum()),
            "translations": len(table.targets),
            "words": len(source.words.get(language, of_all)),
            "entries": len(source.entries[language]),
        }
        for language, table in tables.items()
    ]
