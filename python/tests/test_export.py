"""What `conelu export` writes, in the programs that it is for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[2] / "tests" / "oracle" / "check_export.py"


# Each version of vnnlib reads one version of the language; scripts/python.sh puts both beside the environment.
@pytest.mark.parametrize("language", ["1.0", "2.0"])
def test_means_the_same_to_onnxruntime_c_and_vnnlib(tool, language):
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    parser = Path(sys.prefix).parent / f"vnnlib-{language}"
    if not parser.is_dir():
        pytest.skip(f"no vnnlib at {parser}")
    environment = {**os.environ, "PYTHONPATH": str(parser)}
    result = subprocess.run([sys.executable, CHECK, tool], env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count(f"counterexamples to VNN-LIB {language} properties") == 3
