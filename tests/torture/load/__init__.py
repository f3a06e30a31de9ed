"""Many people at once, one who floods, and hours of ordinary use."""
