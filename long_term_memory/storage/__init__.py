"""The tables, the indexes, and nothing that decides."""
