"""A hand-written challenge set: English cues, and what their translations must keep to."""
