"""What fitting asks of a translation model, whatever kind it is of.

`subfit.decoding.translator` has it for encoder-decoder models, under a search of subfit's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.servers.usage import Usage
from subfit.text.alignment import WordScores
from subfit.text.counting import Counting


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a model can do, beside translating."""

    lengths: bool = False
    """`Request.asked` is heeded; else ceilings alone limit translations."""
    freely: bool = True
    """It may be asked for no length at all."""
    rates: bool = False
    """`AnyTranslator.rate` makes scores comparable that were found under different requests."""
    terms: bool = False
    """`Request.terms` are heeded."""
    predicts: bool = False
    """It has a predictor of lengths."""
    lexicon: bool = False
    """It knows which words translate each other."""
    holds: bool = True
    """Ceilings are kept while translations are made, not only chosen by."""
    prompted: bool = False
    """It is told in words what to do, and so rewords where it is to be brief."""
    formalities: tuple[str, ...] = ()
    """The forms of address that translations can be asked for."""


class AnyTranslator(Protocol):
    """Translates from one language into another: requests in, ranked hypotheses out."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do; what it cannot it ignores, so a request may always ask for all."""

    @property
    def name(self) -> str:
        """The model's name, for reports."""

    @property
    def counting(self) -> Counting:
        """What a character is, for ceilings."""

    @property
    def language(self) -> str:
        """Tag of the language that is translated into; ``und`` where that is not known."""

    @property
    def source_language(self) -> str:
        """Tag of the language that is translated; ``und`` where that is not known."""

    @property
    def precision(self) -> str:
        """What it computes in, for reports."""

    @property
    def beams(self) -> int:
        """Hypotheses that are kept while searching."""

    @property
    def word_scores(self) -> WordScores | None:
        """How probable words are as translations of each other; None where nothing tells."""

    @property
    def usage(self) -> Usage | None:
        """What asking a server has come to so far; None of a model that is here."""

    def accepts(self, text: str) -> bool:
        """Whether the text is short enough for the model."""

    def predict_lengths(self, texts: Sequence[str]) -> list[int]:
        """Return how many characters the translation of each text naturally has, 1 or more, as a
        predictor has it or, without one, as many as usual."""

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        """Translate texts.

        Args:
            requests: What to translate. What is found for one does not depend on the others.
            on_done: Called with the number of requests that got done since it was last called.

        Returns:
            Per request its hypotheses, best first, none over its ceiling; an empty list where
            there is none within it, or the model can read nothing of the text.
        """

    def rate(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """Score hypotheses, and their closing, as if no length had been asked for.

        Args:
            texts: The sources.
            nbest: Per source its hypotheses.
            formalities: Per source the form of address that was asked for; empty if none was.

        Returns:
            The same hypotheses in the same order; as they are from a model that cannot rate.
        """


def shortcomings(translator: AnyTranslator) -> tuple[str, ...]:
    """Return what a model cannot do, of all that makes short translations good ones.

    Args:
        translator: The model.

    Returns:
        What to tell its user, with what follows from it; none for a model of subfit's own.
    """
    able = translator.capabilities
    told = (
        (able.lengths, "takes no lengths, so that only a hard limit shortens its translations"),
        (
            able.holds,
            "compiles no JSON schema, so that budgets are kept by choosing and asking again",
        ),
        (able.rates, "rates no ends, so that one which comes too early may go unnoticed"),
        (able.terms, "searches for no terms"),
        (able.lexicon, "has no table of words, so that omissions are not measured"),
    )
    return tuple(text for able, text in told if not able)
