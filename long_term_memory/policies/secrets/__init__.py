"""Secrets in what people write: found by their shape or by the words around them, and masked."""
