"""Lists of chat messages in the dialects of several libraries."""
