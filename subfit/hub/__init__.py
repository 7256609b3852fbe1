"""Models by name: found on the Hugging Face hub, fetched once, kept as safetensors."""
