"""The write pipeline, one module per stage: record, extract, ground, merge, score, gate, persist."""
