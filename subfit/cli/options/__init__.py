"""Options that several commands share, and the work they lead to."""
