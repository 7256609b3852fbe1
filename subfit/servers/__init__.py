"""Models behind OpenAI-compatible servers: asked in words, held to budgets by choosing."""
