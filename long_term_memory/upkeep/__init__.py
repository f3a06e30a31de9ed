"""What happens by itself: the scheduler and its jobs."""
