"""Experiments run, remember what they found, and say it the same way each time."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from experiments.__main__ import main, runnable
from experiments.harness.item import Item, all_items, chosen, merged
from experiments.harness.page import BEGIN, END, block_of, fill, page
from experiments.harness.pool import Progress, run_all
from experiments.harness.store import Store

ROOT = Path(__file__).parents[2]
ITEMS = all_items()


@pytest.fixture
def item():
    return Item(ROOT / "experiments" / "line", quick=True)


@pytest.mark.parametrize("name", [item.name for item in ITEMS])
def test_every_folder_is_complete(name):
    item = next(item for item in ITEMS if item.name == name)
    text = item.readme.read_text()
    assert BEGIN in text and END in text
    assert "**Claim" in text and "**What is run**" in text and "**Difference and its reason**" in text
    for part in ("run.py", "report.py", "plot.py"):
        assert (item.folder / part).is_file()
    changed = Item(item.folder, quick=True).settings
    assert changed.keys() == item.settings.keys(), "a quick run changes settings and invents none"


def test_items_are_found_by_name_and_by_number():
    numbers = [item.number for item in ITEMS]
    assert numbers == sorted(set(numbers)), "two items have the same number"
    assert [item.name for item in chosen(ITEMS, ["2", "line"])] == ["line", "plane"]
    with pytest.raises(SystemExit, match="no 'circle'"):
        chosen(ITEMS, ["circle"])


def test_quick_settings_replace_at_any_depth():
    assert merged({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 4}}) == {"a": {"b": 4, "c": 2}, "d": 3}


def test_records_are_found_by_settings_and_version(item, tmp_path):
    store, task = Store(tmp_path, "1"), {"eps": 0.1, "cost": 3}
    assert store.get(item, task) is None
    store.put(item, task, {"value": 7})
    assert store.get(item, task) == {"value": 7}
    assert store.get(item, task | {"cost": 5}) == {"value": 7}, "what a task costs does not change its result"
    assert store.get(item, task | {"eps": 0.2}) is None
    assert Store(tmp_path, "2").get(item, task) is None


def test_changed_code_runs_again(item, tmp_path):
    copy = shutil.copytree(item.folder, tmp_path / "line")
    store, task = Store(tmp_path / "records", "1"), {"eps": 0.1}
    store.put(Item(copy), task, {"value": 7})
    (copy / "report.py").write_text("changed")
    assert store.get(Item(copy), task) == {"value": 7}, "words about a record do not change it"
    helper = copy / "helper.py"
    helper.write_text("what run.py may use")
    assert store.get(Item(copy), task) is None
    helper.unlink()
    assert store.get(Item(copy), task) == {"value": 7}
    (copy / "run.py").write_text("changed")
    assert store.get(Item(copy), task) is None


def test_a_quick_run_writes_a_page_and_a_second_one_runs_nothing(tmp_path, capsys):
    options = ["--quick", "--records", str(tmp_path), "--workers", "0"]
    assert main(["--only", "line", *options]) == 0
    said = capsys.readouterr().err
    assert "3 of 3 tasks to run, about" in said and "left" in said
    written = (tmp_path / "quick" / "results.md").read_bytes()
    picture = (tmp_path / "quick" / "results" / "line_boundary.png").read_bytes()
    assert b"| Alg 2 |" in written and len(picture) > 10_000
    assert main(["--only", "1", *options]) == 0
    assert "tasks to run" not in capsys.readouterr().err
    assert (tmp_path / "quick" / "results.md").read_bytes() == written
    assert (tmp_path / "quick" / "results" / "line_boundary.png").read_bytes() == picture


def test_absent_data_are_named_and_the_rest_goes_on(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CONELU_DATA", str(tmp_path / "no"))
    assert main(["--quick", "--only", "1", "5", "--records", str(tmp_path), "--workers", "0"]) == 0
    said = capsys.readouterr().err
    assert f"mammographic is left out, it needs mammographic_masses in {tmp_path / 'no'}" in said
    assert "| Alg 2 |" in (tmp_path / "quick" / "results.md").read_text()


def test_data_that_an_item_can_do_without_are_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("CONELU_DATA", str(tmp_path / "no"))
    assert [item.name for item in runnable(chosen(all_items(quick=True), ["theorems"]))] == ["theorems"]
    assert f"theorems goes without mammographic_masses, cifar10, which is not in {tmp_path / 'no'}" in capsys.readouterr().err


def test_workers_tell_what_failed_and_keep_the_rest(tmp_path, item):
    good = item.tasks[0]
    bad = good | {"samples": "many"}
    store = Store(tmp_path)
    failures = run_all([(item, bad), (item, good)], store, workers=1)
    assert [task for _, task, _ in failures] == [bad]
    assert "Traceback" in failures[0][2]
    kept, here = (record["methods"]["Alg 2"]["objective"] for record in (store.get(item, good), item.run(good)))
    assert kept == here


def test_the_page_is_made_of_the_readmes():
    texts = {item.name: item.readme.read_text() for item in ITEMS}
    text = page(ITEMS, texts)
    assert text == page(ITEMS, texts)
    assert re.findall(r"^## (\d+)\. ", text, flags=re.MULTILINE) == [str(item.number) for item in ITEMS]
    assert BEGIN not in text
    assert (ROOT / "docs" / "results.md").read_text() == text, "run `make experiments`"


def test_links_of_the_page_lead_somewhere():
    text = (ROOT / "docs" / "results.md").read_text()
    targets = [target for target in re.findall(r"\]\(([^)#]+)", text) if "://" not in target]
    assert targets
    assert all((ROOT / "docs" / target).exists() for target in targets)


def test_what_was_found_goes_between_the_marks():
    text = f"# A\n\n{BEGIN}\n\nold\n\n{END}\n\nwords\n"
    assert fill(fill(text, "new"), "newer") == f"# A\n\n{BEGIN}\n\nnewer\n\n{END}\n\nwords\n"
    with pytest.raises(ValueError, match="expected the lines"):
        fill("# A", "new")


def test_progress_says_how_long_it_will_take(capsys):
    jobs = [(Item(ROOT / "experiments" / "line"), {"cost": 1}), (Item(ROOT / "experiments" / "line"), {"cost": 3})]
    progress = Progress(jobs, stream=sys.stdout, every=0)
    progress.start -= 100
    progress.tell(*jobs[0])
    assert "1 of 2 done, last of line; 2 min gone, about 5 min left" in capsys.readouterr().out


def test_blocks_have_tables_and_figures(item, tmp_path):
    records = [item.run(task) for task in item.tasks]
    json.dumps(records)
    block = block_of(item, records, tmp_path, "pictures")
    assert "| Alg 1 |" in block and "](pictures/line_boundary.png)" in block
    assert (tmp_path / "line_boundary.png").stat().st_size > 10_000
