"""Tests on the real host."""
