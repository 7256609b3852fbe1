"""Automatic captions: words with times become cues that people read."""
