"""The paper's tables and figures, and what comes after them. `python -m experiments --help` says how to run them."""
