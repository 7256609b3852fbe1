"""Options of commands: their types, those that several commands share, and what they fill in."""
