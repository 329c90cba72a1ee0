"""What the documents show is true."""

import doctest
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import conelu.classifier
import conelu.prices
import conelu.regressor

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "python" / "examples").glob("*.py"))


@pytest.mark.parametrize("page", ["README.md", "docs/python/index.md"])
def test_code_in_the_documents_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    plt.close("all")


@pytest.mark.parametrize("module", [conelu.classifier, conelu.regressor, conelu.prices], ids=lambda module: module.__name__)
def test_code_in_docstrings_gives_what_it_says(module):
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_reference_is_that_of_the_docstrings():
    path = ROOT / "docs" / "python" / "make_api.py"
    spec = importlib.util.spec_from_file_location("make_api", path)
    make_api = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_api)
    assert path.with_name("api.md").read_text() == make_api.text(), "run `make docs-python`"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_and_draw(example, tmp_path):
    argument = tmp_path / "plane.png" if example.stem == "plane" else tmp_path
    result = subprocess.run([sys.executable, "-W", "error", example, argument], capture_output=True, check=False, text=True)
    assert result.returncode == 0, result.stderr
    figures = list(tmp_path.glob("*.png"))
    assert figures
    assert all(figure.stat().st_size > 10_000 for figure in figures)
