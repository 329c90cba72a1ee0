"""Tables and numbers as the page of results shows them."""

import numpy as np


def table(heads, rows):
    """Markdown; the first column is text, the others are numbers."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def percent(values, spread=True):
    """Mean and standard deviation of shares, in percent."""
    return _mean(np.asarray(values, dtype=float) * 100, lambda value: f"{value:.1f}", spread, " %")


def number(values, digits=4, spread=True):
    """Mean and standard deviation."""

    def write(value):
        text = f"{value:.{digits}g}"
        # 130 rather than 1.3e+02
        return f"{float(text):.0f}" if "e+" in text else text

    return _mean(np.asarray(values, dtype=float), write, spread)


def span(values):
    """From the least to the most."""
    return str(min(values)) if min(values) == max(values) else f"{min(values)} to {max(values)}"


def seconds(values):
    return number(values, digits=2)


def difference(ours, paper, unit=""):
    """Ours minus the paper's, with its sign."""
    return f"{ours - paper:+.3g}{unit}"


def _mean(values, write, spread, unit=""):
    values = np.atleast_1d(values)
    text = write(values.mean()) + unit
    # Of one run there is no spread to speak of.
    return text + f" ± {values.std(ddof=1):.2g}" if spread and len(values) > 1 else text
