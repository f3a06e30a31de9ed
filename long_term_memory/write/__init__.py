"""The write pipeline, one module per stage: record, extract, ground, verify, merge, score, gate, persist."""
