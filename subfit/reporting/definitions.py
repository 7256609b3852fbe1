"""What the figures of a report mean, as every report tells it."""

from __future__ import annotations

DEFINITIONS = {
    "characters": "characters of the translation as the guideline counts them: one per grapheme, "
    "line breaks and markup not counted; settings.guideline.counting says what else is not",
    "source_characters": "characters of the source in one line, each line break a space: what "
    "length ratios are taken of",
    "budget": "most characters the cue may have: the lowest of its limits",
    "binding": "the limit that is the budget: cps (reading speed x duration), cpl (characters per "
    "line x lines), characters (most per cue), length_ratio (MAX x characters of the source) or "
    "speech (of dubbing scripts: about the most characters that can be said in time; how long a "
    "text takes is estimated besides)",
    "end": "out-time as written, in milliseconds; source_end: that of the source. start is the "
    "same in both. The limits are those of the time as written",
    "timing": "moved: cues whose out-time is another one than the source's; milliseconds by which "
    "they end later, in total; longest: the most by which one does",
    "limits": "the ceiling of each limit by itself, in characters",
    "excess": "characters over the budget; of a line that takes too long to say, the share of its "
    "characters that is too much",
    "status": "fits: within its budget and lines; overflow: over its budget or lines; passed: "
    "kept by rule (empty, music, sound); untranslated: kept because no translation was found. A "
    "translation that stood in a dubbing script already fits or not like others",
    "unread": "blocks of the input that are no cues because their times are missing or cannot be "
    "read; they are kept as they stand, and `repairs` names them",
    "natural": "the translation that was found first, with nothing to limit its length, in one "
    "line per speaker",
    "length_ratio": "characters of translation / source per cue, lines joined by spaces; mean and "
    "population standard deviation over translated cues",
    "compliance.iwslt": "share of translated cues with a length ratio from 0.9 to 1.1, spaces not "
    "counted; cues of up to 10 source characters always comply",
    "compliance.strict": "share of translated cues with a length ratio from 0.9 to 1.1, spaces "
    "counted, every cue judged",
    "overflow": "translated cues (texts), those over their budget, and characters over in total; "
    "before: of the natural translations in the times of the source (of none that stood there "
    "already), after: of the translations as written",
    "lines_overflow": "cues within their budget that do not break into lines short and few enough, "
    "or, of scripts, take too long to say",
    "cps": "characters / seconds on screen, as the guideline counts for reading speed; over "
    "translated cues with a duration",
    "cpl": "characters of each line",
    "binding.all": "how many translated cues each limit binds",
    "binding.natural_overflow": "the same, among cues whose natural translation is over its budget",
    "asked": "characters asked of the model when it found this translation of the sentence; 0: no "
    "length was asked",
    "score": "mean log-probability per token of the cue's sentence (the lowest, if several)",
    "doubtful": "whether a sentence ends in the cue that was shortened so far that the model, not "
    "asked for any length, holds it unlikely (less than 5 %) that it ends there; models that know "
    "no lengths, or must be asked for one, cannot tell: false. totals: how many cues",
    "omitted": "words of the cue's source, as they stand there, that were left out before the rest "
    "was translated, since they can be spared, and with them the sentence did not fit, or not well",
    "unfamiliar": "words of the translation, perhaps made up, that are neither in the source nor "
    "in the text that the model was trained on, nor made of words of it; models without a list of "
    "these words cannot tell. totals: how many cues have some",
    "condensed": "cues of whose source words were left out; their omitted names these",
    "joined": "numbers of the cues over which the sentence runs, translated as one",
    "alternatives": "other translations that fit: text, in one line per speaker; its characters; "
    "share (of the budget, or of the natural length where that is shorter; the least of 1, 0.85 "
    "and 0.7 that the whole sentence keeps to); score; target and payload, broken into lines, "
    "without and with markup. Longer ones first, then better ones. Of a "
    "sentence over several cues each cue has its part; the first ones belong together, and so on",
    "speaking": "of dubbing scripts: speaker; notes; slot (seconds from start to end); "
    "source_estimated and estimated (seconds that source and translation take to say at the usual "
    "rate of their language, by syllables, letters and pauses); measured (seconds that a synthetic "
    "voice took at that rate, with --voice); speed_factor (measured, or else estimated, / slot); "
    "sync: over if that is more than slot x --speed-factor, under if it is less than the slot, or "
    "what the source takes if that is less, / --speed-factor; else ok; kept: whether the "
    "translation stood there already",
    "totals.speaking": "of dubbing scripts: lines with a slot; how many are ok, over and under; "
    "speed_factor: mean and population standard deviation; worst: the highest; kept: how many of "
    "all lines, with or without a slot, had their translation already",
    "unplaced": "inner markup of the source that found no place in the translation",
    "terms": "what the glossary has for the source: source, as it stands there; targets, what may "
    "stand for it; placed: whether the translation of the sentence has one of them; reason why "
    "not. A term that a sentence has twice counts once, in the cue where it begins",
    "lost": "what is the same in all languages, or nearly so, and is in the source but not in the "
    "translation of the sentence: addresses, names with capitals or digits inside, numbers of two "
    "digits or more. totals: how many",
    "names": "words of the source that always have a capital, taken for names, that the "
    "translation keeps in some sentences and not in others: name; sentences, how many have it; "
    "lost, numbers of the cues where those begin that do not keep it",
    "terms.found": "terms of the glossary, and names to keep, in the sources of translated cues; "
    "placed: those whose translation has them",
}
