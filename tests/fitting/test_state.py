"""What holds of every sentence between passes, whatever a model finds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from subfit.fitting.passes import fit
from subfit.fitting.settings import FittingSettings
from subfit.fitting.state import Setup
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.typography import style_of
from tests.properties import examples
from tests.scripted import ScriptedTranslator

NETFLIX = Guideline.load("netflix", "de")
PARTS = "We close the lighthouse", "at the end of the month."
SOURCE = " ".join(PARTS)
FOUND = st.lists(
    st.lists(st.sampled_from(["wir", "schließen", "den", "Leuchtturm", "im", "Mai."]), min_size=1)
    .map(" ".join)
    .filter(lambda text: len(text) < 90),
    min_size=1,
    max_size=5,
    unique=True,
)
BUDGETS = st.tuples(*[st.integers(5, 60)] * 2)


@examples(30)
@given(FOUND, BUDGETS, st.booleans())
def test_what_is_chosen_fits_every_cue_and_the_natural_translation_is_kept(found, most, strict):
    budgets = tuple(LengthBudget(float(one), lines=2, cpl=42.0) for one in most)
    parts = tuple(Part(number, 0, text) for number, text in enumerate(PARTS))
    task = Task(Sentence(parts), budgets)
    script = {SOURCE: found}
    setup = Setup(cast(Any, ScriptedTranslator(script)), NETFLIX, FittingSettings(condensations=0))
    setup = replace(setup, strict=strict)
    (state,) = fit([task], [style_of([SOURCE])], setup)
    assert state.natural is not None
    assert state.natural.hypothesis.text.rstrip(".") == found[0].rstrip(".")  # it scores best
    if state.fits_naturally:
        assert state.chosen is not None
    if state.chosen is not None:
        assert state.chosen.candidate.hypothesis in [one.hypothesis for one in state.candidates]
        assert len(state.chosen.lines) == len(budgets)
        for lines, budget in zip(state.chosen.lines, budgets, strict=True):
            assert budget.fits("\n".join(lines), NETFLIX)
        said = " ".join(line for lines in state.chosen.lines for line in lines if line)
        assert said == state.chosen.candidate.hypothesis.text
