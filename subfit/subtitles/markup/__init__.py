"""Between a cue's payload and plain text, both ways."""
