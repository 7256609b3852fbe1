"""Terms that hypotheses have to say.

Lexically constrained decoding: beside its best next pieces every hypothesis is offered those that
begin a term it lacks or go on with one, however improbable. Hypotheses compete only with those that
have as many terms (grid beam search, Hokamp & Liu 2017), and all run in one batch of a fixed width
whose unused places go to whoever is best (dynamic beam allocation, Post & Vilar 2018). The width is
that of a free search for every number of terms that a hypothesis can have, and once more for what
is in the midst of a term. There a place is kept for every number of its pieces, so that a
hypothesis which has paid for some is not driven out by those that only begin.

A model that would say something else finds a term as improbable where it belongs as anywhere, and
so puts it behind the sentence. Therefore a term is given credit: where the model would begin a word
that the lexical table knows as a translation of the term's source, the term may begin at nearly
that word's probability.

`TermSpeller` tells which pieces a term may be written with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple, cast

import torch
from torch import Tensor

from subfit.decoding.attention import NEVER
from subfit.decoding.hypotheses import Spelling, TermConstraint, TokenConstraint, TokenRequest
from subfit.decoding.pieces import Choices, PieceTable, top_k
from subfit.decoding.processors import ScoreProcessor
from subfit.model.lexicon import LexicalTable
from subfit.model.tokenizer import SPACE_MARK, AnyTokenizer, normalize
from subfit.terms.glossary import OPEN_END
from subfit.text.casing import capitalised
from subfit.text.word_bounds import is_unspaced

STANDING_IN = 1.0
"""Nats that it costs a term to stand in for the word which the model would begin."""
GOING_ON = -0.5
"""Log-probability of the further pieces of such a term, where the model gives them less."""
_NONE: frozenset[int] = frozenset()

PartialTerm = tuple[int, int, int, float]
"""A spelling that a hypothesis ends in the midst of: term, spelling, pieces it has, credit."""


@dataclass(frozen=True, slots=True)
class ConstraintState:
    """How far a hypothesis is with the terms of its request."""

    last: int | None = None
    """Its last piece; None where it has none."""
    met: frozenset[int] = _NONE
    """Terms that it has."""
    closing: frozenset[int] = _NONE
    """Terms that it has unless letters follow."""
    begun: tuple[PartialTerm, ...] = ()
    """What may yet become a term."""
    credit_met: float = 0.0
    """Credit for the terms that it has, in nats."""
    credit_open: float = 0.0
    """Credit for those that may still be undone, by other pieces or by letters that follow."""

    @property
    def credit(self) -> float:
        """What its score has for terms that stand in for more probable words."""
        return self.credit_met + max((self.credit_open, *(credit for *_, credit in self.begun)))

    @property
    def credit_at_end(self) -> float:
        """What its score has for terms if it ends here, where one that is only begun is none."""
        return self.credit_met + self.credit_open

    @property
    def pieces_begun(self) -> int:
        """Pieces of a term that it ends in the midst of."""
        return max((length for _, _, length, _ in self.begun), default=0)

    @property
    def count(self) -> int:
        """Terms that it has if it ends here."""
        return len(self.met | self.closing)


START = ConstraintState()


class NextPiece(NamedTuple):
    """A piece that brings a hypothesis nearer to a term."""

    token_id: int
    begins: int | None = None
    """The term that it begins; None if it goes on with one."""
    credited: bool = False
    """Whether it goes on with one that was given credit."""


class ConstraintTracker:
    """The terms of one request.

    Args:
        terms: The spellings of each.
        table: What pieces print, of the whole vocabulary.
    """

    def __init__(self, terms: Sequence[TokenConstraint], table: PieceTable) -> None:
        self._terms = [term.spellings for term in terms]
        self._openers: dict[int, list[tuple[int, int]]] = {}
        self._lengths: list[list[list[float]]] = []
        """The characters of each spelling from each of its pieces on."""
        for term, spellings in enumerate(self._terms):
            self._lengths.append([])
            for number, spelling in enumerate(spellings):
                pieces = spelling.token_ids
                self._openers.setdefault(pieces[0], []).append((term, number))
                costs = table.characters[list(pieces)].tolist()
                rest = [sum(costs[begin:]) for begin in range(len(costs))]
                rest[0] -= float(table.lead[pieces[0]])
                self._lengths[-1].append(rest)

    def after(
        self, state: ConstraintState, piece: int, *, inside_word: bool, credit: float = 0.0
    ) -> ConstraintState:
        """Return how far a hypothesis is with one piece more.

        Args:
            state: Without it.
            piece: Its token id.
            inside_word: Whether it goes on with a word.
            credit: What the piece is given as part of a term, in nats.
        """
        if not (state.closing or state.begun or piece in self._openers):
            return ConstraintState(piece, state.met, credit_met=state.credit_met)
        met, credit_met = state.met, state.credit_met
        if not inside_word:
            met, credit_met = met | state.closing, credit_met + state.credit_open
        begun, closing, kept = [], set(), 0.0
        for term, number, length, earned in self._reached(state, piece, credit):
            spelling = self._terms[term][number]
            if term in met:
                continue
            if length < len(spelling.token_ids):
                begun.append((term, number, length, earned))
            elif spelling.goes_on:
                met, credit_met = met | {term}, credit_met + earned
            else:
                closing.add(term)
                kept = max(kept, earned)
        return ConstraintState(piece, met, frozenset(closing - met), tuple(begun), credit_met, kept)

    def _reached(self, state: ConstraintState, piece: int, credit: float) -> Iterator[PartialTerm]:
        """Yield the spellings that a piece goes on with or begins."""
        for term, number, length, earned in state.begun:
            if self._terms[term][number].token_ids[length] == piece:
                yield term, number, length + 1, earned + credit
        for term, number in self._openers.get(piece, ()):
            if _may_begin(self._terms[term][number], state.last):
                yield term, number, 1, credit

    def next_pieces(self, state: ConstraintState) -> Iterator[NextPiece]:
        """Yield the pieces that go on with a term which a hypothesis lacks, or begin one."""
        for term, number, length, earned in state.begun:
            if term not in state.closing:
                piece = self._terms[term][number].token_ids[length]
                yield NextPiece(piece, credited=earned > 0)
        for term, spellings in enumerate(self._terms):
            if term not in state.met and term not in state.closing:
                for spelling in spellings:
                    if _may_begin(spelling, state.last):
                        yield NextPiece(spelling.token_ids[0], begins=term)

    def needed(self, state: ConstraintState) -> float:
        """Return the fewest characters that the longest term can take which a hypothesis lacks.

        Several may be met in one.
        """
        lacking = (n for n in range(len(self._terms)) if n not in state.met | state.closing)
        return max((self._rest(term, state) for term in lacking), default=0.0)

    def _rest(self, term: int, state: ConstraintState) -> float:
        """The fewest characters that a term takes, begun or not."""
        rest = [lengths[0] for lengths in self._lengths[term]]
        rest += [self._lengths[t][n][at] for t, n, at, _ in state.begun if t == term]
        return min(rest)


def _may_begin(spelling: Spelling, last: int | None) -> bool:
    if last is None:
        return spelling.opens
    return spelling.behind is None or last in spelling.behind


@dataclass(frozen=True, slots=True)
class Continuation:
    """A hypothesis with one piece more."""

    score: float
    parent: int
    """The beam it comes from."""
    column: int
    """The column of the new piece."""
    met: int
    """Terms it has."""
    begun: int
    """Pieces it has of another; 0 if it is not in the midst of one."""
    hopeless: bool = False
    """Whether the terms it lacks cannot fit into its budget any more."""
    ends: bool = False


@dataclass(slots=True)
class _Tracked:
    """A sentence with terms."""

    tracker: ConstraintTracker
    rivals: list[Tensor]
    """The columns of what each term may stand in for."""
    states: list[ConstraintState]
    """How far each hypothesis is."""


class Terms(ScoreProcessor):
    """Chooses among hypotheses of sentences that have so many terms each, and gives terms credit.

    Args:
        choices: The pieces to choose among, in columns.
        rows: Sentences at once.
        beams: Hypotheses of each; see `width`.
        terms: Of each sentence.
    """

    name = "terms"

    def __init__(self, choices: Choices, rows: int, beams: int, terms: int) -> None:
        super().__init__(choices, rows, beams)
        self._terms, self._each = terms, beams // (2 * terms + 1)
        self._tracked: dict[int, _Tracked] = {}
        """By row what is known of its sentence."""
        self._credits: dict[tuple[int, int, int], float] = {}
        """What a piece is given beyond its probability, by row, beam and column."""
        self._inside_word: list[bool] = choices.table.inside_word.tolist()
        self._tokens: list[int] = choices.token_ids.tolist()

    @staticmethod
    def width(beams: int, terms: int) -> int:
        """Return how many hypotheses run where so many would without terms."""
        return max(beams, 2) * (2 * terms + 1)

    def admit(self, row: int, request: TokenRequest | None) -> None:
        """See `ScoreProcessor.admit`."""
        self._tracked.pop(row, None)
        if request is not None:
            self._tracked[row] = _Tracked(
                ConstraintTracker(request.terms, self.choices.whole),
                [self._columns(term.rivals) for term in request.terms],
                [START] * self.beams,
            )

    def keep(self, rows: Sequence[int]) -> None:
        """See `ScoreProcessor.keep`."""
        tracked = self._tracked
        self._tracked = {new: tracked[row] for new, row in enumerate(rows) if row in tracked}

    def missed(self, row: int, beam: int) -> int:
        """Return how many terms a hypothesis lacks if it ends now."""
        return self._terms - self._tracked[row].states[beam].count

    def bonus(self, row: int, beam: int) -> float:
        """The credit for terms that stand in for more probable words, in nats."""
        return self._tracked[row].states[beam].credit_at_end

    def choose(
        self, log_probs: Tensor, scores: Tensor, room: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Choose for each number of terms.

        Args:
            log_probs: (rows, beams, pieces)
            scores: (rows, beams) of the hypotheses so far.
            room: (rows, beams) characters that each may still print.

        Returns:
            (rows, 2 * beams) each: scores; the beams they come from; their new pieces. The first
            half ends, the second runs on.
        """
        rows, width, _ = log_probs.shape
        chosen = [[(NEVER, 0, 0)] * (2 * width) for _ in range(rows)]
        for row, continuations in self._continuations(log_probs, scores, room).items():
            ended, going_on = allocate(continuations, self._each, self._terms, width)
            for place, one in chain(enumerate(ended), enumerate(going_on, width)):
                chosen[row][place] = one.score, one.parent, one.column
        table = torch.tensor(chosen, dtype=torch.float64)  # (rows, 2 * width, 3)
        best, parents, columns = table.to(log_probs.device).unbind(2)
        return best.float(), parents.long(), columns.long()

    def _continuations(
        self, log_probs: Tensor, so_far: Tensor, room: Tensor
    ) -> dict[int, list[Continuation]]:
        """Return for each row its hypotheses with one piece more."""
        rows, width, size = log_probs.shape
        most = min(self._each + 1, size)
        alone = log_probs.view(rows * width, 1, size)
        sums, places = top_k(alone, torch.zeros_like(alone[:, :, 0]), most)
        totals = (sums.view(rows, width, most) + so_far.unsqueeze(2)).tolist()
        pieces = places.view(rows, width, most).tolist()
        ends = (log_probs[..., self.choices.end] + so_far).tolist()
        alive = (so_far > NEVER).tolist()
        forced = self._forced(log_probs, so_far, alive)
        rooms = room.tolist()
        continuations: dict[int, list[Continuation]] = {row: [] for row in self._tracked}
        for row, found in continuations.items():
            for beam in (beam for beam in range(width) if alive[row][beam]):
                scores = dict(zip(pieces[row][beam], totals[row][beam], strict=True))
                scores |= forced.get((row, beam), {})
                scores[self.choices.end] = ends[row][beam]
                found += self._continuations_of(row, beam, scores.items(), rooms[row][beam])
        return continuations

    def _forced(
        self, log_probs: Tensor, so_far: Tensor, alive: list[list[bool]]
    ) -> dict[tuple[int, int], dict[int, float]]:
        """Return what each hypothesis is offered of its terms: scores by column, without credit."""
        wanted: list[tuple[int, int, NextPiece]] = []
        floors: dict[tuple[int, int], list[float]] = {}
        for row, tracked in self._tracked.items():
            for term, columns in enumerate(tracked.rivals):
                floors[row, term] = _best_of(log_probs[row], columns)
            for beam, state in enumerate(tracked.states):
                if alive[row][beam]:
                    pieces = dict.fromkeys(tracked.tracker.next_pieces(state))
                    wanted += [(row, beam, piece) for piece in pieces]
        self._credits = {}
        forced: dict[tuple[int, int], dict[int, float]] = {}
        if not wanted:
            return forced
        places = [(row, beam, piece.token_id) for row, beam, piece in wanted]
        rows, beams, tokens = torch.tensor(places, device=log_probs.device).T.contiguous()
        indices = torch.searchsorted(self.choices.token_ids, tokens)
        own = log_probs[rows, beams, indices]
        sums = (own + so_far[rows, beams]).tolist()
        for (row, beam, piece), column, score, log_prob in zip(
            wanted, indices.tolist(), sums, own.tolist(), strict=True
        ):
            forced.setdefault((row, beam), {})[column] = score
            floor = GOING_ON if piece.credited else NEVER
            if piece.begins is not None:
                floor = floors[row, piece.begins][beam] - STANDING_IN
            if NEVER < log_prob < floor:
                key = (row, beam, column)
                self._credits[key] = max(self._credits.get(key, 0.0), floor - log_prob)
        return forced

    def _columns(self, pieces: Sequence[int]) -> Tensor:
        """Where pieces stand among the choices."""
        ids = self.choices.token_ids
        return torch.searchsorted(ids, torch.tensor(pieces, dtype=torch.int64, device=ids.device))

    def _after(self, row: int, beam: int, column: int) -> ConstraintState:
        """How far a hypothesis is with one piece more."""
        tracked = self._tracked[row]
        if column == self.choices.first:
            return tracked.states[beam]  # nothing is printed yet
        return tracked.tracker.after(
            tracked.states[beam],
            self._tokens[column],
            inside_word=self._inside_word[column],
            credit=self._credits.get((row, beam, column), 0.0),
        )

    def _continuations_of(
        self, row: int, beam: int, scores: Iterable[tuple[int, float]], room: float
    ) -> Iterable[Continuation]:
        """Say of every next piece of a hypothesis, with its score, where it leads to."""
        tracker, state = self._tracked[row].tracker, self._tracked[row].states[beam]
        choices, credit = self.choices, state.credit
        costs = choices.opening_costs if state.last is None else choices.costs
        for column, score in scores:
            if score == NEVER:
                continue
            if column == choices.end:
                score += state.credit_at_end - credit
                yield Continuation(score, beam, column, state.count, begun=0, ends=True)
                continue
            then = self._after(row, beam, column)
            left = room - costs[column]
            hopeless = then.count < self._terms and tracker.needed(then) > left
            score += then.credit - credit
            yield Continuation(score, beam, column, then.count, then.pieces_begun, hopeless)

    def advance(self, parents: Tensor, columns: Tensor) -> None:
        """See `ScoreProcessor.advance`."""
        for row, tracked in self._tracked.items():
            pairs = zip(parents[row].tolist(), columns[row].tolist(), strict=True)
            tracked.states = [self._after(row, beam, column) for beam, column in pairs]


def _best_of(log_probs: Tensor, columns: Tensor) -> list[float]:
    """The best log-probability among some columns, for each beam."""
    if not len(columns):
        return [NEVER] * len(log_probs)
    return cast(list[float], log_probs[:, columns].amax(1).tolist())


def allocate(
    continuations: Sequence[Continuation], each: int, terms: int, width: int
) -> tuple[list[Continuation], list[Continuation]]:
    """Say which hypotheses end and which run on.

    Args:
        continuations: All there are.
        each: Places for each number of terms that a hypothesis has, and as many for those that are
            in the midst of one term more.
        terms: How many there are to be met.
        width: Places in all.

    Returns:
        What ends: the best ``each`` of what has all terms, and of what lacks some those that are
        among the best ``each`` of their kind. And what runs on, best score first, at most
        ``width``.
    """
    ordered = sorted(continuations, key=lambda one: (-one.score, one.parent, one.column))
    kinds: dict[int, list[Continuation]] = {met: [] for met in range(terms, -1, -1)}
    begun: dict[int, list[Continuation]] = {met: [] for met in range(terms - 1, -1, -1)}
    for one in ordered:
        if not one.hopeless or one.ends:
            under_way = one.begun and one.met < terms
            (begun if under_way else kinds)[one.met].append(one)
    ended = [one for one in kinds[terms] if one.ends][:each]
    for met in begun:
        ended += [one for one in kinds[met][:each] if one.ends]
    chosen: dict[tuple[int, int], Continuation] = {}
    for met, kind in kinds.items():
        running = [one for one in kind if not one.ends][:each]
        running += _farthest(begun.get(met, []))[:each]
        chosen |= {(one.parent, one.column): one for one in running}
    for one in sorted(ordered, key=lambda one: one.hopeless):
        if not one.ends and len(chosen) < width:
            chosen.setdefault((one.parent, one.column), one)
    return ended[:width], sorted(chosen.values(), key=lambda one: -one.score)[:width]


def _farthest(continuations: Sequence[Continuation]) -> list[Continuation]:
    """The best of every number of pieces begun, most pieces first; the second best; and so on."""
    ranks: dict[int, int] = {}
    ranked: list[tuple[int, int, Continuation]] = []
    for one in continuations:
        rank = ranks[one.begun] = ranks.get(one.begun, -1) + 1
        ranked.append((rank, -one.begun, one))
    return [one for *_, one in sorted(ranked, key=lambda entry: entry[:2])]


LIKELY = 0.1
"""Probability from which a translation is one that the model would use."""
COMMON = 1 / 300
"""Share of a text from which a piece is an article or the like, whatever it stands beside."""
SHORTEST = 3
"""Letters of the shortest pieces whose translations count; shorter ones are mostly articles."""
_MARK = "("
"""A mark that a form may be written behind without a space."""
_BEFORE = frozenset("\"'’‘“”„«»‹›([{-‐‑–—/¿¡")
"""Marks that a word may stand right behind. No comma and no full stop: a space follows these."""
_ENDS_OF_SENTENCES = frozenset(".!?…:")
_NOTHING: frozenset[int] = frozenset()


class TermSpeller:
    """Spells terms with the pieces of a vocabulary.

    Args:
        tokenizer: The vocabulary.
        allowed: The pieces that translations may consist of; None for all.
        table: Tells what the model would say instead.
    """

    def __init__(
        self,
        tokenizer: AnyTokenizer,
        allowed: Iterable[int] | None = None,
        table: LexicalTable | None = None,
    ) -> None:
        self._table = table
        self._tokenizer, self._texts = tokenizer, tokenizer.piece_texts
        self._allowed = frozenset(range(len(self._texts)) if allowed is None else allowed)
        self._known: dict[tuple[tuple[str, ...], str], tuple[Spelling, ...]] = {}

    def constraint(self, term: TermConstraint) -> TokenConstraint:
        """Return a term as a search is asked for it."""
        return TokenConstraint(self.of(term.forms, term.language), self.rivals(term.source))

    def rivals(self, source: str) -> tuple[int, ...]:
        """Return the pieces that begin words which translate a text by the lexical table.

        Args:
            source: What a term stands for.
        """
        if self._table is None:
            return ()
        most = COMMON * float(self._table.counts.sum())
        pieces = self._tokenizer.encode(source)
        texts = self._source_texts
        long = [piece for piece in pieces if len(texts[piece]) >= SHORTEST]
        rivals = (
            target
            for piece in long or pieces
            for target, probability in self._table.translations(piece)
            if probability >= LIKELY and self._begins_word(target)
            if float(self._table.counts[target]) <= most
        )
        return tuple(dict.fromkeys(rivals))

    @cached_property
    def _source_texts(self) -> list[str]:
        return [piece.strip(SPACE_MARK) for piece in self._tokenizer.source.pieces]

    def _begins_word(self, piece: int) -> bool:
        text = self._texts[piece]
        begins = text.startswith(" ") and text[1:2].isalnum()
        return piece in self._allowed and (begins or is_unspaced(text[:1]))

    def of(self, forms: tuple[str, ...], language: str = "") -> tuple[Spelling, ...]:
        """Return all spellings of a term, none if it cannot be written with these pieces.

        Each form as it is and, where it begins with a small letter, with a capital, to stand where
        a sentence begins; behind a space and, right behind a mark, without one. In a script without
        spaces a form stands right behind anything, and behind a space only where a text begins.

        Args:
            forms: What may stand for the term, see `subfit.terms.glossary`.
            language: Tag of their language, as far as known.
        """
        if (forms, language) not in self._known:
            spellings = (spelling for form in forms for spelling in self._spellings(form, language))
            self._known[forms, language] = tuple(dict.fromkeys(spellings))
        return self._known[forms, language]

    def _spellings(self, form: str, language: str) -> Iterable[Spelling]:
        goes_on, form = form.endswith(OPEN_END), normalize(form.removesuffix(OPEN_END))
        capital, unspaced = capitalised(form, language), is_unspaced(form[:1])
        for text, behind in ((form, None), (capital, self._sentence_ends)):
            if spaced := self._pieces(text):
                yield Spelling(spaced, _NOTHING if unspaced else behind, goes_on=goes_on)
            if tight := self._tight_pieces(text):
                before = None if unspaced else self._marks
                yield Spelling(tight, before, opens=False, goes_on=goes_on)
            if capital == form:
                return

    def _pieces(self, form: str) -> tuple[int, ...]:
        """The pieces of a form behind a space."""
        (pieces,) = self._tokenizer.target.encode_all([form])
        return self._checked(pieces, form, " " + form)

    def _tight_pieces(self, form: str) -> tuple[int, ...]:
        """The pieces of a form right behind a mark."""
        (pieces,) = self._tokenizer.target.encode_all([_MARK + form])
        for size in range(1, len(pieces)):
            if self._tokenizer.decode(pieces[:size]).strip() == _MARK:
                return self._checked(pieces[size:], form, form)
        return self._respelt(form)

    def _checked(self, pieces: Sequence[int], form: str, spelling: str) -> tuple[int, ...]:
        """The pieces, or others where translations may not have these or they are another text."""
        text = self._tokenizer.decode(list(pieces)).strip()
        if text == form and self._allowed.issuperset(pieces):
            return tuple(pieces)
        return self._respelt(spelling)

    def _respelt(self, text: str) -> tuple[int, ...]:
        """The fewest allowed pieces that print a text; none if it cannot be printed."""
        best: list[tuple[int, ...] | None] = [()]
        for end in range(1, len(text) + 1):
            ways = (
                (*before, piece)
                for start in range(max(0, end - self._longest), end)
                if (before := best[start]) is not None
                and (piece := self._ids.get(text[start:end])) is not None
            )
            best.append(min(ways, key=len, default=None))
        return best[-1] or ()

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The allowed pieces by what they print."""
        return {self._texts[piece]: piece for piece in sorted(self._allowed, reverse=True)}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._ids))

    @cached_property
    def _marks(self) -> frozenset[int]:
        """Pieces that a word may stand right behind."""
        pairs = ((piece, text[-1:]) for piece, text in enumerate(self._texts))
        return frozenset(piece for piece, end in pairs if end in _BEFORE or is_unspaced(end))

    @cached_property
    def _sentence_ends(self) -> frozenset[int]:
        """Pieces that a sentence may begin behind, after a space."""
        pairs = ((piece, text.rstrip("\"'”’»“)")) for piece, text in enumerate(self._texts))
        return frozenset(piece for piece, text in pairs if text[-1:] in _ENDS_OF_SENTENCES)
