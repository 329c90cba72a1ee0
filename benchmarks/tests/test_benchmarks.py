"""The harness of the benchmarks: small problems, whoever is installed, and a page from records that were made up."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import foregone, main, recorded
from benchmarks.descent.judge import Best
from benchmarks.descent.problem import load as load_training
from benchmarks.descent.problem import objective
from benchmarks.harness.contender import ROOT, Contender, peers_python
from benchmarks.harness.page import page
from benchmarks.harness.store import Store
from benchmarks.harness.task import Task, all_tasks
from benchmarks.programs.report import OURS, answers, ratio

MADE = {"name": "made", "made": {"n": 30, "d": 3, "P": 4, "seed": 0}}


def done(seconds, objective=1.0, lower_bound=1.0):
    facts = {"status": "done", "seconds": seconds, "dgemm2000": 0.5, "peak_mb": 30, "violation": 0.0, "says": "solved"}
    return facts | {"objective": objective, "lower_bound": lower_bound, "phases": dict.fromkeys(PHASES, 0.01)}


PHASES = ("patterns", "residuals", "block_factors", "coupling_factor", "solves", "certificate", "prices",
          "descent", "global_bound")


@pytest.fixture(scope="module")
def ours():
    contender = Contender(OURS)
    if not contender.tool.exists():
        pytest.skip(f"there is no {contender.tool}; make builds it")
    return contender.run(MADE, 60)


def test_ours_solves_a_small_program_and_says_where_the_time_went(ours):
    assert ours["status"] == "done", ours
    assert ours["says"] == "optimal"
    assert ours["objective"] * (1 - 1e-6) <= ours["lower_bound"] <= ours["objective"]
    assert set(ours["phases"]) == set(PHASES)


@pytest.mark.parametrize(
    "change",
    [{}, {"eps": 1e-3}, {"eps": 1e-3, "norm": "2", "loss": "squared"}, {"eps": 1e-3, "norm": "1"}],
    ids=["standard", "inf", "2", "1"],
)
def test_a_peer_has_the_same_optimum_with_multipliers_that_prove_it(change):
    for path in (Path(peers_python()), ROOT / "build" / "bench_judge"):
        if not path.exists():
            pytest.skip(f"there is no {path}; make bench-peers QUICK=1 makes it")
    problem = {"name": "made", "made": MADE["made"] | change}
    peer, mine = Contender("programs.clarabel").run(problem, 60), Contender(OURS).run(problem, 60)
    if peer["status"] == "not installed":
        pytest.skip(f"Clarabel is not installed: {peer['why']}")
    assert peer["status"] == "done", peer
    assert peer["objective"] == pytest.approx(mine["objective"], rel=1e-4)
    assert peer["lower_bound"] == pytest.approx(mine["objective"], rel=1e-2)


def test_whoever_takes_too_long_is_stopped(tmp_path):
    sleeper = Contender("programs.clarabel")
    if not Path(sleeper.python).exists():
        pytest.skip(f"there is no {sleeper.python}; make bench-peers QUICK=1 makes it")
    large = {"name": "large", "made": {"n": 400, "d": 30, "P": 30, "seed": 0}}
    assert sleeper.run(large, 0) == {"status": "limit", "limit": 0}


def test_a_contender_without_its_packages_is_named(tmp_path):
    nobody = Contender("programs.clarabel", python=tmp_path / "python")
    record = nobody.run(MADE, 60)
    assert record["status"] == "not installed"
    task = Task("live")
    task.contenders = [nobody]
    text = page([task], {"live": [(MADE, {OURS: done(1.0), nobody.name: record})]}, 60, tmp_path, "pictures")
    assert "- programs.clarabel could not be installed" in text


def test_records_are_found_again_unless_a_longer_limit_may_say_more(tmp_path):
    store, contender = Store(tmp_path), Contender("programs.clarabel")
    assert store.get(contender, MADE) is None
    store.put(contender, MADE, {"status": "limit", "limit": 60})
    assert store.get(contender, MADE, 60) == {"status": "limit", "limit": 60}
    assert store.get(contender, MADE, 600) is None
    store.put(contender, MADE, done(3.0))
    assert store.get(contender, MADE, 600) == done(3.0)
    store.put(contender, MADE, {"status": "failed"})
    assert store.get(contender, MADE, 60) is None
    assert store.get(contender, MADE) == {"status": "failed"}


def test_nobody_is_asked_for_more_after_having_been_stopped_at_less(tmp_path):
    store, task = Store(tmp_path), Task("scaling")
    contender, options = task.contenders[1], type("Options", (), {"quick": False, "limit": 60})
    small, large = task.problems(False)[:2]
    assert foregone(task, large, contender, options, store) is None
    store.put(contender, small, {"status": "limit", "limit": 60})
    told = foregone(task, large, contender, options, store)
    assert told == {"status": "limit", "limit": 60, "stopped_at": small["name"]}
    assert foregone(task, small, contender, options, store) is None
    # What nobody has tried is no time that a ratio could be made of.
    assert ratio({OURS: done(2.0), contender.name: told}) == (None, "nobody", False)
    assert "not asked: stopped at n = 600" in answers({OURS: done(2.0), contender.name: told})


def test_programs_are_smaller_than_others_of_their_kind_alone():
    task = Task("cases")
    names = {problem["name"]: problem for problem in task.problems(False)}
    if not names:
        pytest.skip("there are no reference cases beside the project")
    smaller = {problem["name"] for problem in task.smaller(names["cifar_adv_hinge_P36"], False)}
    assert smaller == {name for name in names if "adv_hinge" in name and not name.startswith("cifar")}
    assert not task.smaller(names["plane_std_sq_P120"], False)


def test_the_ratio_is_that_of_the_best_peer_whose_answer_is_good():
    records = {OURS: done(2.0), "programs.fast": done(3.0, objective=1.5), "programs.slow": done(100.0)}
    assert ratio(records) == (50, "programs.slow", False)
    records["programs.slow"] = {"status": "limit", "limit": 600}
    assert ratio(records) == (300, "nobody", True)
    records["programs.slow"] = done(100.0) | {"dgemm2000": 1.0}  # on a machine half as fast
    assert ratio(records) == (25, "programs.slow", False)
    records["programs.slow"] = {"status": "limit", "limit": 600}
    assert "> 600" in answers(records)


def test_answers_that_contradict_each_other_are_told():
    compare = Task("cases").compare
    good = {OURS: done(1.0), "programs.clarabel": done(9.0)}
    assert not list(compare(MADE, good))
    assert list(compare(MADE, good | {"programs.clarabel": done(9.0, objective=0.9)}))
    assert list(compare(MADE | {"objective": 2.0, "proven_lower_bound": 2.0}, good))


def test_growth_is_that_of_times_in_units_of_their_run():
    task = Task("scaling")
    records = {"status": "done", "objective": 1.0, "lower_bound": 1.0}
    results = [
        (p, {OURS: records | {"seconds": 1e-3 * p["size"] ** 1.5, "dgemm2000": p["size"] ** 0.5}})
        for p in task.problems(False)
    ]
    assert task.exponent(results, "n", OURS) == pytest.approx(1)


def test_every_task_has_questions_and_contenders_with_pinned_packages():
    for task in all_tasks():
        problems = task.problems(quick=True)
        json.dumps(problems)
        assert len({problem["name"] for problem in problems}) == len(problems)
        for contender in task.contenders:
            assert contender.path.exists(), contender.name
            assert contender.ours or contender.packages, contender.name


def test_the_page_comes_from_records(tmp_path):
    store = Store(tmp_path / "records")
    for problem, contender in Task("cases").jobs(quick=True) + Task("live").jobs(quick=True):
        store.put(contender, problem, done(1.0 if contender.ours else 7.0, objective=1.0 + 1e-7))
    if not recorded(Task("cases"), True, store):
        pytest.skip("there are no reference cases beside the project")
    # Nothing is run: no task has that name.
    main(["--quick", "--records", str(tmp_path / "records"), "--docs", str(tmp_path), "--only", "nothing"])
    text = (tmp_path / "benchmarks.md").read_text()
    assert "## Reference programs" in text
    assert "| plane_adv_hinge_P120 | 1 | 2 | 1.0e-07 | clarabel | 7 |" in text


def test_live_patterns_are_live():
    from benchmarks.programs.program import load, shared_folder

    if not (shared_folder() / "cases").exists():
        pytest.skip("there are no reference cases beside the project")
    program = load(Task("live").problems(quick=True)[0])
    assert len(np.unique(program.patterns, axis=0)) == 5
    assert np.all(program.X[:, -1] == 1)


def test_without_our_objective_nobody_has_a_time_to_it():
    records = {"descent.conelu": {"status": "not run"}, "descent.torch": trained(0.25, 0.25, 0.25)}
    told = Task("descent").report([({"name": "made"}, records)])
    assert torch_line(told).split("|")[5:] == [""]  # no times


def test_a_time_by_ones_own_account_is_told_from_a_true_one():
    ours = trained(0.28, 0.28, 0.28, lower_bound=0.28)
    problem = {"name": "made", "eps": 0.1, "seconds": 7}
    note = "misses this goal"
    for attained, cells in ((0.27, "3 | 3 | 3 |"), (0.2805, "3 | 3 | 3 (!) |"), (0.32, "3 (!) | 3 (!) | 3 (!) |")):
        records = {"descent.conelu": ours, "descent.torch": trained(0.26, attained, 0.33)}
        told = Task("descent").report([(problem, records)])
        assert cells in torch_line(told)
        assert (note in told) == ("(!)" in cells)
    slow = {"descent.conelu": ours, "descent.torch": trained(0.29, 0.29, 0.33)}
    assert "3 | > 7 | > 7 |" in torch_line(Task("descent").report([(problem, slow)]))


def torch_line(told):
    (line,) = (line for line in told.splitlines() if ": torch |" in line)
    return line


def trained(said, attained, proven, **more):
    facts = {"status": "done", "seconds": 3.0, "objective": said, "attained": attained, "proven": proven}
    return facts | {"trace": [[3.0, said]], "clean": 0.2, "clean_proven": 0.2} | more


@pytest.mark.parametrize(
    ("eps", "who", "record", "wrong"),
    [
        (0.1, "torch", trained(0.25, 0.26, 0.27), None),
        (0.1, "torch", trained(0.28, 0.26, 0.27), "found 0.28, above what is proven"),
        (0.1, "torch", trained(0.25, 0.28, 0.27), "the proof says at most 0.27"),
        (0.0, "sklearn", trained(0.25, 0.25, 0.25), None),
        (0.0, "sklearn", trained(0.24, 0.25, 0.25), "its network has 0.25"),
        (0.1, "torch", trained(0.25, 0.26, 0.27, clean_proven=0.21), "our tool sees 0.21"),
        (0.1, "torch", trained(float("nan"), 0.26, 0.27), "found nan"),
        (0.1, "conelu", trained(0.3, 0.26, 0.27, lower_bound=0.29), None),
        (0.0, "conelu", trained(0.3, 0.28, 0.28, lower_bound=0.29), "the lower bound 0.29 is above"),
        (0.1, "conelu", trained(0.25, 0.26, 0.27, lower_bound=0.2), "training proved 0.25"),
        (0.1, "conelu", trained(0.3, 0.26, 0.27, lower_bound=0.31), "the lower bound 0.31 is above"),
    ],
)
def test_nobody_says_more_of_a_network_than_is_true(eps, who, record, wrong):
    told = list(Task("descent").compare({"name": "made", "eps": eps}, {f"descent.{who}": record}))
    assert [text for text in told if wrong and wrong in text] == told
    assert len(told) == (wrong is not None)


def test_the_trace_of_a_long_descent_is_short_and_ends_with_the_best():
    best, weights = Best(), [np.ones((2, 1)), np.zeros(1), np.ones(1)]
    for step in range(1, 10_000):
        weights[0][:] = step
        best.see(step * 1e-3, 1.0 + 1.0 / step, weights)
    weights[0][:] = 0  # those who train go on with the same arrays
    best.see(10.0, 3.0, weights)
    assert len(best.trace) < 1000
    assert best.trace[0] == [1e-3, 2.0]
    assert best.trace[-1] == [10.0, 1.0 + 1.0 / 9999]
    seconds = np.array(best.trace)[:, 0]
    assert (seconds[1:] > seconds[:-1]).all()
    late = seconds[seconds > 1]
    assert (late[1:] / late[:-1]).max() < 1.03
    assert (best.network[0] == 9999).all()


@pytest.mark.parametrize("loss", ["hinge", "squared"])
def test_a_network_of_others_has_the_objective_that_they_say(tmp_path, monkeypatch, loss):
    contender = Contender("descent.conelu")
    if not contender.tool.exists():
        pytest.skip(f"there is no {contender.tool}; make builds it")
    monkeypatch.setenv("CONELU_TOOL", str(contender.tool))
    problem = Task("descent").problems(quick=True)[1]
    training, random = load_training(problem | {"loss": loss}), np.random.default_rng(3)
    # The last neuron is dead and the one before it on its way there: neither may upset the balance.
    network = [random.normal(size=(3, 5)), random.normal(size=5), np.append(random.normal(size=4), 0.0)]
    network[0][:, 3], network[1][3] = 0.0, 1e-200
    outputs = np.maximum(training.X @ network[0] + network[1], 0) @ network[2]
    said = objective(training, *network, outputs)
    best = Best()
    best.see(1.0, said, network)
    facts = best.facts(problem, dataclasses.replace(training, eps=0.0), tmp_path)
    assert facts["proven"] == pytest.approx(said, rel=1e-9)
    assert facts["attained"] == pytest.approx(said, rel=1e-9)
    attacked = best.facts(problem, training, tmp_path)
    assert said < attacked["attained"] <= attacked["proven"] * (1 + 1e-12)
    assert attacked["clean"] == said
    assert attacked["clean_proven"] == pytest.approx(said, rel=1e-9)
