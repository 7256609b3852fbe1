"""What there is to say about a track: verdicts, totals, and the files they are told in."""
