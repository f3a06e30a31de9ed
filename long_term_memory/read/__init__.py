"""The read pipeline, one module per stage: scope, retrieve, rank, diversify, budget, format."""
