"""Cues, tracks and sentences, and the files they stand in."""
