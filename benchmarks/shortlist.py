"""Shows how much of references and of the model's own translations is inside shortlists.

Most of a vocabulary has no place in the translation of a sentence, and scoring every piece of it is
most of a decoder's work (Jean et al. 2015, §4; Senellart et al. 2018, §3.2). A shortlist has what
the lexical table knows as translations of the source's pieces, these pieces themselves, for names,
the language's frequent pieces, and all that any text may be spelt with.

Lists of several lengths, by the frequent pieces and the translations of each source piece that
belong to them, for sentences alone and in batches of like length. "own" is the model's best
translation found without a shortlist.

    python -m benchmarks.shortlist models/en-multi dev/mixed.en-de.tsv -t de --lines 300
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import fmean

import torch
from torch import Tensor

from subfit.decoding.hypotheses import Request
from subfit.decoding.pieces import spelling_pieces
from subfit.decoding.search import SearchSettings
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import read_pairs
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.lexicon import LexicalTable, find_table

FREQUENT = (250, 500, 1000, 2000, 4000)
TRANSLATIONS = (10, 20, 30)
BATCHES = (1, 32)
TITLES = ("frequent", "translations", "batch", "pieces", "reference %", "own %", "own, whole %")


@dataclass(frozen=True, slots=True)
class ShortlistSettings:
    """How long shortlists are."""

    frequent: int = 2000
    """Of the pieces that are most frequent in the target language, so many always belong."""
    translations: int = 30
    """Of each source piece so many translations belong, as far as the table has them."""


DEFAULT_SHORTLIST = ShortlistSettings()


class Shortlist:
    """Finds the shortlists of one target language.

    Args:
        table: Its lexical table.
        piece_texts: What each target piece prints.
        shared: Whether source and target have one vocabulary, so that pieces can be copied.
        settings: How long the lists are.
    """

    def __init__(
        self,
        table: LexicalTable,
        piece_texts: Sequence[str],
        *,
        shared: bool = True,
        settings: ShortlistSettings = DEFAULT_SHORTLIST,
    ) -> None:
        self._always = spelling_pieces(piece_texts)
        frequent = table.counts.argsort(descending=True, stable=True)[: settings.frequent]
        self._always[frequent[table.counts[frequent] > 0]] = True
        columns = [_translations(table, settings.translations, int(self._always.nonzero()[0]))]
        if shared:
            columns += [torch.arange(len(piece_texts)).unsqueeze(1), _twins(piece_texts)]
        self._beside = torch.cat(columns, dim=1)  # (source_size, translations and copies)

    def pieces(self, source: Tensor) -> Tensor:
        """Return the target pieces that translations of a sentence, or of a batch, may consist of.

        Args:
            source: Source pieces in any shape; special tokens and padding may be among them.

        Returns:
            (n,) int64, ascending, each once.
        """
        found = source.flatten().unique()  # type: ignore[no-untyped-call]
        found = found[found < len(self._beside)]  # a model may have tokens beyond its vocabulary's
        listed = self._always.clone()
        listed[self._beside[found]] = True
        return listed.nonzero().squeeze(1)


def find_shortlist(
    checkpoint: Checkpoint, language: str | None, settings: ShortlistSettings = DEFAULT_SHORTLIST
) -> Shortlist | None:
    """Return what finds shortlists for a model, None where it has no table for the language.

    Args:
        checkpoint: The model.
        language: Tag of the target language; None will do for a model of one.
        settings: How long the lists are.

    Raises:
        ModelError: The model's tables are damaged.
    """
    table, tokenizer = find_table(checkpoint, language), checkpoint.tokenizer
    if table is None:
        return None
    return Shortlist(table, tokenizer.piece_texts, shared=tokenizer.shared, settings=settings)


def _translations(table: LexicalTable, most: int, filler: int) -> Tensor:
    """The best translations of every source piece, (source_size, most), filled up."""
    lengths = table.offsets.diff()
    rows = torch.arange(len(lengths)).repeat_interleave(lengths)
    rank = torch.arange(len(rows)) - table.offsets[rows]
    best = rank < most
    filled = torch.full((len(lengths), most), filler)
    filled[rows[best], rank[best]] = table.targets[best]
    return filled


def _twins(piece_texts: Sequence[str]) -> Tensor:
    """For every piece the one that differs in its leading space only, or itself; (size, 1).

    A name follows a space in the source and an opening mark in the target: ``Anna?``, ``¿Anna?``.
    """
    ids = {text: number for number, text in enumerate(piece_texts)}
    twins = (text[1:] if text.startswith(" ") else " " + text for text in piece_texts)
    return torch.tensor([[ids.get(twin, own)] for own, twin in enumerate(twins)])


def batches(sources: Sequence[Sequence[int]], size: int) -> Iterator[list[int]]:
    """Yield the numbers of sentences that go together, by length."""
    order = sorted(range(len(sources)), key=lambda each: len(sources[each]))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def inside(target: Sequence[int], listed: Tensor) -> Tensor:
    """Whether each piece of a target is on a list."""
    return torch.isin(torch.tensor(target), listed).float()


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.shortlist", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("-t", "--target-language", required=True)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    checkpoint = load_checkpoint(options.model)
    language, tokenizer = options.target_language, checkpoint.tokenizer
    translator = Translator(
        checkpoint, settings=SearchSettings(beams=4, nbest=1), target_language=language
    )
    pairs = list(read_pairs(options.pairs))[: options.lines]
    found = translator.translate([Request(pair.source) for pair in pairs])
    rows = [
        (tokenizer.encode(pair.source), tokenizer.encode(pair.target), each[0].token_ids)
        for pair, each in zip(pairs, found, strict=True)
        if each
    ]
    sources = [source for source, _, _ in rows]
    print(*TITLES, sep=" | ")
    for frequent, translations, size in product(FREQUENT, TRANSLATIONS, BATCHES):
        shortlist = find_shortlist(checkpoint, language, ShortlistSettings(frequent, translations))
        assert shortlist is not None, f"{options.model} has no lexical table for {language}"
        sizes, references, own = [], [], []
        for batch in batches(sources, size):
            together = [piece for each in batch for piece in sources[each]]
            listed = shortlist.pieces(torch.tensor(together))
            sizes.append(len(listed))
            references += [inside(rows[each][1], listed) for each in batch]
            own += [inside(rows[each][2], listed) for each in batch]
        shares = (
            float(torch.cat(references).mean()),
            float(torch.cat(own).mean()),
            fmean(float(each.all()) for each in own),
        )
        shown = [f"{100 * each:.2f}" for each in shares]
        print(frequent, translations, size, round(fmean(sizes)), *shown, sep=" | ", flush=True)


if __name__ == "__main__":
    main()
