"""Shows what translation pieces are worth: the experiments of Ferreira and Martins, section VI.B.

Lines of some corpora are held out and translated, without any budget, by the model alone and guided
by a memory of all the other lines. Lines whose very source the memory has are not taken: these
would be used word for word. With corpora that the model was not trained on it is domain adaptation;
with ``--memory`` the memory is another file, as in the in-domain experiment that of the training
text.

    python -m benchmarks.guided models/en-multi extra.en-de.tsv.xz -t de --corpora ding_sentence
    python -m benchmarks.guided models/en-multi test.tsv -t de --memory train/en-de.tsv.xz
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, median
from typing import Any

import torch

from benchmarks.measuring import markdown
from benchmarks.rare_ngrams import rare_ngrams
from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.evaluation.metrics import (
    Drop,
    Lines,
    Rep,
    learn_alignment,
    metrics_of,
    scored_words,
    translation_quality,
)
from subfit.memory.recall import DEFAULT_GUIDING, Guiding, Memories, Recall
from subfit.memory.store import Entry, Languages, Memory

ADAPTATION = Guiding(most=20, least=0.3, unigram=3.5, longer=4.0, sharpness=1.0)
"""The paper's numbers for domain adaptation, from German."""
IN_DOMAIN = Guiding(most=5, least=0.4, unigram=1.0, longer=1.0, sharpness=1.0)
"""Those for text of the training's domain."""
TITLES = ("system", "BLEU", "chrF", "REP", "DROP", "characters per reference character")
RARE = (0, 1, 2, 5, 10)
"""How often n-grams stand in the training text, as the paper's tables count them."""
ALIGNED = 10_000
"""Entries of the memory that the alignment is learned from besides."""
SHORTEST, LONGEST = 12, 200
"""Characters of the sources that are taken."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Lines to translate, and what there is to guide them."""

    lines: Sequence[Pair]
    memories: Memories
    entries: Sequence[Entry]
    """Of the memory; the alignment for DROP is learned from some of them as well."""


def domain_of(
    pairs: Sequence[Pair], lines: int, languages: Languages, seed: int, memory: Sequence[Pair] = ()
) -> Domain:
    """Hold out lines, and make a memory of the others, or of other pairs."""
    shuffled = list(pairs)
    random.Random(seed).shuffle(shuffled)
    held, others = (shuffled, memory) if memory else (shuffled[: 3 * lines], shuffled[3 * lines :])
    entries = [Entry(pair.source, pair.target) for pair in others]
    known = Memory.of(entries, languages)
    new = [
        pair
        for pair in held
        if SHORTEST <= len(pair.source) <= LONGEST and not known.exact(pair.source)
    ]
    return Domain(new[:lines], Memories([known]), entries)


def translate(
    translator: Translator, domain: Domain, guiding: Guiding | None
) -> tuple[list[str], list[Recall]]:
    """Translate the lines of a domain; without a guiding by the model alone."""
    texts = [pair.source for pair in domain.lines]
    recalls = [] if guiding is None else [domain.memories.recall(text, guiding) for text in texts]
    requests = [Request(text) for text in texts]
    if recalls:
        requests = [
            replace(request, recall=recall)
            for request, recall in zip(requests, recalls, strict=True)
        ]
    nbest = translator.translate(requests)
    return [found[0].text if found else "" for found in nbest], recalls


def measure(
    translator: Translator,
    domain: Domain,
    systems: dict[str, Guiding | None],
    training: Path | None,
) -> dict[str, Any]:
    """Translate by all systems, and return their figures."""
    sources = [pair.source for pair in domain.lines]
    references = [pair.target for pair in domain.lines]
    found = {name: translate(translator, domain, guiding) for name, guiding in systems.items()}
    texts = {name: outputs for name, (outputs, _) in found.items()}
    others = [
        (scored_words(one.source), scored_words(one.target)) for one in domain.entries[:ALIGNED]
    ]
    single = [[reference] for reference in references]
    lines = {name: Lines(sources, single, outputs) for name, outputs in texts.items()}
    rep, drop = Rep(), Drop(lambda pairs: learn_alignment([*pairs, *others]))
    drop.prepare(list(lines.values()))
    rare = rare_counts(texts, references, training)
    document: dict[str, Any] = {"lines": len(sources), "memory": len(domain.memories)}
    for name, (outputs, recalls) in found.items():
        quality = translation_quality(outputs, references)
        bleu = metrics_of()[0]
        bleu.statistics(Lines(references, [[one] for one in references], outputs))
        signature = bleu.signature
        guiding = systems[name]
        matched = [best.similarity for recall in recalls if (best := recall.best) is not None]
        document[name] = {
            "guiding": None if guiding is None else asdict(guiding),
            "bleu": quality["BLEU"],
            "chrf": quality["chrF"],
            "signature": signature,
            "rep": rep.value(rep.statistics(lines[name])),
            "drop": drop.value(drop.statistics(lines[name])),
            "characters": sum(map(len, outputs)) / sum(map(len, references)),
            "matched": len(matched),
            "similarity": {"mean": fmean(matched), "median": median(matched)} if matched else None,
            "rare": rare.get(name),
        }
    return document


def rare_counts(
    texts: dict[str, list[str]], references: Sequence[str], training: Path | None
) -> dict[str, dict[int, int]]:
    """Count the correct n-grams of each system that are rare in the training text."""
    if training is None:
        return {}
    targets = [pair.target for pair in read_pairs(training)]
    return {
        name: rare_ngrams(outputs, references, targets, most=max(RARE))
        for name, outputs in texts.items()
    }


def rows(document: dict[str, Any]) -> Iterator[list[str]]:
    """Yield the rows of the table."""
    for name, figures in document.items():
        if isinstance(figures, dict):
            keys = ("bleu", "chrf", "rep", "drop")
            yield [name, *(f"{figures[key]:.1f}" for key in keys), f"{figures['characters']:.2f}"]


def rare_rows(document: dict[str, Any]) -> Iterator[list[str]]:
    """Yield the rows of the table of rare n-grams."""
    for name, figures in document.items():
        if isinstance(figures, dict) and figures["rare"]:
            yield [name, *(str(figures["rare"][count]) for count in RARE)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("-t", "--target-language", required=True)
    parser.add_argument("--corpora", nargs="*", default=[], help="of the pairs; all by default")
    parser.add_argument("--memory", type=Path, help="pairs for the memory instead")
    parser.add_argument("--training", type=Path, help="what the model was trained on")
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument(
        "--guiding",
        nargs=4,
        type=float,
        action="append",
        default=[],
        metavar=["M", "γ", "λ1", "λ2"],
    )
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    translator = Translator.load(given.model, target_language=given.target_language)
    languages = Languages(translator.source_language, given.target_language)
    pairs = [
        pair
        for pair in read_pairs(given.pairs)
        if not given.corpora or pair.corpus in given.corpora
    ]
    memory = list(read_pairs(given.memory)) if given.memory else []
    domain = domain_of(pairs, given.lines, languages, given.seed, memory)
    systems: dict[str, Guiding | None] = {"the model alone": None}
    if given.guiding:
        for most, least, unigram, longer in given.guiding:
            name = f"M = {most:.0f}, γ = {least}, λ = ({unigram}, {longer})"
            systems[name] = Guiding(int(most), least, unigram, longer, sharpness=1.0)
    else:
        systems |= {
            "guided, the paper's in-domain numbers": IN_DOMAIN,
            "guided, its numbers for adaptation": ADAPTATION,
            "guided, subfit's": DEFAULT_GUIDING,
        }
    document = measure(translator, domain, systems, given.training)
    print(
        f"{given.pairs.name} {' '.join(given.corpora)}: {document['lines']} lines,"
        f" {document['memory']} entries\n"
    )
    print(markdown(TITLES, list(rows(document))))
    if given.training:
        print(
            "\n"
            + markdown(
                ("correct n-grams, times in training", *map(str, RARE)), list(rare_rows(document))
            )
        )
    if given.json:
        given.json.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
