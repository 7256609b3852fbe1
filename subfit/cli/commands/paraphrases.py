"""``subfit paraphrases``: pairs of two languages in, pairs of one language out."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli.failures import print_json
from subfit.cli.options import shared
from subfit.cli.options.types import FILE
from subfit.cli.views.console import Messages
from subfit.condensing.words import word_classes
from subfit.errors import InputFileError, UsageError
from subfit.files import check_writable
from subfit.reporting.wording import count_of
from subfit.text.languages import primary_language

if TYPE_CHECKING:
    from subfit.evaluation.corpus import Pair


@click.command(
    epilog="Example: subfit paraphrases train/en-*.tsv.xz -o train/paraphrases.en.tsv.xz"
)
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
@shared.source_language_option
@shared.pairs_output_option
@shared.overwrite_option("Replace an existing output file.")
@click.option(
    "--corpus",
    multiple=True,
    metavar="NAME",
    help="Only the pairs of this corpus; repeatable.  [default: all]",
)
@click.option(
    "--held-out",
    type=FILE,
    metavar="FILE.tsv",
    help="Write a part of the pairs here instead, to validate on; none of its texts is in others.",
)
@click.option(
    "--held-out-pairs",
    type=click.IntRange(min=1),
    default=1000,
    metavar="N",
    help="About how many.",
)
@click.option(
    "--shortened",
    type=click.IntRange(min=0),
    default=20_000,
    metavar="N",
    help="Add up to N texts that the rules of 'subfit condense' shorten; 0 for none.",
)
@click.option(
    "--copied",
    type=click.IntRange(min=0),
    default=5_000,
    metavar="N",
    help="Add N texts with themselves, so that a model learns to copy what may stay.",
)
@shared.seed_option
@shared.json_option
def paraphrases(
    files: tuple[Path, ...],
    source_language: str,
    output: Path,
    overwrite: bool,
    corpus: tuple[str, ...],
    held_out: Path | None,
    held_out_pairs: int,
    shortened: int,
    copied: int,
    seed: int,
    json: bool,
) -> int:
    """Make pairs of texts of one language that say the same in other lengths.

    FILE has 'corpus TAB source TAB target' or 'source TAB target' lines, as training data have,
    plain or packed. Sources with the same target are paired with each other; what the rules of
    'subfit condense' shorten is added. A model trained on the result writes a language anew, at
    the length that it is asked for: recipe condense-en.
    """
    from subfit.evaluation.corpus import pair_writer
    from subfit.training.data import paraphrases as making

    if shortened and word_classes(source_language) is None:
        raise UsageError(
            f"there are no rules for shortening {source_language}, only for English; pass "
            "--shortened 0"
        )
    for path in [output] if held_out is None else [output, held_out]:
        check_writable(path, overwrite=overwrite)
    read = _read(files, frozenset(corpus))
    made, counts = making.paraphrases(read, source_language, seed=seed)
    texts = list(dict.fromkeys(pair.source for pair in read))
    random.Random(seed).shuffle(texts)
    made += making.copied(texts, most=copied)
    by_rules = list(making.shortened(texts, source_language, most=shortened, seed=seed))
    made += by_rules
    if not made:
        names = ", ".join(map(str, files))
        raise InputFileError(names, "no two sources have the same target", remedy="name more files")
    kept, out = _parted(made, held_out_pairs if held_out else 0, seed)
    for target, pairs in ((output, kept), (held_out, out)):
        if target is not None:
            with pair_writer(target, overwrite=overwrite) as write:
                for pair in pairs:
                    write(pair)
    document = {
        "pairs": len(read),
        "paraphrases": asdict(counts),
        "shortened": len(by_rules),
        "copied": len(made) - counts.pairs - len(by_rules),
        "written": len(kept),
        "held_out": len(out),
    }
    if json:
        print_json(document)
    else:
        _show(document, output)
    return 0


def _show(document: Mapping[str, Any], output: Path) -> None:
    """Tell what was made of how much."""
    made = document["paraphrases"]
    written, read = count_of(document["written"], "pair"), count_of(document["pairs"], "pair")
    messages = Messages(data_on_stdout=False, quiet=False)
    messages.say(f"{output}: {written} of {read} read")
    messages.figures(
        [
            ("paraphrases", f"{made['pairs']} of {made['groups']} targets with several sources"),
            ("refused", f"{made['refused']} that are about others, or deny it"),
            ("shortened", f"{document['shortened']} by rules"),
            ("copied", str(document["copied"])),
            ("held out", str(document["held_out"])),
        ]
    )


def _read(files: Sequence[Path], corpora: frozenset[str]) -> list[Pair]:
    """All pairs; those of each file are taken for translations into one language."""
    from subfit.evaluation.corpus import read_pairs

    return [
        pair
        for path in files
        for pair in read_pairs(path, _language_in(path))
        if not corpora or pair.corpus in corpora
    ]


def _language_in(path: Path) -> str:
    """What tells the targets of a file from those of others: ``de`` of ``en-de.tsv.xz``."""
    parts = path.name.split(".")
    tags = [part.rpartition("-")[2] for part in parts if "-" in part]
    return next((tag for tag in tags if primary_language(tag)), path.name)


def _parted(pairs: Sequence[Pair], most: int, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Pairs to train on and pairs to validate on, which have no text in common."""
    if not most:
        return list(pairs), []
    order = list(pairs)
    random.Random(seed).shuffle(order)
    texts = {text for pair in order[:most] for text in (pair.source, pair.target)}
    kept = [pair for pair in pairs if pair.source not in texts and pair.target not in texts]
    return kept, order[:most]
