"""Shorter wordings of a text that is there already: as little changed as fits, and nothing lost.

Candidates come from four places: short wordings stand for long ones (`subfit.fitting.plainer`);
words are left out one by one, or give way to shorter ones that a model has there; a search under
the budget is guided by the words that stand there, as by a translation memory of the same source;
a language model is asked to say the same in so many characters. A model that translates rates them
all as translations of the source beside the text that stands there. What loses something of it,
reads worse, or no longer hangs together is passed over; of the rest the one wins that reads best
for the least change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from rapidfuzz.distance import Levenshtein

from subfit.decoding.any_translator import AnyTranslator, Capabilities
from subfit.decoding.hypotheses import Hypothesis, Request, Setting
from subfit.fitting.losses import Loss, has_meaning, losses_of, same_word
from subfit.fitting.options import Options
from subfit.fitting.plainer import plainer, small_words
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
from subfit.text.formality import formality_of, gives_away
from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import word_lists
from subfit.text.negation import is_negated
from subfit.text.typography import style_of, typeset

GUIDING = Guiding(unigram=1.0, longer=1.0, sharpness=1.0)
"""What following the text that stands there is worth: less than following a memory, since all of it
cannot be said."""
SHARES = (1.0, 0.9)
"""Shares of the budget that language models are asked for."""
LEAST = 0.75
"""Share of a text that must be left of it: no model that translates said all in less."""
LONGEST_EDIT, MOST_EDITS = 4, 2
"""Words that are left out or replaced in one place; and such places in a text."""
MOST_RATED = 32
"""Candidates that a model rates, those that change least."""
POOL = 48
"""Edits that are combined with each other."""
FAR_WORSE = 1.0
"""A wording that says the same for sure is none where its score is by so many nats per token below
that of the text; other wordings must score at least as well."""
SURE = 0.5
"""What it is worth that a wording says the same for sure."""
MUCH_BETTER = 0.4
"""More than that a better score does not count: wordings of its own score best with any model."""
EXPECTED = -1.5
"""A word that is more probable than this where it stands is said by the source, and cannot go; what
comes to stand there must be as probable."""
CHANGE = 1.0
"""Nats per token that changing all of a text takes off a wording's score."""
_UNCOVERED = 0.6
"""A source word counts as said from this evidence on (`subfit.fitting.losses`)."""
_SUPPORTED, _LESS_SURE = 0.5, 0.35
_SURE = 0.7
"""From this evidence on a word that was not there may be put for what the source says."""
_ENDING = 2
"""Letters that words end in alike which may stand for each other."""
_MARKS = " ,;:.!?¿¡…–—-\"'“”„«»()"
_QUOTED = re.compile(r"[„“\"«»]\s?([^„“”\"«»]+?)\s?[“”\"«»]")
_CLAUSE_END = re.compile(r"(\w+)[^\w\s]*(?:[,;:.!?…]|$)")
_END = re.compile(r"[\s,;:–—-]*([.!?…:]*[\"'”’»)\]]*)$")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to be said in fewer characters."""

    text: str
    """What one speaker says in one cue, in one line."""
    budget: LengthBudget
    source: str = ""
    """What it translates; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording within its budget."""

    text: str
    characters: float
    losses: tuple[str, ...] = ()
    """What it loses of the text and of its source: values of `subfit.fitting.losses.Loss`."""
    score: float = 0.0
    """Length-normalised log-probability as a translation of the source; 0 where no model rates."""
    value: float = 0.0
    """What it is compared by, in nats per token: how much better it scores than the text, less what
    is changed."""
    spared: tuple[str, ...] = ()
    """The words of the text that it has no longer."""

    @property
    def rank(self) -> tuple[int, float]:
        """What wordings of a text, or of several, are ordered by, the best first."""
        return len(self.losses), -self.value


@dataclass(frozen=True, slots=True)
class _Edit:
    """Words of a text that go, and what stands in their place."""

    start: int
    stop: int
    words: tuple[str, ...] = ()
    cost: float = 0.0


@dataclass(slots=True)
class _Found:
    """The candidates for one text; the first translation is the text itself."""

    wanted: Wanted
    task: Task
    made: dict[str, bool] = field(default_factory=dict)
    """Texts, and whether they say the same for sure."""
    plain: str = ""
    """The text in the shortest words that say the same, where these are still too many."""
    whole: list[str] = field(default_factory=list)
    """What searches found."""

    @property
    def base(self) -> str:
        """What words are left out of."""
        return self.plain or self.wanted.text


class _NoModel:
    """Stands in where no model is needed: it knows no words and rates nothing."""

    capabilities = Capabilities()
    word_scores = channel_model = None


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
            without one: then only what commas set off is left out.
        guideline: Says what a character is and names the language of the texts.
        options: The language of the sources, from when on something counts as lost, and the
            persons, whose names stay.

    Returns:
        For each text the wordings within its budget: those that lose nothing first, and of these
        the best first; none where nothing was found.
    """
    setup = Setup(translator or _NoModel(), guideline, options.fitting)  # type: ignore[arg-type]
    found = [_Found(one, _task(one, guideline, options.source_language)) for one in wanted]
    for one in found:
        _say_plainly(one, guideline)
    if translator is not None:
        some = [one for one in found if not any(one.made.values()) and _has_hope(one, setup)]
        _search(some, translator, guideline, options.people)
        if translator.capabilities.rates:
            for one in some:
                _edit(one, setup)
    return _judged(found, translator, setup, options.people)


def _task(one: Wanted, guideline: Guideline, source_language: str) -> Task:
    """A text's source as a sentence to translate, or the text itself where that is not known."""
    text, language = (one.source, source_language) if one.source else (one.text, guideline.language)
    terms = find_placeables(text, language, guideline.language)
    sentence = Sentence((Part(0, 0, text),), language)
    return Task(sentence, (one.budget,), terms, counting=guideline.counting)


def _has_hope(one: _Found, setup: Setup) -> bool:
    """Whether the budget is not so far below the text that hardly anything says as much."""
    budget = one.wanted.budget
    most = min(budget.characters, budget.reading)
    share = setup.settings.hopeless if setup.able.prompted else LEAST
    return most >= share * setup.guideline.count(one.wanted.text)


def _say_plainly(one: _Found, guideline: Guideline) -> None:
    """Put short wordings for long ones that say the same."""

    def fits(text: str) -> bool:
        return one.wanted.budget.allows(text, guideline)

    for text in plainer(one.wanted.text, guideline.language, fits):
        if fits(text):
            one.made[text] = True
        else:
            one.plain = text


def _search(
    found: Sequence[_Found],
    translator: AnyTranslator,
    guideline: Guideline,
    people: Sequence[Person],
) -> None:
    """Let a model say them under their budgets."""
    asked = [(one, request) for one in found for request in _requests(one, translator, people)]
    nbest = translator.translate([request for _, request in asked])
    for (one, _), hypotheses in zip(asked, nbest, strict=True):
        style = style_of([one.wanted.text])
        for hypothesis in hypotheses:
            text = typeset(hypothesis.text, guideline.language, style)
            one.whole.append(text)
            one.made.setdefault(text, False)


def _requests(
    one: _Found, translator: AnyTranslator, people: Sequence[Person]
) -> Iterator[Request]:
    wanted, able = one.wanted, translator.capabilities
    ceiling = math.floor(min(wanted.budget.characters, wanted.budget.reading))
    if able.prompted:
        words = f"{wanted.text} {wanted.source}"
        setting = Setting(notes=told_of(people, words, translator.language))
        for share in SHARES:
            yield Request(wanted.text, ceiling, math.floor(share * ceiling), setting=setting)
        return
    source = one.task.sentence.spoken
    if not wanted.source or not translator.accepts(source) or ceiling < 1:
        return
    entry = Entry(source, wanted.text)
    recall = Recall(source, similar=(Match(entry, 1.0),), guiding=GUIDING)
    yield Request(source, ceiling, ceiling if able.lengths else 0, recall=recall)


def _edit(one: _Found, setup: Setup) -> None:
    """Leave out words, or put shorter ones of what was found, as few as fit."""
    words = tuple(one.base.split())
    ceiling = min(one.wanted.budget.characters, one.wanted.budget.reading)
    if not one.wanted.source or len(words) < 2 or math.isinf(ceiling):
        return
    costs, empty = _costs(one, words, setup), word_lists(setup.language).function_words

    def means(word: str) -> bool:
        """Whether a word may be left out without one beside it: it holds no sentence together."""
        return word.casefold().strip(_MARKS) not in empty

    verbs_last = closest_language(setup.language, ("de", "nl")) is not None
    pool: dict[tuple[int, int, tuple[str, ...]], _Edit] = {}
    for start, stop in combinations(range(len(words) + 1), 2):
        if stop - start > LONGEST_EDIT or not any(map(means, words[start:stop])):
            continue
        if not (verbs_last and _ends_clause(words, stop) and words[stop - 1].islower()):
            pool[start, stop, ()] = _Edit(start, stop, (), sum(costs[start:stop]))
    for edit in _synonyms(one, words, costs, setup):
        pool.setdefault((edit.start, edit.stop, edit.words), edit)
    for other in one.whole:
        for edit in _differences(words, tuple(other.split()), costs):
            pool.setdefault((edit.start, edit.stop, edit.words), edit)
    edits = sorted(pool.values(), key=lambda edit: edit.cost)[:POOL]
    count = setup.guideline.count
    over = count(one.base) - ceiling
    saved = [_length(words[e.start : e.stop], e.words) for e in edits]
    ranked: list[tuple[float, str]] = []
    for size in range(1, MOST_EDITS + 1):
        for some in combinations(range(len(edits)), size):
            if sum(saved[n] for n in some) < over - 1:
                continue
            chosen = sorted((edits[n] for n in some), key=lambda edit: edit.start)
            if any(a.stop >= b.start for a, b in pairwise(chosen)):
                continue
            ranked.append((sum(edit.cost for edit in chosen) + 0.2 * size, _edited(words, chosen)))
    ranked.sort()
    for _, text in ranked[: 4 * MOST_RATED]:
        if len(one.made) >= MOST_RATED:
            break
        if _may_be(text, one, setup):
            one.made.setdefault(text, False)


def _ends_clause(words: Sequence[str], stop: int) -> bool:
    """Whether a clause ends before a word, so that German and Dutch have their verb there."""
    return stop == len(words) or not words[stop - 1][-1].isalnum()


def _length(old: Sequence[str], new: Sequence[str]) -> int:
    """How many characters an edit saves."""
    return sum(len(word) + 1 for word in old) - sum(len(word) + 1 for word in new)


def _costs(one: _Found, words: Sequence[str], setup: Setup) -> list[float]:
    """What leaving each word out is expected to lose: those that the source says most."""
    text, language = one.base, setup.language
    aligned = align(one.task.sentence.spoken, text, setup.words)
    costs, at = [0.0] * len(words), 0
    places: list[tuple[int, int]] = []
    for word in words:
        at = text.index(word, at)
        places.append((at, at + len(word)))
        at += len(word)
    for number, (start, end) in enumerate(places):
        own = [n for n, word in enumerate(aligned.target) if start <= word.start < end]
        for n in own:
            meaning = has_meaning(aligned.target[n].text, language)
            costs[number] += (0.6 + aligned.target_sure[n]) if meaning else 0.25
    return costs


def _differences(
    words: Sequence[str], other: Sequence[str], costs: Sequence[float]
) -> Iterator[_Edit]:
    """Where another wording has shorter words."""
    ours, theirs = _bare(" ".join(words)), _bare(" ".join(other))
    for i1, i2, j1, j2 in _merged(ours, theirs):
        new = tuple(other[j1:j2])
        if not new or i2 - i1 > LONGEST_EDIT or j2 - j1 > LONGEST_EDIT:
            continue
        if _length(words[i1:i2], new) > 0:
            yield _Edit(i1, i2, new, 0.3 * sum(costs[i1:i2]))


def _synonyms(
    one: _Found, words: Sequence[str], costs: Sequence[float], setup: Setup
) -> Iterator[_Edit]:
    """Shorter words with the same ending that the same source word is translated as."""
    if setup.words is None:
        return
    aligned = align(one.task.sentence.spoken, " ".join(words), setup.words)
    number, at = 0, len(words[0])
    for j, word in enumerate(aligned.target):
        while word.start >= at and number < len(words) - 1:
            number, at = number + 1, at + 1 + len(words[number + 1])
        if not has_meaning(word.text, setup.language) or aligned.target_sure[j] < _SUPPORTED:
            continue
        best = max(range(len(aligned.source)), key=lambda i: aligned.evidence[i][j])
        for other in setup.words.alternatives(aligned.source[best].text):
            new = other[0].upper() + other[1:] if word.text[0].isupper() else other
            if len(new) < len(word.text) and new[-_ENDING:] == word.text[-_ENDING:]:
                said = words[number].replace(word.text, new, 1)
                yield _Edit(number, number + 1, (said,), 0.3 * costs[number])


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


def _edited(words: Sequence[str], edits: Sequence[_Edit]) -> str:
    """A text with edits, which begins and ends as it did."""
    rest, at = list[str](), 0
    for edit in edits:
        rest += (*words[at : edit.start], *edit.words)
        at = edit.stop
    rest += words[at:]
    text, old = " ".join(rest).lstrip(" ,;:.!?…–—-)"), " ".join(words)
    text = re.sub(r"([,;:])(?:\s*[,;:])+", r"\1", text)
    closing, lead = _END.search(old), re.match(r"[…\"“„«¿¡(.–-]*", old)
    text = _END.sub("", text) + (closing[1] if closing else "")
    first, begun = next(filter(str.isalpha, old), ""), re.search(r"[^\W\d_]", text)
    if first.isupper() and begun:
        text = text[: begun.start()] + begun[0].upper() + text[begun.end() :]
    if lead and lead[0] and not text.startswith(lead[0]):
        text = lead[0] + text
    return text


def _judged(
    found: Sequence[_Found],
    translator: AnyTranslator | None,
    setup: Setup,
    people: Sequence[Person],
) -> list[list[Wording]]:
    """Rate all candidates, and put those that fit in order."""
    counting, every = setup.guideline.counting, list[list[Hypothesis]]()
    for one in found:
        fit = [text for text in one.made if _may_be(text, one, setup)]
        texts = dict.fromkeys((one.wanted.text, *fit))
        every.append([Hypothesis(t, count_characters(t, counting), 0.0, 0.0) for t in texts])
    if translator is not None and translator.capabilities.rates:
        places = [n for n, one in enumerate(found) if one.wanted.source]
        sources = [found[n].task.sentence.spoken for n in places]
        rated = translator.rate(sources, [every[n] for n in places])
        for n, own in zip(places, rated, strict=True):
            every[n] = own
    names = [name for one in people for name in one.written_in(setup.language)]
    return [_ranked(one, own, setup, names) for one, own in zip(found, every, strict=True)]


def _may_be(text: str, one: _Found, setup: Setup) -> bool:
    """Whether a candidate is shorter, says something, fits, and hangs together."""
    count, old = setup.guideline.count, one.wanted.text
    if not any(map(str.isalnum, text)) or count(text) >= count(old):
        return False
    if not one.wanted.budget.allows(text, setup.guideline):
        return False
    certain = one.made.get(text, False) or setup.able.prompted or not one.wanted.source
    return certain or _holds_together(one, text, setup.language)


def _holds_together(one: _Found, text: str, language: str) -> bool:
    """Whether a sentence still hangs together where some words gave way to others.

    Function words stay, and words that stand for others end as these do, for they agree with what
    stands around them. Words that go leave no function word before another, nor at an end, nor half
    a clause, and take no function word with them that the next word needs.
    """
    old, new, lists = _bare(one.wanted.text), _bare(text), word_lists(language)
    empty = lists.function_words
    stops, marked = (
        [not word[-1].isalnum() for word in each.split()] for each in (one.wanted.text, text)
    )
    for i1, i2, j1, j2 in _merged(old, new):
        gone, come = old[i1:i2], new[j1:j2]
        ends = [word[-_ENDING:] for word in gone if word not in empty]
        before, after = new[j1 - 1] if j1 else "", new[j2] if j2 < len(new) else ""
        if not come:
            closed = not after or (j1 > 0 and marked[j1 - 1])
            hangs = before in empty and (closed or after in empty or before in lists.conjunctions)
            hangs |= closed and j1 > 1 and new[j1 - 2] in lists.conjunctions
            hangs |= not (i2 == len(old) or stops[i2 - 1]) and any(
                word in lists.conjunctions for word in gone
            )
            needed = gone[-1] in empty or (before in empty and empty.intersection(gone))
            if hangs or (needed and not (before in lists.articles and len(gone) == 1)):
                return False
        elif sorted(empty.intersection(gone)) != sorted(empty.intersection(come)) or not all(
            word in empty or word[-_ENDING:] in ends for word in come
        ):
            return False
    return True


def _ranked(
    one: _Found, hypotheses: Sequence[Hypothesis], setup: Setup, names: Sequence[str] = ()
) -> list[Wording]:
    prompted, wordings = setup.able.prompted, list[Wording]()
    old = Translation(hypotheses[0])
    for hypothesis in hypotheses[1:]:
        text, sure = hypothesis.text, one.made[hypothesis.text]
        better = hypothesis.score - old.hypothesis.score
        change = 1 - Levenshtein.normalized_similarity(one.wanted.text, text)
        if better < -FAR_WORSE or (
            not sure
            and (
                better < 0
                or _reads_broken(one, text, setup)
                or not (prompted or _is_expected(old.hypothesis, hypothesis))
            )
        ):
            continue
        made = Translation(hypothesis, natural=False, prompted=prompted)
        losses = {str(loss): None for loss, _ in losses_of(one.task, made, old, setup)}
        if sure:
            for loss in (Loss.WORDS, Loss.END):
                losses.pop(loss, None)
        elif not prompted and (
            small_words(text, setup.language) != small_words(one.wanted.text, setup.language)
            or _loses_words(one, text, setup)
        ):
            losses.setdefault(Loss.WORDS)
        if not one.wanted.source and word_lists(setup.language).nouns_are_capitalised:
            losses.pop(Loss.NAME, None)  # capitals tell nothing
        losses |= dict.fromkeys(_losses_of_itself(one.wanted.text, text, setup.language, names))
        wordings.append(
            Wording(
                text,
                hypothesis.characters,
                tuple(losses),
                hypothesis.score,
                SURE * sure + min(better, MUCH_BETTER) - CHANGE * change,
                tuple(_spared(one.wanted.text, text)),
            )
        )
    return sorted(wordings, key=lambda wording: wording.rank)


def _is_expected(old: Hypothesis, new: Hypothesis) -> bool:
    """Whether the model would not have said what is gone, but what comes to stand there, and what
    stands behind it now."""
    pieces, end = ((*old.token_ids, -1), (*new.token_ids, -1)), len(old.rated) - 1
    return not old.rated or all(
        old.rated[edit.src_start] <= EXPECTED
        and new.rated[edit.dest_start] >= min(EXPECTED, old.rated[min(edit.src_end, end)] - 0.5)
        for edit in Levenshtein.opcodes(*pieces)
        if edit.tag != "equal"
    )


def _losses_of_itself(old: str, new: str, language: str, held: Sequence[str]) -> Iterator[str]:
    """What a text loses of an older one, whatever its source says."""
    if is_negated(old, language) != is_negated(new, language):
        yield Loss.NEGATION
    if not set(re.findall(r"\d+", old)) <= set(re.findall(r"\d+", new)):
        yield Loss.NUMBER
    names = word_lists(language).first_names
    called = {word for word in re.findall(r"\w+", old) if word.istitle() and word.lower() in names}
    persons = (name for name in held if re.search(rf"\b{re.escape(name)}", old))
    if any(words not in new for words in (*called, *persons, *_QUOTED.findall(old))):
        yield Loss.NAME


def _reads_broken(one: _Found, text: str, setup: Setup) -> bool:
    """Whether a wording addresses people otherwise, stops before a noun, or, if a translating
    model's, has words for which nothing tells."""
    language, old = setup.language, one.wanted.text
    form = formality_of(old, language)
    if form is not None and formality_of(text, language) != form:
        return True
    if gives_away(old, language, "formal_if_you") != gives_away(text, language, "formal_if_you"):
        return True
    lists = word_lists(language)
    hanging = lists.articles | lists.prepositions | lists.determiners | lists.conjunctions
    ends, before = (_CLAUSE_END.findall(each.casefold()) for each in (text, old))
    if any(word in hanging and word not in before for word in ends):
        return True
    if setup.able.prompted or not one.wanted.source:
        return False
    known = _bare(old)
    aligned = align(one.task.sentence.spoken, text, setup.words)
    given = {word.text.casefold() for word in aligned.source}
    return any(
        (sure < _SURE or own in given or f"{own}s" in given)  # what was translated stays so
        for word, sure in zip(aligned.target, aligned.target_sure, strict=True)
        if (own := word.text.casefold()) not in known and has_meaning(own, language)
    )


def _loses_words(one: _Found, text: str, setup: Setup) -> bool:
    """Whether words of meaning are gone that no others stand for, and that the source may say, or
    one of two where the source has one twice."""
    source, language = one.task.sentence.spoken, setup.language
    twice = _repeated(source, one.task.sentence.language)
    if twice and _repeated(text, language) < _repeated(one.wanted.text, language):
        return True
    full, ours = (align(source, each, setup.words) for each in (one.wanted.text, text))
    kept = [word.text.casefold() for word in ours.target]
    unsaid = any(
        sure < _UNCOVERED and has_meaning(word.text, one.task.sentence.language)
        for word, sure in zip(full.source, full.source_sure, strict=True)
    )
    for j, word in enumerate(full.target):
        own = word.text.casefold()
        if not has_meaning(word.text, language) or any(same_word(own, other) for other in kept):
            continue
        if full.target_sure[j] < _SUPPORTED:
            if unsaid:  # which the word may stand for
                return True
        else:
            best = max(range(len(full.source)), key=lambda i: full.evidence[i][j])
            if ours.source_sure[best] < full.source_sure[best] - _LESS_SURE:
                return True
    return False


def _bare(text: str) -> tuple[str, ...]:
    """The words of a text without case and marks."""
    return tuple(word.casefold().strip(_MARKS) for word in text.split())


def _repeated(text: str, language: str) -> int:
    """How many words of meaning stand in a text that stood there before, in any form."""
    words = [word for word in _bare(text) if has_meaning(word, language)]
    return sum(any(same_word(own, other) for other in words[:n]) for n, own in enumerate(words))


def _spared(old: str, new: str) -> Iterator[str]:
    """The runs of words that a shorter text has no longer."""
    words = old.split()
    for i1, i2, _, _ in _merged(_bare(old), _bare(new)):
        if i2 > i1:
            yield " ".join(words[i1:i2]).strip(_MARKS)
