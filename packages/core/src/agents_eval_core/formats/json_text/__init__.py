"""JSON of others: taken apart, mended and read piece by piece."""
