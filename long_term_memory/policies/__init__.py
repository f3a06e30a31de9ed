"""What may be written and read, as frozen policies and pure decisions."""
