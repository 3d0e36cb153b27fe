"""A reviewer without a language model: it finds words, quotes them, and says what it looked for in vain."""
