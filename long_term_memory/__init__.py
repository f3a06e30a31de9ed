"""Long-term memory for AstrBot: what people said, kept with its evidence and given back within its bounds."""
