"""The write pipeline: record, extract, ground, verify; and in `stages` merge, score, gate, persist."""
