"""How long it takes to say a text."""
