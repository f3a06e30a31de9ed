"""Tests of the write pipeline."""
