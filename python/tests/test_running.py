"""Fits among threads, processes, signals and screens."""

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV

from conelu import ConvexReLUClassifier, ConvexReLURegressor


@pytest.fixture
def long_fit():
    """Data and a model that take many seconds."""
    random = np.random.default_rng(0)
    X = random.standard_normal((600, 20))
    return ConvexReLUClassifier(pattern_count=150, tolerance=1e-10), X, (X[:, 0] * X[:, 1] > 0).astype(int)


class Interrupter(logging.Handler):
    """Presses Ctrl-C a moment after the first iteration, however fast the machine is."""

    sent = None

    def emit(self, record):
        if self.sent is None and record.levelno == logging.DEBUG:
            self.sent = time.monotonic() + 0.05
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_stops_at_once_and_leaves_the_best_network(long_fit, caplog):
    model, X, y = long_fit
    interrupter = Interrupter()
    logger = logging.getLogger("conelu")
    logger.addHandler(interrupter)
    # A shell starts what runs in the background deaf to Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with caplog.at_level(logging.DEBUG, logger="conelu"), pytest.raises(KeyboardInterrupt):
            model.fit(X, y)
    finally:
        signal.signal(signal.SIGINT, before)
        logger.removeHandler(interrupter)
    # The iteration that runs is finished first.
    assert time.monotonic() - interrupter.sent < 3
    assert model.certificate_.stop == "cancelled"
    assert model.predict(X).shape == y.shape


def test_other_threads_run_meanwhile(long_fit):
    model, X, y = long_fit
    model.set_params(time_limit=0.5)
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.warns(match="time_limit"):
        model.fit(X, y)
    stop.set()
    thread.join()
    assert len(ticks) > 10
    assert np.diff(ticks).max() < 0.5


def test_an_error_of_a_listener_ends_the_fit(plane, monkeypatch):
    def fail(self, news):
        raise RuntimeError("enough")

    monkeypatch.setattr("conelu.progress.Progress.__call__", fail)
    with pytest.raises(RuntimeError, match="enough"):
        ConvexReLUClassifier(verbose=True).fit(plane.X, plane.y)


def fit_again(X, y):
    return ConvexReLUClassifier(pattern_count=30, n_jobs=2).fit(X, y).objective_


# OpenMP's threads are gone after a fork; a fit that waited for them would never end.
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fits_after_a_fork():
    random = np.random.default_rng(0)
    X = random.standard_normal((300, 10))
    y = (X[:, 0] > 0).astype(int)
    before = fit_again(X, y)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(fit_again, (X, y)).get(timeout=120) == before


def test_fits_in_other_processes(plane):
    grid = GridSearchCV(ConvexReLUClassifier(pattern_count=10), {"beta": [1e-2, 1e-3]}, cv=2, n_jobs=2)
    assert grid.fit(plane.X, plane.y).best_score_ > 0.5


def test_fits_in_several_threads_at_once(plane):
    alone = ConvexReLUClassifier().fit(plane.X, plane.y).objective_
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(ConvexReLUClassifier().fit(plane.X, plane.y).objective_))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 3


def test_is_silent_unless_asked(plane, capfd):
    ConvexReLUClassifier().fit(plane.X, plane.y)
    ConvexReLURegressor().fit(plane.X, plane.X[:, 0])
    assert capfd.readouterr() == ("", "")
    ConvexReLUClassifier(verbose=True).fit(plane.X, plane.y)
    shown = capfd.readouterr()
    assert shown.out == ""
    assert "gap" in shown.err and "objective" in shown.err


def test_shows_progress_without_tqdm(plane, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    ConvexReLUClassifier(verbose=True).fit(plane.X, plane.y)
    assert "conelu: iteration" in capfd.readouterr().err


def test_has_one_row_of_history_for_an_iteration_of_several_programs(plane):
    model = ConvexReLUClassifier(eps=0.1, method="reduced", patterns="perturbed", pattern_count=30).fit(plane.X, plane.y)
    assert model.record_["solver"] == "working-set"
    assert list(model.history_["iteration"]) == list(range(model.n_iter_ + 1))
    assert model.history_["lower_bound"][-1] == model.lower_bound_


def test_tells_the_logger_what_it_chose_and_how_it_goes(plane, caplog):
    with caplog.at_level(logging.DEBUG, logger="conelu"):
        model = ConvexReLUClassifier().fit(plane.X, plane.y)
    notes = [record.message for record in caplog.records if record.levelno == logging.INFO]
    iterations = [record.message for record in caplog.records if record.levelno == logging.DEBUG]
    assert any(note.startswith("patterns: all") for note in notes)
    assert len(iterations) == len(model.history_["gap"])
    assert "gap" in iterations[-1]


def seconds_of(code):
    def run():
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - start

    return min(run() for _ in range(5))


def test_is_imported_quickly():
    assert seconds_of("import numpy, conelu") - seconds_of("import numpy") < 0.3
    check = "import conelu, sys; assert 'sklearn' not in sys.modules and 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", check], check=True)
