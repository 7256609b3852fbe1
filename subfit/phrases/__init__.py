"""What everybody says, and how it is said elsewhere: whole utterances with translations."""
