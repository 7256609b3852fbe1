"""Fitting: translating sentences so that they fit their cues, and putting them back.

Plain data goes one way:

- `task`: a sentence with the budgets of its cues and the terms it must have;
- `translation`: what is found for it, with the evidence, and what comes out;
- `pipeline`: the five passes over all sentences of all tracks; `requests` is what each asks for
  (`condensing` makes shorter sources), `search` does it, `choice` takes one, `losses` says what a
  shorter one loses;
- `finish`: terms, alternatives, risk; `cue_splits`, `cue_lines`, `spans`, `placement`: back over
  cues, into lines, markup and times; `outcomes`: what became of every cue.
"""
