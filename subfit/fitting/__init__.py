"""From a translator's n-best lists to the translation that each cue gets."""
