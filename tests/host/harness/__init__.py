"""Boots the real AstrBot against a scripted model, talks to it as people do, and shows what came of it."""
