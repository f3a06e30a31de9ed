"""Whose memory, and how far it may be seen: decided from the event alone."""
