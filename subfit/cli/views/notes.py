"""Notes on limits that do not count."""

UNTIMED = "plain text is on no screen: only --length-ratio limits it"
UNSEEN = "a dubbing script is on no screen: guideline, --cps, --cpl and --lines do not limit it"
