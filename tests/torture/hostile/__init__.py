"""Hostile text through every way into the memory, and what comes out of every way out.

What is promised: text that somebody else wrote is data. It leaves no line of a block or of
a prompt, passes for none of their marks, is no query, no statement and no file name, and upsets nothing.
"""
