"""Shorter wordings of a text that is there already: as little changed as fits, and nothing lost.

Candidates come from three places: short wordings stand for long ones (`subfit.fitting.plainer`);
searches under the budget, free or guided by the words that stand there as by a translation memory
of the same source, have other words in their place, all or some; a language model is asked to say
the same in so many characters. A model that translates rates them all, with what stands around them
in their sentence, as translations of the source beside the text that stands there. A cue that is
over cannot be read in time, so that a wording may be less probable than that, as far as a shorter
translation may (`subfit.fitting.choice`), if no word of it is improbable where it stands. What
loses something is passed over; of the rest the one wins that reads best for the least change.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz.distance import Levenshtein

from subfit.decoding.any_translator import AnyTranslator, Capabilities
from subfit.decoding.hypotheses import FREE, Hypothesis, Request, Setting
from subfit.fitting.losses import GONE, MUCH_WORSE, SAID, Loss, has_meaning, losses_of, same_word
from subfit.fitting.options import Options
from subfit.fitting.plainer import capital, plainer, small_words
from subfit.fitting.search import FIRST
from subfit.fitting.task import Setup, Task, Translation
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.memory.recall import Guiding, Recall
from subfit.memory.store import Entry, Match
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.persons import Person, told_of
from subfit.terms.protected import find_placeables
from subfit.text.alignment import align
from subfit.text.counting import count_characters
from subfit.text.doubts import is_negated
from subfit.text.formality import formality_of, gives_away
from subfit.text.linebreak_lists import word_lists
from subfit.text.typography import style_of, typeset

GUIDING = Guiding(unigram=1.0, longer=1.0, sharpness=1.0)
"""What following the text that stands there is worth: less than following a memory, since all of it
cannot be said."""
LEAST, LEAST_PROMPTED = 0.75, 0.6
"""Share of a text that must be left of it: no model that translates said all in less, and hardly
any that is prompted; to search costs as much as for others."""
MOST = 48
"""Candidates that are judged for one text: those that change least of it."""
UNLIKELY, SLIGHTLY = -2.5, 0.5
"""No piece of other words may be less probable where it stands, in nats, nor the one behind them
unless it was so before, or nearly."""
_MARKS = " ,;:.!?¿¡…–—-\"'“”„«»()"
_QUOTED = re.compile(r"[„“\"«»]\s?([^„“”\"«»]+?)\s?[“”\"«»]")
_CLAUSE_END = re.compile(r"(\w+)[^\w\s]*(?:[,;:.!?…]|$)")
_OPENING, _CLOSING = '…"“„«¿¡(.–-', " ,;:–—.!?…\"'”’»)]-"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to be said in fewer characters."""

    text: str
    """What one speaker says in one cue, in one line."""
    budget: LengthBudget
    source: str = ""
    """What it translates; empty where that is not known."""
    before: str = ""
    behind: str = ""
    """What stands before it and behind it in other cues of its sentence."""
    sentence: str = ""
    """What all of these translate; empty for its source."""

    def within(self, text: str) -> str:
        """A wording of it with what stands around it."""
        return " ".join(filter(None, (self.before, text, self.behind)))


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording within its budget."""

    text: str
    losses: tuple[str, ...] = ()
    """What it loses of the text and of its source: values of `subfit.fitting.losses.Loss`."""
    score: float = 0.0
    """Length-normalised log-probability as a translation of the source; 0 where no model rates."""
    value: float = 0.0
    """What it is compared by, in nats per token: how much better it scores than the text, less the
    share of the text that is changed."""
    spared: tuple[str, ...] = ()
    """The words of the text that it has no longer."""

    @property
    def rank(self) -> tuple[int, float]:
        """What wordings of a text, or of several, are ordered by, the best first."""
        return len(self.losses), -self.value


@dataclass(slots=True)
class _Found:
    """The candidates for one text."""

    wanted: Wanted
    task: Task
    base: str
    """What other words are put into: the text, or its shortest words that say the same."""
    made: Sequence[str] = ()
    sure: bool = False
    """Whether they say the same for sure."""


class _NoModel:
    """Stands in where no model is needed: it knows no words and rates nothing."""

    capabilities = Capabilities()
    word_scores = None


def reworded(
    wanted: Sequence[Wanted],
    translator: AnyTranslator | None,
    guideline: Guideline,
    options: Options,
) -> list[list[Wording]]:
    """Say texts in fewer characters.

    Args:
        wanted: The texts, all searched for and rated together.
        translator: From the source's language, or told in words to rewrite the texts; None to do
            without one: then short wordings stand for long ones, and fillers go.
        guideline: Says what a character is and names the language of the texts.
        options: The language of the sources, and the persons, whose names stay.

    Returns:
        For each text the wordings within its budget: those that lose nothing first, and of these
        the best first; none where nothing was found.
    """
    setup = Setup(translator or _NoModel(), guideline)  # type: ignore[arg-type]
    found = [_said_plainly(one, guideline, options.source_language) for one in wanted]
    if translator is not None:
        some = [one for one in found if not one.made and _has_hope(one, setup)]
        _search(some, setup, options.people)
    return _judged(found, setup, options.people)


def _task(one: Wanted, guideline: Guideline, source_language: str) -> Task:
    """A text's source as a sentence to translate, or the text itself where that is not known."""
    text, language = one.sentence or one.source, source_language
    if not one.source:
        text, language = one.text, guideline.language
    terms = find_placeables(text, language, guideline.language)
    sentence = Sentence((Part(0, 0, text),), language)
    return Task(sentence, (one.budget,), terms, counting=guideline.counting)


def _has_hope(one: _Found, setup: Setup) -> bool:
    """Whether the budget is not so far below the text that hardly anything says as much."""
    budget = one.wanted.budget
    most = min(budget.characters, budget.reading)
    share = LEAST_PROMPTED if setup.able.prompted else LEAST
    return most >= share * setup.guideline.count(one.wanted.text)


def _said_plainly(one: Wanted, guideline: Guideline, source_language: str) -> _Found:
    """A text with the wordings that have short words for long ones that say the same."""

    def fits(text: str) -> bool:
        return _may_be(text, one, guideline)

    plain = plainer(one.text, guideline.language, fits)
    made = list(filter(fits, plain))
    task = _task(one, guideline, source_language)
    return _Found(one, task, (*plain, one.text)[0], made, sure=bool(made))


def _search(found: Sequence[_Found], setup: Setup, people: Sequence[Person]) -> None:
    """Let a model say them under their budgets."""
    translator, guideline = setup.translator, setup.guideline
    asked = [(one, request) for one in found for request in _requests(one, setup, people)]
    nbest = translator.translate([request for _, request in asked])
    said: dict[int, dict[str, None]] = {id(one): {} for one in found}
    for (one, request), hypotheses in zip(asked, nbest, strict=True):
        style = style_of([one.wanted.text])
        for hypothesis in hypotheses:
            text = typeset(hypothesis.text, guideline.language, style)
            if one.wanted.sentence and request.text == one.wanted.source:
                text = one.wanted.within(text)
            own = [text] if setup.able.prompted else _in_place(one, text)
            said[id(one)].update(dict.fromkeys(own))
    for one in found:
        some = [text for text in said[id(one)] if _may_be(text, one.wanted, guideline)]
        one.made = sorted(some, key=lambda text: _change(one.wanted.text, text))[:MOST]


def _change(old: str, new: str) -> float:
    """The share of a text that another has otherwise."""
    return Levenshtein.normalized_distance(old, new)


def _requests(one: _Found, setup: Setup, people: Sequence[Person]) -> Iterator[Request]:
    wanted, able = one.wanted, setup.able
    count, translator = setup.guideline.count, setup.translator
    ceiling = math.floor(min(wanted.budget.characters, wanted.budget.reading))
    if able.prompted:
        words = f"{wanted.text} {wanted.source}"
        setting = Setting(notes=told_of(people, words, translator.language))
        for share in FIRST:
            yield Request(wanted.text, ceiling, math.floor(share * ceiling), setting=setting)
        return
    source, whole = one.task.sentence.spoken, wanted.within(wanted.text)
    if not wanted.source or not translator.accepts(source) or ceiling < 1:
        return
    asks = [(source, whole, ceiling + count(whole) - count(wanted.text))]
    if wanted.sentence:
        asks.append((wanted.source, wanted.text, ceiling))
    for source, text, most in asks:
        guided = Recall(source, similar=(Match(Entry(source, text), 1.0),), guiding=GUIDING)
        for recall in (guided, None):
            for share in FIRST if able.lengths else (1.0,):
                asked = math.floor(share * most) if able.lengths else FREE
                yield Request(source, most, asked, recall=recall)


def _in_place(one: _Found, other: str) -> Iterator[str]:
    """What another wording of a sentence says in place of a cue's text: all of it that differs, or
    one place or two."""
    words, theirs = one.base.split(), other.split()
    first = len(one.wanted.before.split())
    edits = [
        (i1 - first, i2 - first, theirs[j1:j2])
        for i1, i2, j1, j2 in _merged(one.wanted.within(one.base).split(), theirs)
        if first <= i1 and i2 <= first + len(words)
    ]
    for size in (len(edits), 1, 2):
        for some in combinations(edits, size):
            yield _edited(words, some)


def _merged(ours: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """The runs of words that differ, as ranges of both texts."""
    runs: list[tuple[int, int, int, int]] = []
    for edit in Levenshtein.opcodes(ours, theirs):
        if edit.tag == "equal":
            continue
        i1, i2, j1, j2 = edit.src_start, edit.src_end, edit.dest_start, edit.dest_end
        if runs and runs[-1][1] == i1 and runs[-1][3] == j1:
            i1, _, j1, _ = runs.pop()
        runs.append((i1, i2, j1, j2))
    return runs


def _edited(words: Sequence[str], edits: Sequence[tuple[int, int, Sequence[str]]]) -> str:
    """A text with words in place of others, which begins and ends as it did."""
    rest, at = list[str](), 0
    for start, stop, new in edits:
        rest += (*words[at:start], *new)
        at = stop
    rest += words[at:]
    old, text = " ".join(words), " ".join(rest).lstrip(" ,;:.!?…–—-)")
    text = re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", text)
    text = text.rstrip(_CLOSING) + old[len(old.rstrip(_CLOSING)) :]
    if next(filter(str.isalpha, old), "").isupper():
        text = capital(text)
    lead = old[: len(old) - len(old.lstrip(_OPENING))]
    return text if text.startswith(lead) else lead + text


def _judged(found: Sequence[_Found], setup: Setup, people: Sequence[Person]) -> list[list[Wording]]:
    """Rate all candidates, and put them in order."""
    counting, every = setup.guideline.counting, list[list[Hypothesis]]()
    for one in found:
        texts = map(one.wanted.within, (one.wanted.text, *one.made))
        every.append([Hypothesis(t, count_characters(t, counting), 0.0, 0.0) for t in texts])
    if setup.able.rates:
        places = [n for n, one in enumerate(found) if one.wanted.source]
        sources = [found[n].task.sentence.spoken for n in places]
        rated = setup.translator.rate(sources, [every[n] for n in places])
        for n, own in zip(places, rated, strict=True):
            every[n] = own
    names = [name for one in people for name in one.written_in(setup.language)]
    return [_ranked(one, own, setup, names) for one, own in zip(found, every, strict=True)]


def _may_be(text: str, wanted: Wanted, guideline: Guideline) -> bool:
    """Whether a candidate is shorter, says something, and fits."""
    says = any(map(str.isalnum, text)) and guideline.count(text) < guideline.count(wanted.text)
    return says and wanted.budget.allows(text, guideline)


def _ranked(
    one: _Found, hypotheses: Sequence[Hypothesis], setup: Setup, names: Sequence[str]
) -> list[Wording]:
    wordings, was = list[Wording](), one.wanted.text
    old = Translation(hypotheses[0])
    for hypothesis, text in zip(hypotheses[1:], one.made, strict=True):
        better = hypothesis.score - old.hypothesis.score
        # Other words that score far better are a translation of their own.
        most = math.inf if set(_bare(text)) <= set(_bare(was)) else MUCH_WORSE
        if not one.sure and (
            not -MUCH_WORSE <= better <= most
            or not _is_likely(old.hypothesis, hypothesis)
            or _reads_broken(one, text, setup)
        ):
            continue
        losses = _lost(one, hypothesis, old, text, setup)
        losses |= dict.fromkeys(_losses_of_itself(was, text, setup.language, names))
        value = min(better, MUCH_WORSE) - _change(was, text)
        spared = tuple(_spared(was, text))
        wordings.append(Wording(text, tuple(losses), hypothesis.score, value, spared))
    return sorted(wordings, key=lambda wording: wording.rank)


def _lost(
    one: _Found, hypothesis: Hypothesis, old: Translation, text: str, setup: Setup
) -> dict[str, None]:
    """What a wording loses as a translation of the source."""
    was, prompted, language = one.wanted.text, setup.able.prompted, setup.language
    made = Translation(hypothesis, natural=False, prompted=prompted)
    losses = {str(loss): None for loss, _ in losses_of(one.task, made, old, setup)}
    if one.sure:
        for loss in (Loss.WORDS, Loss.END):
            losses.pop(loss, None)
    elif not prompted and (
        small_words(text, language) != small_words(was, language) or _loses_words(one, text, setup)
    ):
        losses.setdefault(Loss.WORDS)
    if not one.wanted.source and word_lists(language).nouns_are_capitalised:
        losses.pop(Loss.NAME, None)  # capitals tell nothing
    return losses


def _losses_of_itself(old: str, new: str, language: str, held: Sequence[str]) -> Iterator[str]:
    """What a text loses of an older one, whatever its source says."""
    if is_negated(old, language) != is_negated(new, language):
        yield Loss.NEGATION
    if not set(re.findall(r"\d+", old)) <= set(re.findall(r"\d+", new)):
        yield Loss.NUMBER
    names = word_lists(language).first_names
    called = {word for word in re.findall(r"\w+", old) if word.istitle() and word.lower() in names}
    persons = (name for name in held if re.search(rf"\b{re.escape(name)}", old))
    quoted = set(_QUOTED.findall(old)) <= set(_QUOTED.findall(new))
    if not quoted or any(words not in new for words in (*called, *persons)):
        yield Loss.NAME


def _is_likely(old: Hypothesis, new: Hypothesis) -> bool:
    """Whether what comes to stand in a text, and what stands behind it now, may stand there."""
    if not (old.token_ids and new.token_ids):  # what the model cannot write
        return not old.rated
    pieces = (*old.token_ids, -1), (*new.token_ids, -1)  # the ends are alike
    return all(
        min((*new.rated[edit.dest_start : edit.dest_end], 0.0)) >= UNLIKELY
        and new.rated[edit.dest_end] >= min(UNLIKELY, old.rated[edit.src_end] - SLIGHTLY)
        for edit in Levenshtein.opcodes(*pieces)
        if edit.tag != "equal"
    )


def _reads_broken(one: _Found, text: str, setup: Setup) -> bool:
    """Whether a wording addresses people otherwise, has a word twice, or stops before a noun or, if
    a translating model's, has words for which nothing tells, or that have but lost their ends, or
    lacks what holds a sentence together: articles and the like, for which nothing comes."""
    language, old = setup.language, one.wanted.text
    if formality_of(old, language) != formality_of(text, language):
        return True
    if gives_away(old, language, "formal_if_you") != gives_away(text, language, "formal_if_you"):
        return True
    more = Counter(_bare(text)) - Counter(_bare(old))
    if any(has_meaning(word, language) and _bare(text).count(word) > 1 for word in more):
        return True  # "da warten wir auf Anna warten"
    lists = word_lists(language)
    holding = lists.articles | lists.prepositions | lists.conjunctions
    if setup.able.prompted or not one.wanted.source:
        hanging = holding | lists.determiners
        ends, before = (_CLAUSE_END.findall(each.casefold()) for each in (text, old))
        return any(word in hanging and word not in before for word in ends)
    known, new = _bare(one.wanted.within(old)), _bare(one.wanted.within(text))
    for i1, i2, j1, j2 in _merged(known, new):
        if i2 - i1 == j2 - j1 == 1 and new[j1] in (known[i1][:-1], known[i1][:-2]):
            return True
        if j1 == j2 and not holding.isdisjoint(known[i1:i2]):
            return True
    aligned = align(one.task.sentence.spoken, one.wanted.within(text), setup.words)
    given = {word.text.casefold() for word in aligned.source}
    return any(
        (sure < SAID or own in given or f"{own}s" in given)  # what was translated stays so
        for word, sure in zip(aligned.target, aligned.target_sure, strict=True)
        if (own := word.text.casefold()) not in known and has_meaning(own, language)
    )


def _loses_words(one: _Found, text: str, setup: Setup) -> bool:
    """Whether words of meaning are gone that no others stand for, and that the source may say."""
    source, language = one.task.sentence.spoken, setup.language
    old, new = map(one.wanted.within, (one.wanted.text, text))
    full, ours = (align(source, each, setup.words) for each in (old, new))
    kept = [word.text.casefold() for word in ours.target]
    unsaid = any(
        max(sure) < SAID and has_meaning(word.text, one.task.sentence.language)
        for word, *sure in zip(full.source, full.source_sure, ours.source_sure, strict=True)
    )
    for j, word in enumerate(full.target):
        own = word.text.casefold()
        if not has_meaning(word.text, language) or any(same_word(own, other) for other in kept):
            continue
        if full.target_sure[j] < SAID:
            if unsaid:  # which the word may stand for
                return True
        else:
            best = max(range(len(full.source)), key=lambda i: full.evidence[i][j])
            if ours.source_sure[best] < full.source_sure[best] - GONE:
                return True
    return False


def _bare(text: str) -> tuple[str, ...]:
    """The words of a text without case and marks."""
    return tuple(word.casefold().strip(_MARKS) for word in text.split())


def _spared(old: str, new: str) -> Iterator[str]:
    """The runs of words that a shorter text has no longer."""
    words = old.split()
    for i1, i2, _, _ in _merged(_bare(old), _bare(new)):
        if i2 > i1:
            yield " ".join(words[i1:i2]).strip(_MARKS)
