"""Convex programs of training, and who can solve them."""
