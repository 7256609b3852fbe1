"""What is to be translated in one way: glossaries, names, numbers, addresses."""
