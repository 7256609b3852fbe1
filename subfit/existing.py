"""Anyone's translation made to fit: only cues over their limits change, and as little as fits.

fit: pair with the source → better lines → two cues → more time → a shorter wording → left, and
marked
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest

from subfit.decoding.any_translator import AnyTranslator
from subfit.errors import UsageError
from subfit.fitting.cue_splits import divided
from subfit.fitting.options import DEFAULT_OPTIONS, Options
from subfit.fitting.outcomes import Alternative, CueOutcome
from subfit.fitting.placement import settle
from subfit.fitting.rewording import Wanted, Wording, reworded
from subfit.fitting.spans import SpanPlacer
from subfit.limits.budget import LengthBudget, budget_for
from subfit.limits.cue_budgets import track_budgets, turn_budgets
from subfit.limits.guideline import Guideline
from subfit.localization import Localization
from subfit.reporting.reflow import CueReflow, reflow_cue
from subfit.reporting.report import report_on
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats.layout import Layout, with_parts
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.payload import plain_text, seen_lines
from subfit.subtitles.markup.restore import render_cue_text
from subfit.subtitles.pairing import pair_tracks
from subfit.subtitles.sentences import join_cues, parse_cues

ALTERNATIVES = 4
"""Other wordings of a cue that are told of though none were asked for."""


@dataclass(frozen=True, slots=True)
class _Cue:
    """One cue on its way."""

    index: int
    cue: Cue
    text: CueText
    own: LengthBudget
    most: LengthBudget
    """Its budget with all the time it may get."""
    source: str = ""
    """What it translates, turns parted by ``\\n``; empty where that is not known."""
    runs_on: bool = False
    """Whether that goes on in the next cue."""
    sentence: tuple[str, str, str] = ("", "", "")
    """Of cues that share a sentence: what stands in those before and behind, and what they all
    translate."""


def fit(
    track: Track,
    guideline: Guideline,
    source: Track | None = None,
    translator: AnyTranslator | None = None,
    options: Options = DEFAULT_OPTIONS,
    only: Collection[int] = (),
    *,
    split: bool = False,
) -> Localization:
    """Make a translation fit that is there already, whoever made it.

    A cue that keeps its limits is not touched. Of each that does not, the lines are broken anew;
    then it becomes two, or ends later, where that is allowed; then it is said in fewer characters,
    with as little changed as fits and nothing lost; else it is left, and marked.

    Args:
        track: The translation.
        guideline: Its limits; names its language.
        source: What it was translated from. Cues are paired by position where both have as many,
            else by time.
        translator: From the source's language, or a language model that rewrites in one language
            (loaded with that as source and target); None for short wordings and fillers alone.
        options: Of these `source_language`, `timing`, `strict_budget`, `alternatives` and `people`
            (their names stay, and language models are told of them) count.
        only: Numbers of the cues that may change, 1 for the first; none for all.
        split: Make two cues of those whose lines do not hold them, in fewer words if time lacks.

    Returns:
        The track, its outcomes and their report. `CueOutcome.natural` is what stood there,
        ``omitted`` what of it was spared; of a cue split in fewer words, the first half has both.

    Raises:
        UsageError: The track has no times, the source cannot be paired with it, the translator
            counts otherwise than the guideline, or its format has no way to split cues.
    """
    if not track.timed:
        raise UsageError("only subtitles with times have limits that a translation can be fit to")
    if translator is not None and translator.counting != guideline.counting:
        raise UsageError(f"the translator does not count characters as {guideline.name} does")
    if (last := max(only, default=0)) > len(track.cues):
        raise UsageError(f"there is no cue {last}: the last one is {len(track.cues)}")
    chosen = frozenset(number - 1 for number in only) or range(len(track.cues))
    sources = _sources(track, source, options.source_language)
    work = _Work(track, sources, chosen, guideline, options, translator)
    work, halves = work.split() if split else (work, {})
    lines = work.better_lines()
    wordings = work.shorter_wordings([one for one in work.cues if work.is_over(one, lines)])
    outcomes = [work.outcome(one, lines, wordings.get(one.index, ())) for one in work.cues]
    for at, (said, omitted) in halves.items():
        natural = said if omitted else outcomes[at].natural
        note = f"of one cue: {said}"
        outcomes[at] = replace(outcomes[at], note=note, omitted=omitted, natural=natural)
    return work.put_back(outcomes, lines, halves)


def _sources(track: Track, source: Track | None, language: str) -> list[tuple[str, bool]]:
    """What each cue translates, turns parted by ``\\n``, and whether that goes on in the next."""
    if source is None:
        return [("", False)] * len(track.cues)
    texts = parse_cues(source.cues, source.format)
    sentences = join_cues(source.cues, texts, language=language)
    open_ended = {part.cue for sentence in sentences for part in sentence.parts[:-1]}
    return [
        (
            "\n".join(turn.text for number in numbers for turn in texts[number].turns),
            not open_ended.isdisjoint(numbers[-1:]),
        )
        for numbers in pair_tracks(track, source).sources
    ]


class _Work:
    """A translation on its way, and what all of its cues share."""

    def __init__(
        self,
        track: Track,
        sources: Sequence[tuple[str, bool]],
        chosen: Collection[int],
        guideline: Guideline,
        options: Options,
        translator: AnyTranslator | None,
    ) -> None:
        self.track, self.sources, self.chosen = track, sources, chosen
        self.guideline, self.options, self.translator = guideline, options, translator
        self.budgets = track_budgets(track, guideline, extend=options.timing == "extend")
        texts = parse_cues(track.cues, track.format)
        rows = zip(track.cues, texts, self.budgets.own, self.budgets.most, sources, strict=True)
        cues = [_Cue(n, *row[:4], *row[4]) for n, row in enumerate(rows)]
        self.cues = list(_in_sentences(cues))

    def split(self) -> tuple[_Work, dict[int, tuple[str, tuple[str, ...]]]]:
        """Make two cues of those where no other lines would do; in fewer words where time lacks.

        Returns:
            What is to do then; by the places of the cues that were made, the whole text, and at the
            first what was left out of it.
        """
        track, guideline, ends = self.track, self.guideline, self.budgets.latest(self.track)
        if not isinstance(track.layout, Layout):
            raise UsageError("only cues of SubRip and WebVTT files can be split")
        made, close, spared = (
            dict[int, tuple[Cue, Cue]](),
            list[_Cue](),
            dict[int, tuple[str, ...]](),
        )

        def divide(one: _Cue, text: CueText) -> bool:
            shots = track.shot_changes
            two = divided(one.cue, text, ends[one.index], track.format, guideline, shots)
            if two is not None:
                made[one.index] = two
            return two is not None

        for one in self.cues:
            keeps = one.index not in self.chosen or self._fits(one, self._reflowed(one.cue))
            if not keeps and not divide(one, one.text):
                time = ends[one.index] - one.cue.start - guideline.min_gap
                room = budget_for("", time, replace(guideline, lines=2 * (guideline.lines or 1)))
                if len(one.text.turns) == 1 and room.characters > one.most.characters:
                    close.append(replace(one, most=room))
        wordings = self.shorter_wordings(close)
        for one in close:
            for _, wording in wordings[one.index]:
                turn = replace(one.text.turns[0], text=wording.text)
                if not wording.losses and divide(one, replace(one.text, turns=(turn,))):
                    spared[one.index] = wording.spared
                    break
        parts = [made.get(n, (cue,)) for n, cue in enumerate(track.cues)]
        numbers = [n for n, own in enumerate(parts) for _ in own]
        halves = {
            at: (" ".join(plain_text(track.cues[n].text, track.format).split()), spared.pop(n, ()))
            for at, n in enumerate(numbers)
            if n in made
        }
        chosen = frozenset(at for at, n in enumerate(numbers) if n in self.chosen)
        sources = [self.sources[n] for n in numbers]
        track = with_parts(track, parts)
        work = _Work(track, sources, chosen, guideline, self.options, self.translator)
        return work, halves

    def better_lines(self) -> dict[int, CueReflow]:
        """Better lines of the cues that may change and do not fit as they are."""
        return {
            one.index: self._reflowed(one.cue)
            for one in self.cues
            if one.index in self.chosen and not one.own.fits(self._seen(one), self.guideline)
        }

    def is_over(self, one: _Cue, lines: Mapping[int, CueReflow]) -> bool:
        """Whether a cue needs another wording."""
        speech = one.index in lines and one.text.kind == "speech"
        return speech and not self._fits(one, lines[one.index])

    def shorter_wordings(self, over: Sequence[_Cue]) -> dict[int, list[tuple[int, Wording]]]:
        """Wordings by the index of the cue, the best first, each with the turn it is of: where
        several speak one of them is said in fewer characters, so that all fit."""
        wanted: list[tuple[int, int, Wanted]] = []
        for one in over:
            turns, sources = one.text.turns, one.source.split("\n")
            if len(turns) != len(sources):
                sources = [" ".join(sources)] if len(turns) == 1 else [""] * len(turns)
            if one.runs_on and not any(one.sentence):  # what it says may stand in the next cue
                sources[-1] = ""
            for number, budget in enumerate(turn_budgets(one.text, one.most, self.guideline)):
                if not budget.allows(turns[number].text, self.guideline):
                    asked = Wanted(turns[number].text, budget, sources[number], *one.sentence)
                    wanted.append((one.index, number, asked))
        questions = [asked for _, _, asked in wanted]
        made = reworded(questions, self.translator, self.guideline, self.options)
        found: dict[int, list[tuple[int, Wording]]] = {one.index: [] for one in over}
        for (index, number, _), wordings in zip(wanted, made, strict=True):
            found[index] += [(number, wording) for wording in wordings]
        for own in found.values():
            own.sort(key=lambda pair: pair[1].rank)
        return found

    def outcome(
        self, one: _Cue, lines: Mapping[int, CueReflow], found: Sequence[tuple[int, Wording]]
    ) -> CueOutcome:
        """What becomes of a cue."""
        before, better = self._seen(one), lines.get(one.index)
        kept = CueOutcome(
            cue=one.cue,
            status="fits" if one.own.fits(before, self.guideline) else "overflow",
            source=one.source,
            target=before,
            payload=one.cue.text,
            budget=one.most if better else one.own,
            natural=before,
        )
        if better is None:
            return kept
        after = "\n".join(better.after)
        if after != before:
            kept = replace(kept, target=after, payload=better.payload)
        if self._fits(one, better):
            return replace(kept, status="fits")
        if one.text.kind != "speech":
            return replace(kept, status="passed", note=f"{one.text.kind} is kept")
        others = self._alternatives(one, found)
        if others:
            best, wording = others[0]
            if not wording.losses or self.options.strict_budget:
                return replace(
                    kept,
                    status="fits",
                    target=best.target,
                    payload=best.payload,
                    score=best.score,
                    losses=wording.losses,
                    omitted=wording.spared,
                    alternatives=tuple(other for other, _ in others[1:]),
                    note=f"was: {' '.join(before.split())}",
                )
            kept = replace(kept, withheld=wording.losses)
        return replace(kept, status="overflow", alternatives=tuple(other for other, _ in others))

    def _alternatives(
        self, one: _Cue, found: Sequence[tuple[int, Wording]]
    ) -> list[tuple[Alternative, Wording]]:
        """Whole cues that fit, with the wordings of one of their turns, the best first."""
        most = self.options.alternatives or ALTERNATIVES
        place = SpanPlacer(self.guideline.language, self.guideline.language).place
        made: list[tuple[Alternative, Wording]] = []
        for number, wording in found:
            texts = [(turn.text,) for turn in one.text.turns]
            texts[number] = (wording.text,)
            payload = render_cue_text(one.text, texts, self.track.format, place).text
            lines = self._reflowed(replace(one.cue, text=payload))
            if self._fits(one, lines):
                shown, text = "\n".join(lines.after), " ".join(lines.after)
                characters = self.guideline.count(shown)
                share = characters / max(one.most.characters, 1)
                whole = Alternative(text, characters, share, wording.score, shown, lines.payload)
                made.append((whole, wording))
            if len(made) > most:
                break
        return made

    def put_back(
        self, outcomes: Sequence[CueOutcome], long: Collection[int], halves: Collection[int]
    ) -> Localization:
        """The track with what became of its cues, of which some were over their limits."""
        made = self.track.with_texts([outcome.payload for outcome in outcomes])
        if self.budgets.ends is not None:
            ends = [own if n in long else () for n, own in enumerate(self.budgets.ends)]
            outcomes = settle(outcomes, ends, self.guideline)
            made = made.with_ends([outcome.written_end for outcome in outcomes])
        report = report_on(outcomes, self.track, self.guideline)
        over = [one for n, one in enumerate(outcomes) if n in long and n not in halves]
        totals = {**report.totals, "fit": _told(over, len(halves) // 2)}
        return Localization(made, tuple(outcomes), replace(report, totals=totals), self.track)

    def _seen(self, one: _Cue) -> str:
        return seen_lines(plain_text(one.cue.text, self.track.format))

    def _reflowed(self, cue: Cue) -> CueReflow:
        return reflow_cue(cue, self.track.format, self.guideline)

    def _fits(self, one: _Cue, lines: CueReflow) -> bool:
        """Whether a cue fits in better lines, with all the time it may get."""
        return one.most.fits("\n".join(lines.after), self.guideline)


def _in_sentences(cues: Sequence[_Cue]) -> Iterator[_Cue]:
    """The cues, with their sentences where one speaker's runs over several."""
    run = list[_Cue]()
    for one, after in zip_longest(cues, cues[1:]):
        run.append(one)
        if one.runs_on and after and len(one.text.turns) == len(after.text.turns) == 1:
            continue
        said = " ".join(
            " ".join(source for source, _ in groupby(own.source for own in run)).split()
        )
        texts = [turn.text for own in run for turn in own.text.turns]
        for n, own in enumerate(run):
            sentence = " ".join(texts[:n]), " ".join(texts[n + 1 :]), said
            yield replace(own, sentence=sentence) if len(run) > 1 else own
        run.clear()


def is_reworded(one: CueOutcome) -> bool:
    """Whether a cue says anything in other words, not only in other lines."""
    return "".join(one.target.split()) != "".join(one.natural.split())


def _told(over: Sequence[CueOutcome], split: int) -> dict[str, int]:
    """How the cues came to fit that were over their limits, beside those that were split; music and
    sounds are kept, whatever time they have."""
    over = [one for one in over if one.status != "passed"]
    fit = [one for one in over if one.status == "fits"]
    worded = [one for one in fit if is_reworded(one)]
    timed = [one for one in fit if one not in worded and one.end is not None]
    return {
        "over": len(over) + split,
        "lines": len(fit) - len(worded) - len(timed),
        "split": split,
        "time": len(timed),
        "wording": len(worded),
        "with_losses": sum(bool(one.losses) for one in worded),
        "left": len(over) - len(fit),
    }
