"""Trainings and what tables say of them."""

import time

from sklearn.metrics import accuracy_score, r2_score

from conelu import ConvexReLUClassifier, ConvexReLURegressor, train_baseline

REGRESSIONS = ("squared", "absolute", "huber")
# What else the record of a search for prices has; a field that does not apply is not there.
SEARCH = (
    "beta_max", "largest_price", "price_bound", "nodes", "bound_seconds", "program_bound", "round_objectives",
    "round_bounds", "round_estimates", "round_prices",
)  # fmt: skip


def estimator(options, *, loss, beta, seed):
    kind = ConvexReLURegressor if loss in REGRESSIONS else ConvexReLUClassifier
    return kind(loss, beta=beta, random_state=seed, n_jobs=1, **options)


def trained(options, training, test, *, loss, beta, seed):
    """Facts about convex training."""
    start = time.process_time()
    model = estimator(options, loss=loss, beta=beta, seed=seed).fit(*training)
    seconds = time.process_time() - start
    record = model.record_
    facts = {name: record[name] for name in ("objective", "lower_bound", "scope", "neurons", "rounds", "stop", "beta")}
    facts |= {name: record.get(name) for name in SEARCH}
    return facts | {"seconds": seconds, "test": None if test is None else model.score(*test)}


def descended(options, training, test, *, loss, beta, seed):
    """The same of gradient descent, of which nothing is proven."""
    start = time.process_time()
    found = train_baseline(*training, loss=loss, beta=beta, random_state=seed, n_jobs=1, **options)
    facts = {"objective": found.record["attacked_objective"], "neurons": found.record["neurons"]}
    facts["seconds"] = time.process_time() - start
    score = r2_score if loss in REGRESSIONS else accuracy_score
    return facts | {"test": float(score(test[1], found.network.predict(test[0])))}
