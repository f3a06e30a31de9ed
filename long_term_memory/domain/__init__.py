"""The words of the design as frozen types. Standard library only."""
