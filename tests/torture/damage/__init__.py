"""Disks, files and locks that go wrong under a memory at work, and what it must keep and tell."""
