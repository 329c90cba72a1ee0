"""Telling how a training goes: to a logger always, on the screen if asked."""

import logging
import sys

logger = logging.getLogger("conelu")


class Progress:
    """Receives the news of a training.

    Parameters
    ----------
    verbose : bool
        Show a line on the screen: a bar of tqdm, which knows notebooks, or plain text.
    tolerance : float
        The gap that is being worked for.
    """

    def __init__(self, verbose, tolerance):
        self._line = _make_line(tolerance) if verbose else None

    @property
    def wanted(self):
        """Whether anybody listens."""
        return self._line is not None or logger.isEnabledFor(logging.DEBUG)

    def __call__(self, news):
        which = f"network {news.network} of {news.networks}, " if news.networks > 1 else ""
        if news.round > 0:
            which += f"round {news.round}, {news.patterns} patterns, "
            if news.largest_price > 0:
                which += f"largest price {news.largest_price:.4g} beta, "
        logger.debug(
            "%siteration %d: objective %.8g, gap %.1e", which, news.iteration, news.objective, news.relative_gap
        )
        if self._line is not None:
            self._line.show(which, news)

    def close(self):
        if self._line is not None:
            self._line.close()


def _make_line(tolerance):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _TextLine(tolerance)
    return _TqdmLine(tqdm, tolerance)


class _TqdmLine:
    def __init__(self, tqdm, tolerance):
        self._bar = tqdm(desc="conelu", unit=" iterations", leave=True, miniters=0)
        self._tolerance = tolerance
        self._at = None

    def show(self, which, news):
        self._bar.set_description(f"conelu {which}".rstrip(", "), refresh=False)
        self._bar.set_postfix_str(
            f"objective {news.objective:.6g}, gap {news.relative_gap:.1e} (aim {self._tolerance:.0e})", refresh=False
        )
        at = (news.network, news.iteration)
        self._bar.update(int(at != self._at))  # there may be several news of one iteration
        self._at = at

    def close(self):
        self._bar.close()


class _TextLine:
    def __init__(self, tolerance):
        self._tolerance = tolerance
        self._live = sys.stderr.isatty()
        self._last = ""

    def show(self, which, news):
        self._last = (
            f"conelu: {which}iteration {news.iteration}, objective {news.objective:.6g}, "
            f"gap {news.relative_gap:.1e} (aim {self._tolerance:.0e}), {news.seconds:.1f} s"
        )
        if self._live:
            print(f"\r\x1b[K{self._last}", end="", file=sys.stderr, flush=True)

    def close(self):
        # A file or a pipe gets the last line only.
        if self._last:
            print("" if self._live else self._last, file=sys.stderr, flush=True)
