"""What the figures of the README come from."""
