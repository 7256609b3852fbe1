"""Fitting: translating sentences so that they fit their cues, and putting them back.

Plain data goes one way, from stage to stage:

- `task`: a sentence with the budgets of its cues and the terms it must have;
- `requests`: what lengths the translator is asked for, condensed sources included;
- `candidates`: searching, typesetting, and what is known of each translation that is found;
- `scoring`: the one score, and the flaws for which searches go on; `settings` has its weights;
- `choice`: which candidate is taken;
- `passes`: requests, candidates and choice in their order; `pipeline`: all sentences of all tracks;
- `cue_splits`, `cue_lines`, `placement`, `span_placement`: back over cues, into lines and markup;
- `outcomes`: what became of every cue; `extension`: the times cues may take.
"""
