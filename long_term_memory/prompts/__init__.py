"""Prompts beside their answer schemas and parsers, one module per task."""
