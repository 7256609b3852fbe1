"""How the figures of ``subfit evaluate`` are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from subfit.reporting.lengths import plain_data
from subfit.reporting.wording import number, percent, spread_of

if TYPE_CHECKING:
    from subfit.evaluation.adequacy import Adequacy
    from subfit.evaluation.evaluation import Evaluation
    from subfit.evaluation.rouge import Rouge
    from subfit.evaluation.round_trip import RoundTrip
    from subfit.evaluation.significance import Significance


def rouge_figures(recall: Rouge | None) -> Iterator[tuple[str, str]]:
    """Label ROUGE."""
    if recall is not None:
        cut = f", cut at {recall.bytes} bytes" if recall.bytes else ""
        values = f"{recall.rouge_1:.2f} / {recall.rouge_2:.2f} / {recall.rouge_l:.2f}"
        yield "ROUGE", f"{values} (recall of words, pairs, longest subsequence{cut})"


def round_trip_figures(trip: RoundTrip | None) -> Iterator[tuple[str, str]]:
    """Label how well another model gives the sources back."""
    if trip is None:
        return
    chrf = "none" if trip.chrf is None else f"{trip.chrf:.2f}  ({trip.signature})"
    yield "round trip", f"chrF {chrf} of what {trip.model} gives back and the sources"
    if trip.log_probability is not None:
        yield "", f"{trip.log_probability:.3f} nats a token of the sources, given the translations"
    if trip.unread:
        yield "", f"{trip.unread} lines that {trip.model} cannot take"


def adequacy_figures(measured: Adequacy | None) -> Iterator[tuple[str, str]]:
    """Label REP and DROP."""
    if measured:
        yield "REP", f"{measured.rep:.2f}  ({measured.signature})"
        yield "DROP", f"{measured.drop:.2f}  ({measured.signature})"


def asked_of(other: Evaluation) -> str:
    """Say what another system was asked for."""
    return f", asked for {other.setup.ask}" if other.setup else ""


def differences(
    own: Evaluation, other: Evaluation, difference: Significance
) -> Iterator[tuple[str, str]]:
    """Label the differences to another system, each with its p-value."""
    rows = (
        ("BLEU", own.quality.bleu.value, other.quality.bleu.value, difference.bleu),
        ("chrF", own.quality.chrf.value, other.quality.chrf.value, difference.chrf),
        ("LR source", own.source_ratio.mean, other.source_ratio.mean, difference.length_ratio),
    )
    for label, here, there, p in rows:
        digits = 3 if label == "LR source" else 2
        yield (
            label,
            f"{here:.{digits}f} and {there:.{digits}f}, {here - there:+.{digits}f}, p = {p:.4f}",
        )
    yield "test", f"paired approximate randomisation ({difference.signature})"


def figures_of(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Label the figures; every score with the settings that made it."""
    quality, compliance = evaluation.quality, evaluation.compliance
    yield "BLEU", f"{quality.bleu.value:.2f}  ({quality.bleu.signature})"
    yield "BLEU*", f"{quality.bleu_star.value:.2f}  ({quality.bleu_star.signature})"
    yield "chrF", f"{quality.chrf.value:.2f}  ({quality.chrf.signature})"
    yield "LR source", spread_of(plain_data(evaluation.source_ratio), 3)
    yield "LR reference", spread_of(plain_data(evaluation.reference_ratio), 3)
    yield (
        "LC",
        f"{percent(compliance.iwslt)} (IWSLT rule), {percent(compliance.strict)} (strict rule)",
    )
    if evaluation.variance is not None:
        unit = (
            f" in {evaluation.setup.unit}"
            if evaluation.setup and evaluation.setup.unit != "characters"
            else ""
        )
        lines = f"{evaluation.asked_lines} lines asked a length of{unit}"
        yield "VAR", f"{number(evaluation.variance, 2)} over {lines}"
    yield (
        "VAR reference",
        f"{number(evaluation.reference_variance, 2)} against the references' lengths",
    )
    if evaluation.tokens is not None and evaluation.setup and evaluation.setup.unit == "tokens":
        yield (
            "VAR tokens",
            f"{number(evaluation.tokens.reference_variance, 2)} against the references'",
        )
        yield "LR tokens", spread_of(plain_data(evaluation.tokens.reference_ratio), 3)
    if evaluation.overflow is not None:
        over = evaluation.overflow
        yield (
            "over budget",
            f"{percent(over.share)} of lines, {number(over.characters)} characters in all",
        )
    if evaluation.doubtful:
        yield "in doubt", f"{evaluation.doubtful} lines may end too early"
    if evaluation.condensed:
        yield "condensed", f"{evaluation.condensed} lines lack words of their source"
    if evaluation.untranslated:
        yield "untranslated", f"{evaluation.untranslated} lines, kept as they are"
    if evaluation.setup is not None:
        setup = evaluation.setup
        seed = "" if setup.seed is None else f", trained with seed {setup.seed}"
        if setup.channel_model is not None:
            yield "ranked by", f"{setup.channel_model}, as it gives the sources back"
        yield "computed", f"in {setup.precision} on {setup.device}{seed}"
    yield "output", f"SHA-256 {evaluation.checksum[:12]}"
    yield "time", f"{evaluation.seconds:.1f} s, {evaluation.sentences_per_second:.1f} sentences/s"
