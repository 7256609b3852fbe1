"""NLLB, M2M100, mBART-50 and MADLAD: what `generate` finds, and nothing over a ceiling."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import LogitsProcessor, LogitsProcessorList

from subfit.decoding.guide import START
from subfit.decoding.hypotheses import Guide, Request, SearchSettings, TermConstraint, TokenRequest
from subfit.decoding.loading import Wanted, load_model
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.translator import Translator
from subfit.errors import ModelError, UsageError
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.config import EXACT
from subfit.model.families import settle
from subfit.text.counting import Counting, count_characters
from tests.decoding.test_search_exhaustive import (
    END,
    MOST_TOKENS,
    PAD,
    PIECES,
    SOURCE,
    WORDS,
    every_hypothesis,
    text_of,
)
from tests.tiny import PAIRS
from tests.tiny_families import FAMILIES, inputs, tiny_family

Folder = Callable[[str, int], Path]
BEAMS, STEPS = 4, 24
TRAINED = 60
TEXTS = [pair.source for pair in PAIRS[:6]]

pytestmark = pytest.mark.filterwarnings("ignore:.*max_new_tokens.*")


class SmallPieces:
    eos_id, pad_id, piece_texts = END, PAD, PIECES


def translator_of(folder: Path, **wanted: Any) -> Translator:
    settings = SearchSettings(beams=BEAMS, nbest=BEAMS, max_steps=STEPS, batch_size=3)
    return load_model(str(folder), EXACT).translator(Wanted("en", "de", settings=settings))


class OnlyText(LogitsProcessor):
    """Bars the tokens that no translation is made of, but for the first."""

    def __init__(self, barred: list[int], before: int) -> None:
        self.barred, self.before = barred, before

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        if input_ids.shape[1] >= self.before:
            scores[:, self.barred] = -math.inf
        return scores


def generated(checkpoint: Checkpoint, family: str) -> list[tuple[list[int], float]]:
    """The pieces and the score of the best hypothesis of Hugging Face's own search."""
    model, pieces = checkpoint.model, checkpoint.tokenizer
    first = {} if family == "madlad" else pieces.language_token("de")
    barred = sorted({model.config.pad_token_id, *pieces.special_ids} - {pieces.eos_id})
    before = 1 if family == "madlad" else 2
    found = []
    for text in TEXTS:
        done = model.generate(
            **inputs(pieces._tokenizer, family, [text]),
            num_beams=BEAMS,
            early_stopping=False,
            max_new_tokens=STEPS,
            length_penalty=1.0,
            return_dict_in_generate=True,
            output_scores=True,
            logits_processor=LogitsProcessorList([OnlyText(barred, before)]),
            **({"forced_bos_token_id": first} if first else {}),
        )
        own = done.sequences[0, before:].tolist()
        assert own.count(pieces.eos_id) <= 1
        found.append(
            (
                own[: own.index(pieces.eos_id)] if pieces.eos_id in own else own,
                float(done.sequences_scores[0]),
            )
        )
    return found


@pytest.mark.parametrize(
    ("family", "steps"),
    [
        *(pytest.param(family, TRAINED, id=f"{family}-trained") for family in FAMILIES),
        pytest.param("madlad", 0, id="madlad-random"),
    ],
)
def test_without_a_budget_the_best_is_that_of_generate(family, steps, family_folder):
    translator = translator_of(family_folder(family, steps))
    ours = translator.translate([Request(text) for text in TEXTS])
    compared = 0
    for nbest, (tokens, score) in zip(ours, generated(translator.checkpoint, family), strict=True):
        ended = len(tokens) < STEPS - 2  # `generate` also returns what did not, or was made to
        if ended:
            assert list(nbest[0].token_ids) == tokens
            assert nbest[0].score == pytest.approx(score, abs=1e-4)
            compared += 1
    assert compared >= (len(TEXTS) - 2 if steps else 2)


@pytest.mark.parametrize("family", FAMILIES)
def test_nothing_is_over_its_ceiling(family: str, family_folder: Folder) -> None:
    translator = translator_of(family_folder(family, TRAINED))
    requests = [Request(text, float(ceiling)) for text in TEXTS for ceiling in (2, 6, 11, 17)]
    found = translator.translate(requests)
    for request, nbest in zip(requests, found, strict=True):
        for each in nbest:
            assert count_characters(each.text) <= each.characters <= request.ceiling
    assert sum(map(bool, found)) > len(requests) / 3


@pytest.mark.parametrize("family", FAMILIES)
def test_a_term_of_the_glossary_is_said(family: str, family_folder: Folder) -> None:
    translator = translator_of(family_folder(family, TRAINED))
    term = TermConstraint("lighthouse", ("Leuchtfeuer",), "de")
    plain, told = translator.translate([Request(TEXTS[2]), Request(TEXTS[2], terms=(term,))])
    assert "Leuchtturm" in plain[0].text and "Leuchtfeuer" in told[0].text


@pytest.mark.parametrize("family", FAMILIES)
def test_a_wide_beam_finds_all_there_is(family: str) -> None:
    """The best that fits is the best of all sequences, on a vocabulary of six pieces."""
    torch.manual_seed(0)
    first = None if family == "madlad" else len(PIECES)
    start = PAD if first is None else END
    model = tiny_family(
        family,
        len(PIECES) + 1,
        eos_token_id=END,
        pad_token_id=PAD,
        decoder_start_token_id=start,
    )
    settle(model)

    table = piece_table(Checkpoint("x", model, SmallPieces()), Counting())
    before = (start,) if first is None else (start, first)
    steps = MOST_TOKENS + len(before) - 1
    settings = SearchSettings(beams=330, nbest=330, max_steps=steps)
    search = BudgetedBeamSearch(Network([model], first=first), table, settings, [len(PIECES)])
    ceilings = [math.inf, 6.0, 3.0, 1.0]
    found = search.search([TokenRequest(tuple(SOURCE), 0, ceiling) for ceiling in ceilings])
    for ceiling, nbest in zip(ceilings, found, strict=True):
        wanted = every_hypothesis([model], ceiling, Counting(), 1.0, before)
        assert {each.token_ids for each in nbest} == {sequence for sequence, _ in wanted}
        assert [each.score for each in nbest] == pytest.approx(
            [score for _, score in wanted], abs=1e-4
        )
        assert all(len(text_of(each.token_ids)) <= ceiling for each in nbest)


def test_what_a_memory_begins_with_stands_behind_the_language() -> None:
    torch.manual_seed(1)
    ids = {"eos_token_id": END, "pad_token_id": PAD, "decoder_start_token_id": END}
    model = tiny_family("nllb", len(PIECES) + 1, **ids)
    settle(model)
    table = piece_table(Checkpoint("x", model, SmallPieces()), Counting())
    network = Network([model], first=len(PIECES))
    search = BudgetedBeamSearch(network, table, SearchSettings(beams=8, max_steps=6), [len(PIECES)])
    for piece in WORDS:
        guided = TokenRequest(tuple(SOURCE), guide=Guide({(START, piece): 50.0}, 1.0))
        ((best, *_),) = search.search([guided])
        assert best.token_ids[0] == piece


@pytest.mark.parametrize("family", FAMILIES)
def test_an_unknown_language_is_one_clear_line(family: str, family_folder: Folder) -> None:
    model = load_model(str(family_folder(family, 0)), EXACT)
    with pytest.raises(
        UsageError, match=r"does not know tlh; it knows \d+ languages: .*\bde"
    ) as it:
        model.translator(Wanted("en", "tlh"))
    assert "\n" not in str(it.value)
    with pytest.raises(UsageError, match="name -t, the language to translate into"):
        model.translator(Wanted("en"))
    if family != "madlad":
        with pytest.raises(UsageError, match="name -s, the language of the input"):
            model.translator(Wanted(None, "de"))


def test_a_folder_without_tokens_for_languages_is_refused(family_folder, tmp_path):
    folder = shutil.copytree(family_folder("nllb", 0), tmp_path / "model")
    kept = family_folder("madlad", 0)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(kept / name, folder / name)
    with pytest.raises(ModelError, match="no tokens for languages"):
        load_checkpoint(str(folder))
