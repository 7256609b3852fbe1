"""Which candidate is taken, and where one in doubt is none."""

from __future__ import annotations

from subfit.condensing import Condensation
from subfit.decoding.hypotheses import FREE, Hypothesis
from subfit.fitting.choosing import Chooser
from subfit.fitting.policy import Policy
from subfit.fitting.ranking import Candidate
from subfit.fitting.search_work import Work, least_bad_of
from subfit.fitting.task import Task
from subfit.fitting.whole_sentences import whole_instead
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.typography import style_of


def test_the_policy_counts_where_nothing_fits():
    task = Task(
        Sentence((Part(0, 0, "A source of some forty characters or so."),)),
        (LengthBudget(10.0, lines=2, cpl=42),),
    )
    whole = Hypothesis("Ein Satz, der viel zu lang ist, ja.", 35.0, -1.0, -1.0)
    short = Hypothesis("Ein kurzer Satz, ja.", 20.0, -1.0, -1.0)
    candidates = [Candidate(whole, FREE), Candidate(short, FREE, 0, Condensation("x", 1.0, ()))]
    netflix = Guideline.load("netflix", "de")
    for omission, text in ((0.2, short.text), (100.0, whole.text)):
        policy = Policy(omission=omission)
        work = Work(task, style_of([]), list(candidates))
        taken = whole_instead(task, candidates, netflix, "de", policy)
        least = least_bad_of(work, netflix, policy)
        assert taken is not None and taken.hypothesis.text == text
        assert least is not None and least.hypothesis.text == text


def test_a_natural_translation_that_fits_stays_rather_than_one_in_doubt():
    natural = Hypothesis("Er geht jetzt.", 14.0, -0.9, -0.9, closing=-0.1)
    cut = Hypothesis("Er geht.", 8.0, -0.2, -0.2, closing=-9.0)
    task = Task(Sentence((Part(0, 0, "He leaves now."),)), (LengthBudget(30.0),))
    work = Work(task, style_of([]), [Candidate(natural, FREE), Candidate(cut, FREE)])
    chooser = Chooser(Guideline.load("netflix", "de"), Policy())
    chooser.choose(work)
    assert work.fitted is not None and work.fitted.hypothesis is cut
    chooser.keep_if_no_doubt(work)
    assert work.fitted is not None and work.fitted.hypothesis is natural
