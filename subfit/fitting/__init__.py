"""Fitting: translating sentences so that they fit their cues, and putting them back.

Plain data goes one way:

- `task`: a sentence with its budgets and terms, what is found for it, and what comes out;
- `pipeline`: the passes over all sentences of all tracks; `search` is what each asks for and does
  it, `choice` takes one, `losses` says what a shorter one loses;
- `finish`: terms, alternatives, risk; `cue_splits`, `spans`, `placement`: back over cues, into
  lines, markup and times; `outcomes`: what became of every cue, and how risky it is.

`rewording` says a translation that stands there in fewer characters; `condensing` knows what can be
spared.
"""
