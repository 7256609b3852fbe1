"""What language models are told in words, and what of their answers is the translation."""
