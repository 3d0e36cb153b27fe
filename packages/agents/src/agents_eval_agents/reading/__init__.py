"""What a model is given of a paper that is longer than it can read at once."""
