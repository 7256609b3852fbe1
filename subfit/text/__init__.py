"""What is true of languages without any subtitle: words, counting, line breaks, typography."""
